import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for one file's tests, removed after them. */
export function tempDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'whalemark-fuzz-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
