import { createReadStream, createWriteStream, writeSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PRIVATE_FILE } from '../files/data-dir.ts';
import * as z from 'zod';
import { type RunEvent, runEventSchema } from '../../shared/model/events.ts';
import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { RunFold } from '../../shared/run/reduce.ts';
import { isOwnerAlive } from '../owners/owner.ts';
import { errnoOf } from '../files/failures.ts';
import { jsonOf } from '../files/json.ts';

const FORMAT = 'whalemark-journal';
const headerSchema = z.object({ format: z.literal(FORMAT), version: z.literal(1), owner: z.string() });

const DURABLE: ReadonlySet<RunEvent['type']> = new Set([
  'run-started',
  'run-continued',
  'trial-finished',
  'trial-failed',
  'trial-lost',
  'run-finished',
]);

/** More than a day of windows. */
const WAITING_BYTES = 64 * 2 ** 20;
const LINE_BYTES = 64 * 2 ** 20;
const NEWLINE = 0x0a;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type Write = (fd: number, bytes: Uint8Array) => number;

/**
 * Lines reach the operating system before `append` returns, so they survive `kill -9`. On a full disk, bytes
 * wait in memory.
 */
export class Journal {
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isCutShort = false;
  #isClosed = false;
  #synced: Promise<void> = Promise.resolve();

  private constructor(
    private readonly file: FileHandle,
    private readonly write: Write,
  ) {}

  static async create(path: string, owner: string, write: Write = writeSync): Promise<Journal> {
    const journal = new Journal(await open(path, 'ax', PRIVATE_FILE), write);
    try {
      journal.#add({ format: FORMAT, version: 1, owner });
      await journal.file.datasync();
      return journal;
    } catch (error) {
      await journal.file.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Bytes after the last readable line move to `.broken`. */
  static async goOn(path: string, end: JournalEnd, write: Write = writeSync): Promise<Journal> {
    const file = await open(path, 'r+');
    try {
      if ((await file.stat()).size > end.bytes) {
        const cut = createReadStream(path, { start: end.bytes });
        await pipeline(cut, createWriteStream(`${path}.broken`, { flags: 'a', mode: PRIVATE_FILE }));
      }
      await file.truncate(end.bytes);
    } finally {
      await file.close();
    }
    const journal = new Journal(await open(path, 'a'), write);
    if (!end.isLineEnded) journal.#wait(Buffer.from('\n'));
    return journal;
  }

  async append(event: RunEvent): Promise<void> {
    if (this.#isClosed) return;
    this.#add(event);
    if (!DURABLE.has(event.type)) return;
    const synced = this.#synced.then(() => this.file.datasync());
    this.#synced = synced.catch(() => undefined);
    await synced;
  }

  async close(): Promise<void> {
    await this.#synced;
    this.#isClosed = true;
    try {
      this.#drain();
    } finally {
      await this.file.close();
    }
  }

  #add(line: object): void {
    this.#wait(Buffer.from(`${JSON.stringify(line)}\n`));
    this.#drain();
  }

  /** After an overflow nothing is written, because events need an unbroken sequence. */
  #wait(bytes: Buffer): void {
    if (this.#isCutShort || this.#waitingBytes + bytes.length > WAITING_BYTES) this.#isCutShort = true;
    else {
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
    }
  }

  #drain(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const written = this.write(this.file.fd, first);
      this.#waitingBytes -= written;
      if (written < first.length) this.#waiting[0] = first.subarray(written);
      else this.#waiting.shift();
    }
    if (this.#isCutShort) throw new Error('events were lost while the disk was full');
  }
}

interface JournalEnd {
  bytes: number;
  isLineEnded: boolean;
}

interface ScannedJournal {
  owner: string;
  owners: string[];
  lastAt: number | undefined;
  isFinished: boolean;
  torn: boolean;
  end: JournalEnd;
}

/** Unreadable lines are skipped. Undefined if it isn't a journal. */
export async function scanJournal(
  path: string,
  onEvent: (event: RunEvent) => void,
): Promise<ScannedJournal | undefined> {
  let journal: ScannedJournal | undefined;
  for await (const { text, end } of linesOf(path)) {
    if (journal === undefined) {
      const header = headerSchema.safeParse(jsonOf(text));
      if (!header.success) return undefined;
      const { owner } = header.data;
      journal = { owner, owners: [owner], lastAt: undefined, isFinished: false, torn: false, end };
      continue;
    }
    if (text !== '') {
      const event = runEventSchema.safeParse(jsonOf(text));
      if (!event.success) {
        journal.torn = true;
        continue;
      }
      const { type, at } = event.data;
      if (event.data.type === 'run-continued') {
        journal.owner = event.data.owner;
        journal.owners.push(journal.owner);
      }
      journal.lastAt = at;
      journal.isFinished = type === 'run-finished' || (journal.isFinished && type !== 'run-continued');
      onEvent(event.data);
    }
    journal.end = end;
  }
  return journal;
}

/** `text` is undefined for invalid UTF-8, and beyond `LINE_BYTES`, where reading ends. */
async function* linesOf(path: string): AsyncGenerator<{ text: string | undefined; end: JournalEnd }> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let bytes = 0;
  const input = createReadStream(path, { highWaterMark: 2 ** 18 });
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
        bytes += begunBytes + (to - from) + 1;
        yield {
          text: decoded([...begun, chunk.subarray(from, to)]),
          end: { bytes, isLineEnded: true },
        };
        from = to + 1;
        [begun, begunBytes] = [[], 0];
      }
      begun.push(chunk.subarray(from));
      begunBytes += chunk.length - from;
      if (begunBytes > LINE_BYTES) {
        yield { text: undefined, end: { bytes, isLineEnded: true } };
        return;
      }
    }
  } finally {
    input.destroy();
  }
  if (begunBytes > 0) {
    yield { text: decoded(begun), end: { bytes: bytes + begunBytes, isLineEnded: false } };
  }
}

function decoded(parts: Buffer[]): string | undefined {
  try {
    return UTF8.decode(Buffer.concat(parts));
  } catch {
    return undefined;
  }
}

export interface JournalledRun {
  journal: ScannedJournal;
  fold: RunFold;
}

export async function readRun(
  journalPath: string,
): Promise<(JournalledRun & { state: RunState }) | undefined> {
  const fold = new RunFold();
  const journal = await scanJournal(journalPath, (event) => fold.push(event)).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  const { state } = fold;
  return journal === undefined || state === undefined ? undefined : { journal, fold, state };
}

export function mayStillBeMeasured({ owner, isFinished }: ScannedJournal): boolean {
  return !isFinished && isOwnerAlive(owner) !== 'dead';
}

export function missingEnd({ journal, fold }: JournalledRun): RunEvent | undefined {
  if (journal.isFinished) return undefined;
  // A second stop ends the process before it can write the end.
  const isStopped = fold.state?.status === 'stopping';
  return {
    type: 'run-finished',
    at: journal.lastAt ?? 0,
    outcome: isStopped ? 'stopped' : 'failed',
    error: isStopped ? null : toErrorData(new BenchmarkError('CORE_LOST')),
  };
}
