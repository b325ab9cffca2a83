import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveToNobody, IS_SANDBOXED } from './sandboxed.ts';

const made: string[] = [];

/** A new temporary folder, which goes when the test has ended, whatever happens. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `whalemark-${name}-`));
  made.push(folder);
  if (IS_SANDBOXED) giveToNobody(folder);
  return folder;
}

/** Removes the test's folders. Its apps must have ended, or they would make them again. */
export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
