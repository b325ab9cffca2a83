import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { nowMs, WindowSchedule } from '../counts.ts';
import { RETRIED_ERRORS, retriedError } from '../server-errors.ts';
import { QUIT_PACKET } from '../wire/packets.ts';
import { endOfRollback } from './batches.ts';
import type { SliceTiming } from '../../load-client.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';

export interface ThreadTask extends ExchangeOptions {
  rollsBack: boolean;
}

export type ThreadCommand =
  { type: 'open'; task: ThreadTask } | ({ type: 'begin'; startMs: number } & SliceTiming) | { type: 'end' };

/** Fields that a cloned error would lose. */
interface ThreadError {
  message: string;
  errno?: unknown;
  code?: unknown;
}

export type ThreadMessage =
  | { type: 'ready' }
  | { type: 'sent'; batch: number }
  /** The slice is counted, but the thread still runs. */
  | { type: 'counted' }
  | { type: 'paused' }
  | { type: 'failed'; error: ThreadError }
  | { type: 'ended' };

class ThreadLoad {
  readonly #task: ThreadTask;
  readonly #words: Int32Array;
  readonly #exchange: Exchange;
  readonly #tell: (message: ThreadMessage) => void;
  #batch: 0 | 1 = 0;
  /** Start of the next transaction; undefined: the batch's start. */
  #at: number | undefined;

  constructor(task: ThreadTask, tell: (message: ThreadMessage) => void) {
    this.#task = task;
    this.#words = new Int32Array(task.memory.buffer);
    this.#exchange = new Exchange(task);
    this.#tell = tell;
  }

  run(startMs: number, { warmupMs, durationMs }: SliceTiming): void {
    const left = startMs - nowMs();
    if (left > 0) Atomics.wait(never, 0, 0, left);
    this.#exchange.begin(startMs, new WindowSchedule(warmupMs, durationMs));
    for (;;) {
      const ended = this.#send();
      if (ended === 'over') return;
      if (ended === 'counted') this.#tell({ type: 'counted' });
    }
  }

  close(): void {
    writeSync(this.#task.socket, QUIT_PACKET);
  }

  #send(): 'all sent' | 'counted' | 'over' {
    const batch = this.#task.layout.batches[this.#batch];
    const word = batch.filled / 4;
    Atomics.wait(this.#words, word, 0);
    const end = Atomics.load(this.#words, word);
    let ended = this.#exchange.run(this.#at ?? batch.at, end);
    while (ended instanceof Error) {
      const at = this.#exchange.transactionAt;
      this.#recover(ended);
      ended = this.#exchange.run(at, end);
    }
    if (ended !== 'all sent') {
      this.#at = this.#exchange.transactionAt;
      return ended;
    }
    Atomics.store(this.#words, word, 0);
    this.#tell({ type: 'sent', batch: this.#batch });
    this.#batch = this.#batch === 0 ? 1 : 0;
    this.#at = undefined;
    return ended;
  }

  #recover(error: Error): void {
    const { layout, rollsBack } = this.#task;
    const number = retriedError(error, { rollsBack });
    if (number === undefined) throw error;
    const counted = layout.errors / 4 + RETRIED_ERRORS.indexOf(number);
    this.#words[counted] = (this.#words[counted] ?? 0) + 1;
    const ended = rollsBack ? this.#exchange.run(layout.rollback, endOfRollback(layout)) : undefined;
    if (ended instanceof Error) throw ended;
  }
}

const never = new Int32Array(new SharedArrayBuffer(4));

const port = parentPort;
if (port === null) throw new Error('not a thread');
const tell = (message: ThreadMessage): void => port.postMessage(message);
let load: ThreadLoad | undefined;

function serve(command: ThreadCommand): void {
  if (command.type === 'open') {
    load = new ThreadLoad(command.task, tell);
    tell({ type: 'ready' });
  } else if (load === undefined) return;
  else if (command.type === 'begin') {
    load.run(command.startMs, command);
    tell({ type: 'paused' });
  } else {
    load.close();
    load = undefined;
    tell({ type: 'ended' });
  }
}

port.on('message', (command: ThreadCommand) => {
  try {
    serve(command);
  } catch (error) {
    load = undefined;
    tell({ type: 'failed', error: fieldsOf(error) });
    tell({ type: 'ended' });
  }
});

function fieldsOf(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...('errno' in error ? { errno: error.errno } : {}),
    ...('code' in error ? { code: error.code } : {}),
  };
}
