import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll } from 'vitest';

/** A folder for the tests of a file, removed after them. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'whalemark-compose-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes an executable program, whose text is JavaScript. */
export function program(file: string, script: string, mode = 0o755): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!${process.execPath}\n${script}\n`);
  chmodSync(file, mode);
  return file;
}
