import { readJournal } from '../../../src/benchmark/run/journal.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';

/** A journal of this text, however journals are read; undefined when it is none. */
export function readJournalText(text: string): Promise<{ events: RunEvent[] } | undefined> {
  return Promise.resolve(readJournal(text));
}
