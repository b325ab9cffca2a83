import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { nowMs, WindowSchedule } from '../counts.ts';
import { RETRIED_ERRORS, retriedError } from '../server-errors.ts';
import { QUIT_PACKET } from '../wire/packets.ts';
import { endOfRollback } from './batches.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';

export interface ThreadTask extends Omit<ExchangeOptions, 'schedule'> {
  rollsBack: boolean;
  warmupMs: number;
  durationMs: number;
}

export type ThreadCommand = { type: 'open'; task: ThreadTask } | { type: 'begin'; startMs: number };

/** What `loadError` needs of an error; a copied error loses its fields. */
interface ThreadError {
  message: string;
  errno?: unknown;
  code?: unknown;
}

export type ThreadMessage =
  | { type: 'ready' }
  | { type: 'sent'; batch: number }
  | { type: 'failed'; error: ThreadError }
  /** Follows every `begin` and `failed`: it uses the connection no more. */
  | { type: 'ended' };

class ThreadLoad {
  readonly #task: ThreadTask;
  readonly #words: Int32Array;
  readonly #exchange: Exchange;
  readonly #onSent: (batch: number) => void;

  constructor(task: ThreadTask, onSent: (batch: number) => void) {
    this.#task = task;
    this.#words = new Int32Array(task.memory.buffer);
    this.#exchange = new Exchange({ ...task, schedule: new WindowSchedule(task.warmupMs, task.durationMs) });
    this.#onSent = onSent;
  }

  run(startMs: number): void {
    this.#exchange.begin(startMs);
    const left = startMs - nowMs();
    if (left > 0) Atomics.wait(never, 0, 0, left);
    for (let batch = 0; this.#send(batch); batch = 1 - batch) this.#onSent(batch);
    writeSync(this.#task.socket, QUIT_PACKET);
  }

  #send(index: number): boolean {
    const batch = this.#task.layout.batches[index];
    if (batch === undefined) return false;
    const word = batch.filled / 4;
    Atomics.wait(this.#words, word, 0);
    const end = Atomics.load(this.#words, word);
    let ended = this.#exchange.run(batch.at, end);
    while (ended instanceof Error) {
      const at = this.#exchange.transactionAt;
      this.#recover(ended);
      ended = this.#exchange.run(at, end);
    }
    Atomics.store(this.#words, word, 0);
    return ended === 'all sent';
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

export function startThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('not a thread');
  const tell = (message: ThreadMessage): void => port.postMessage(message);
  let load: ThreadLoad | undefined;
  const serve = (command: ThreadCommand): void => {
    if (command.type === 'open') {
      load = new ThreadLoad(command.task, (batch) => tell({ type: 'sent', batch }));
      tell({ type: 'ready' });
    } else if (load !== undefined) {
      load.run(command.startMs);
      tell({ type: 'ended' });
    }
  };
  port.on('message', (command: ThreadCommand) => {
    try {
      serve(command);
    } catch (error) {
      tell({ type: 'failed', error: fieldsOf(error) });
      tell({ type: 'ended' });
    }
  });
}

function fieldsOf(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...('errno' in error ? { errno: error.errno } : {}),
    ...('code' in error ? { code: error.code } : {}),
  };
}
