import { open, type FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { runEventSchema, type RunEvent } from '../../shared/model/events.ts';

const FORMAT = 'whalemark-journal';
const headerSchema = z.object({ format: z.literal(FORMAT), version: z.literal(1), owner: z.string() });

/** Events after which the journal is forced to disk: what came before must survive a crash. */
const DURABLE: ReadonlySet<RunEvent['type']> = new Set([
  'run-started',
  'trial-finished',
  'trial-failed',
  'run-finished',
]);

/** The run's events on disk, one JSON object a line; append only. */
export class Journal {
  readonly #file: FileHandle;
  #tail: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Starts a journal; `owner` is the label value of this process, so that others can tell whether it is alive. */
  static async create(path: string, owner: string): Promise<Journal> {
    const journal = new Journal(await open(path, 'ax'));
    await journal.#write(JSON.stringify({ format: FORMAT, version: 1, owner }), true);
    return journal;
  }

  /** Goes on with the journal of a dead process. */
  static async reopen(path: string): Promise<Journal> {
    return new Journal(await open(path, 'a'));
  }

  /** Appends in order; resolves when the event is written. A full disk rejects, and the run goes on without. */
  append(event: RunEvent): Promise<void> {
    const write = this.#tail.then(() => this.#write(JSON.stringify(event), DURABLE.has(event.type)));
    this.#tail = write.catch(() => undefined);
    return write;
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#file.close();
  }

  async #write(line: string, durable: boolean): Promise<void> {
    await this.#file.write(`${line}\n`);
    if (durable) await this.#file.datasync();
  }
}

/**
 * The events of a journal's text. A torn last line is dropped, so is everything from the first line on that can't
 * be read: events are only meaningful in an unbroken row. Undefined when it is no journal.
 */
export function readJournal(text: string): { owner: string; events: RunEvent[]; torn: boolean } | undefined {
  const lines = text.split('\n');
  const header = headerSchema.safeParse(parseLine(lines[0]));
  if (!header.success) return undefined;
  const events: RunEvent[] = [];
  let torn = false;
  for (const line of lines.slice(1)) {
    if (line === '') continue;
    const event = runEventSchema.safeParse(parseLine(line));
    if (!event.success) {
      torn = true;
      break;
    }
    events.push(event.data);
  }
  return { owner: header.data.owner, events, torn };
}

function parseLine(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}
