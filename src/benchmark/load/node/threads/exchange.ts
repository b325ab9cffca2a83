import { WASI } from 'node:wasi';
import type { WindowSchedule } from '../counts.ts';
import { ProtocolError, serverError } from '../wire/answer-reader.ts';
import type { Layout } from './shared-counts.ts';

class ConnectionLost extends Error {
  readonly code = 'PROTOCOL_CONNECTION_LOST';

  constructor() {
    super('Connection lost: The server closed the connection.');
  }
}

interface Exports extends WebAssembly.Exports {
  begin(endNs: number): void;
  run(from: number, to: number): number;
  errorAt: WebAssembly.Global;
  errorBytes: WebAssembly.Global;
  transactionAt: WebAssembly.Global;
}
const ALL_SENT = 0;
const OVER = 1;
const REFUSED = 2;
const LOST = 3;

export interface ExchangeOptions {
  program: WebAssembly.Module;
  memory: WebAssembly.Memory;
  layout: Layout;
  /** File descriptor of a logged-in, blocking connection. */
  socket: number;
  schedule: WindowSchedule;
}

export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #exports: Exports;
  #startMs = 0;

  constructor(options: ExchangeOptions) {
    const { program, memory, layout, socket, schedule } = options;
    this.#options = options;
    const wasi = new WASI({ version: 'preview1', stdin: socket, stdout: socket });
    const { exports } = new WebAssembly.Instance(program, {
      wasi_snapshot_preview1: wasi.wasiImport,
      env: { memory },
      layout: { ...layout },
      windows: { end: (position: number) => this.#nanoseconds(schedule.endMs(position)) },
    });
    wasi.initialize({ exports: { memory } });
    this.#exports = exports as Exports;
  }

  /** `startMs` by `nowMs`. */
  begin(startMs: number): void {
    this.#startMs = startMs;
    this.#exports.begin(this.#nanoseconds(this.#options.schedule.lastMs));
  }

  /** Begin of the transaction that an error interrupted: it can be run again from there. */
  get transactionAt(): number {
    return Number(this.#exports.transactionAt.value);
  }

  /**
   * Runs these statements, or fewer when the last window is over or all are to stop. Returns an error of the server; the
   * next statements then belong to the same transaction. Throws if the connection can’t be used any more.
   */
  run(from: number, to: number): 'all sent' | 'over' | Error {
    const ended = this.#exports.run(from, to);
    if (ended === ALL_SENT) return 'all sent';
    if (ended === OVER) return 'over';
    if (ended === LOST) throw new ConnectionLost();
    if (ended !== REFUSED) throw new ProtocolError('an unexpected packet');
    const at = Number(this.#exports.errorAt.value);
    const bytes = new Uint8Array(this.#options.memory.buffer).slice(
      at,
      at + Number(this.#exports.errorBytes.value),
    );
    return serverError(bytes, 1, bytes.length);
  }

  #nanoseconds(elapsedMs: number): number {
    return (this.#startMs + elapsedMs) * 1e6;
  }
}
