import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { replaceFileNow } from '../files/replace-file.ts';
import { writingAt } from '../files/write-failure.ts';
import { isOwnerAlive, takeForEnded } from './owner.ts';

/** In the data folder: the owners of which its user has said that they have ended. */
const FILE = 'ended-owners.json';
const MOST = 1000;

/** Takes the user's word of earlier sessions. What can't be read is as if nothing had been said. */
export function knowEndedOwners(dataDir: string): void {
  takeForEnded(read(dataDir));
}

/** Takes the user's word for owners that can't be seen from here, for good. Rejects with DATA_FOLDER_UNWRITABLE. */
export async function rememberEndedOwners(dataDir: string, owners: readonly string[]): Promise<void> {
  const unknown = owners.filter((owner) => isOwnerAlive(owner) === 'unknown');
  if (unknown.length === 0) return;
  const all = [...new Set([...read(dataDir), ...unknown])].slice(-MOST);
  await writingAt(join(dataDir, FILE), 'DATA_FOLDER_UNWRITABLE', async () => {
    mkdirSync(dataDir, PRIVATE_FOLDER);
    replaceFileNow(join(dataDir, FILE), `${JSON.stringify(all)}\n`);
  });
  takeForEnded(unknown);
}

function read(dataDir: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')));
  } catch {
    return [];
  }
}
