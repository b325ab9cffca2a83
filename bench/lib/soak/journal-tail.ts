import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunEvent } from '../../../src/shared/model/events.ts';

const LOOK_MS = 50;
const CHUNK = 256 * 1024;

/** The events of a run as they come into its journal, read as far as it is written. */
export class JournalTail {
  readonly runId: string;
  readonly #path: string;
  readonly #decoder = new StringDecoder('utf8');
  #at = 0;
  #rest = '';

  private constructor(home: string, runId: string) {
    this.runId = runId;
    this.#path = join(home, 'runs', runId, 'journal.ndjson');
  }

  /** Of the run that begins next in a data folder; `known` are the runs that are there already. */
  static async ofNext(home: string, known: ReadonlySet<string>, timeoutMs: number): Promise<JournalTail> {
    for (const until = Date.now() + timeoutMs; Date.now() < until; await delay(LOOK_MS)) {
      const runId = runIdsOf(home).find((one) => !known.has(one));
      if (runId !== undefined) return new JournalTail(home, runId);
    }
    throw new Error('no run has begun');
  }

  /** What has come since the last call. */
  take(): RunEvent[] {
    const events: RunEvent[] = [];
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch {
      return events;
    }
    try {
      const buffer = Buffer.alloc(CHUNK);
      for (;;) {
        const bytes = readSync(file, buffer, 0, CHUNK, this.#at);
        if (bytes === 0) return events;
        this.#at += bytes;
        const lines = (this.#rest + this.#decoder.write(buffer.subarray(0, bytes))).split('\n');
        this.#rest = lines.pop() ?? '';
        for (const line of lines) {
          const value = JSON.parse(line) as RunEvent | { format: string };
          if ('type' in value) events.push(value);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  /** Resolves with the first event that matches, or with the run's last one. `onEvent` sees all of them. */
  async until(
    matches: (event: RunEvent) => boolean,
    timeoutMs: number,
    onEvent: (event: RunEvent) => void = () => undefined,
  ): Promise<RunEvent> {
    for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(LOOK_MS)) {
      let found: RunEvent | undefined;
      for (const event of this.take()) {
        onEvent(event);
        if (found === undefined && (matches(event) || event.type === 'run-finished')) found = event;
      }
      if (found !== undefined) return found;
    }
    throw new Error(`run ${this.runId} did not get there`);
  }
}

export function runIdsOf(home: string): string[] {
  try {
    return readdirSync(join(home, 'runs'));
  } catch {
    return [];
  }
}
