import { writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { migratedEvent } from '../../shared/result-migration.ts';
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

/**
 * The run's events on disk, one JSON object a line; append only. A line is handed to the operating system before
 * `append` returns, so that what anybody was told of survives `kill -9`; waiting for the disk goes on behind.
 */
export class Journal {
  readonly #file: FileHandle;
  #synced: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Starts a journal; `owner` is the label value of this process, so that others can tell whether it is alive. */
  static async create(path: string, owner: string): Promise<Journal> {
    const journal = new Journal(await open(path, 'ax'));
    writeSync(journal.#file.fd, `${JSON.stringify({ format: FORMAT, version: 1, owner })}\n`);
    await journal.#file.datasync();
    return journal;
  }

  /** Appends an event. Rejects when it can't be written, a full disk for example. */
  async append(event: RunEvent): Promise<void> {
    writeSync(this.#file.fd, `${JSON.stringify(event)}\n`);
    if (!DURABLE.has(event.type)) return;
    const synced = this.#synced.then(() => this.#file.datasync());
    this.#synced = synced.catch(() => undefined);
    await synced;
  }

  async close(): Promise<void> {
    await this.#synced;
    await this.#file.close();
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
    const event = runEventSchema.safeParse(migratedEvent(parseLine(line)));
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
