import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PRIVATE_FOLDER } from '../../files/data-dir.ts';
import { ifThere, namesIn } from '../../files/failures.ts';
import { replaceFile } from '../../files/replace-file.ts';

/**
 * In the data folder: other folders in which runs made theirs, so that what a dead run left there is found. One file for
 * each, so that two processes that remember something at the same time take nothing from each other.
 */
export const BIND_ROOTS = 'bind-roots';
const ENTRY = /^[0-9a-f]{16}\.json$/;
const entrySchema = z.object({ path: z.string(), at: z.number() });
const MOST = 50;

interface Entry {
  file: string;
  path: string;
  /** When it was named last, ms since 1970. */
  at: number;
}

/** Where bind mounts are made unless the preset names a folder. */
export function defaultBindRoot(dataDir: string): string {
  return join(dataDir, 'bind');
}

/**
 * Every folder in which runs of this data folder made theirs: the default one first, then those of presets, latest first.
 * What is broken counts as none; rejects where something can't be read.
 */
export async function knownBindRoots(dataDir: string): Promise<string[]> {
  const others = (await entries(dataDir)).slice(0, MOST).map(({ path }) => path);
  return [...new Set([defaultBindRoot(dataDir), ...others])];
}

/** Remembers a folder that a preset names, before anything is made in there. Rejects when the data folder can't be written. */
export async function rememberBindRoot(dataDir: string, root: string): Promise<void> {
  if (root === defaultBindRoot(dataDir)) return;
  // What can't be read keeps nothing from being remembered, and is not touched.
  const known = await entries(dataDir).catch((): Entry[] => []);
  const [latest] = known;
  if (latest?.path === root) return;
  const folder = join(dataDir, BIND_ROOTS);
  await mkdir(folder, PRIVATE_FOLDER);
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  // A clock may stand still for a while, or be set back.
  const entry = { path: root, at: Math.max(Date.now(), (latest?.at ?? 0) + 1) };
  await replaceFile(join(folder, `${name}.json`), (draft) => writeFile(draft, `${JSON.stringify(entry)}\n`));
  const surplus = known.filter(({ path }) => path !== root).slice(MOST - 1);
  for (const { file } of surplus) await rm(file, { force: true }).catch(() => undefined);
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8');

/** All that is remembered, latest first, each folder once. */
async function entries(dataDir: string): Promise<Entry[]> {
  const folder = join(dataDir, BIND_ROOTS);
  const found: Entry[] = [];
  for (const name of await namesIn(folder)) {
    if (!ENTRY.test(name)) continue;
    const file = join(folder, name);
    const entry = entrySchema.safeParse(parsed(await ifThere(file, readText))).data;
    if (entry !== undefined) found.push({ file, ...entry });
  }
  return found.sort((a, b) => b.at - a.at);
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
