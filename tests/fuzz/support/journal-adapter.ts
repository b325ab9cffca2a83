import { readJournal } from '../../helpers/journals.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import { sharedFolder } from '../../helpers/folders.ts';

const path = join(sharedFolder(), 'journal.ndjson');

/** A journal of this text, however journals are read; undefined when it is none. */
export async function readJournalText(text: string): Promise<{ events: RunEvent[] } | undefined> {
  await writeFile(path, text);
  return readJournal(path);
}
