import { WASI } from 'node:wasi';
import { WindowSchedule } from '../counts.ts';
import { ProtocolError, serverError } from '../wire/answer-reader.ts';
import type { Layout } from './shared-counts.ts';

class ConnectionLost extends Error {
  readonly code = 'PROTOCOL_CONNECTION_LOST';

  constructor() {
    super('Connection lost: The server closed the connection.');
  }
}

interface Exports extends WebAssembly.Exports {
  begin(warmedNs: number, endNs: number): void;
  run(from: number, to: number): number;
  errorAt: WebAssembly.Global;
  errorBytes: WebAssembly.Global;
  transactionAt: WebAssembly.Global;
}
const ALL_SENT = 0;
const OVER = 1;
const REFUSED = 2;
const LOST = 3;
const COUNTED = 5;
const NEVER = 9e18;

export interface ExchangeOptions {
  program: WebAssembly.Module;
  memory: WebAssembly.Memory;
  layout: Layout;
  /** A blocking file descriptor. */
  socket: number;
}

export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #exports: Exports;
  #schedule = new WindowSchedule(0, 0);
  #startMs = 0;

  constructor(options: ExchangeOptions) {
    const { program, memory, layout, socket } = options;
    this.#options = options;
    const wasi = new WASI({ version: 'preview1', stdin: socket, stdout: socket });
    const { exports } = new WebAssembly.Instance(program, {
      wasi_snapshot_preview1: wasi.wasiImport,
      env: { memory },
      layout: { ...layout },
      windows: { end: (position: number) => this.#endOfWindow(position) },
    });
    wasi.initialize({ exports: { memory } });
    this.#exports = exports as Exports;
  }

  /** `startMs` is by the clock of `nowMs`. */
  begin(startMs: number, schedule: WindowSchedule): void {
    this.#startMs = startMs;
    this.#schedule = schedule;
    const { warmupMs, lastMs } = schedule;
    this.#exports.begin(this.#nanoseconds(warmupMs), this.#nanoseconds(lastMs));
  }

  get transactionAt(): number {
    return Number(this.#exports.transactionAt.value);
  }

  /** Statements after a returned error belong to the same transaction. Throws if the connection is lost. */
  run(from: number, to: number): 'all sent' | 'counted' | 'over' | Error {
    const ended = this.#exports.run(from, to);
    if (ended === ALL_SENT) return 'all sent';
    if (ended === COUNTED) return 'counted';
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

  #endOfWindow(position: number): number {
    return position + 1 < this.#schedule.count ? this.#nanoseconds(this.#schedule.endMs(position)) : NEVER;
  }

  #nanoseconds(elapsedMs: number): number {
    return (this.#startMs + elapsedMs) * 1e6;
  }
}
