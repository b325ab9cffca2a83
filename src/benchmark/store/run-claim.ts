import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../files/data-dir.ts';
import { isOwnerAlive } from '../owners/owner.ts';
import { errnoOf, ifThere, namesIn } from '../files/failures.ts';

const CLAIM = /^claim-([1-9]\d{0,8})$/;

interface RunClaim {
  release(): Promise<void>;
}

/**
 * Undefined while a live or invisible process holds a claim. Of two concurrent processes at least one gives
 * up. An ended process's claim marks an unfinished run.
 */
export async function claimRun(directory: string, owner: string): Promise<RunClaim | undefined> {
  const before = await claims(directory);
  const last = before.at(-1);
  if (last !== undefined && (await holder(directory, last)) !== undefined) return undefined;
  const number = (last ?? 0) + 1;
  const own = join(directory, `claim-${number}`);
  if (!(await madeWhole(own, owner))) return undefined;
  for (const other of await claims(directory)) {
    if (other === number || (await holder(directory, other)) === undefined) continue;
    await rm(own, { force: true });
    return undefined;
  }
  return {
    async release() {
      for (const one of [...before, number]) await rm(join(directory, `claim-${one}`), { force: true });
    },
  };
}

export interface HeldClaim {
  owner: string;
  since: number;
}

export async function claimOf(directory: string): Promise<'none' | 'left' | HeldClaim> {
  const last = (await claims(directory)).at(-1);
  if (last === undefined) return 'none';
  const owner = await holder(directory, last);
  if (owner === undefined) return 'left';
  const { mtimeMs } = await stat(join(directory, `claim-${last}`)).catch(() => ({ mtimeMs: Date.now() }));
  return { owner, since: mtimeMs };
}

async function claims(directory: string): Promise<number[]> {
  const names = await namesIn(directory);
  const numbers = names.flatMap((name) => CLAIM.exec(name)?.slice(1, 2) ?? []);
  return numbers.map(Number).sort((a, b) => a - b);
}

async function holder(directory: string, number: number): Promise<string | undefined> {
  const path = join(directory, `claim-${number}`);
  const text = await ifThere(path, (at) => readFile(at, 'utf8'));
  if (text === undefined) return undefined;
  return isOwnerAlive(text) === 'dead' ? undefined : text;
}

/** The file appears with its text; false if the name is taken. */
async function madeWhole(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  const file = await open(draft, 'wx', PRIVATE_FILE);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path).catch(async (error: unknown) => {
      if (errnoOf(error) === 'EEXIST') throw error;
      // The file system has no links.
      await copyFile(draft, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
