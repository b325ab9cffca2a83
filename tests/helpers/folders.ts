import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder for a test, also made before it, and removed after it. */
export function newFolder(): string {
  const folder = made();
  onTestFinished(() => removed(folder));
  return folder;
}

/** A folder for all tests of a file or `describe`, removed after them. */
export function sharedFolder(): string {
  const folder = made();
  afterAll(() => removed(folder));
  return folder;
}

function made(): string {
  return mkdtempSync(join(realpathSync(tmpdir()), 'whalemark-test-'));
}

function removed(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
