import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../replace-file.ts';

/** In the data folder: other folders in which runs made theirs, so that what a dead run left there is found. */
const OTHERS = 'bind-roots.json';
/** Nobody has more disks. */
const MOST = 50;

/** Where bind mounts are made unless the preset names a folder. */
export function defaultBindRoot(dataDir: string): string {
  return join(dataDir, 'bind');
}

/** Every folder in which runs of this data folder made theirs: the default one first, then those of presets, latest first. */
export async function knownBindRoots(dataDir: string): Promise<string[]> {
  const others = await readFile(join(dataDir, OTHERS), 'utf8')
    .then((text) => z.array(z.string()).parse(JSON.parse(text)))
    .catch(() => []);
  return [...new Set([defaultBindRoot(dataDir), ...others])];
}

/** Remembers a folder that a preset names, before anything is made in there. Rejects when the data folder can't be written. */
export async function rememberBindRoot(dataDir: string, root: string): Promise<void> {
  const [own, ...others] = await knownBindRoots(dataDir);
  if (root === own || root === others[0]) return;
  const kept = [root, ...others.filter((other) => other !== root)].slice(0, MOST);
  await mkdir(dataDir, { recursive: true });
  await replaceFile(join(dataDir, OTHERS), (draft) => writeFile(draft, `${JSON.stringify(kept, null, 2)}\n`));
}
