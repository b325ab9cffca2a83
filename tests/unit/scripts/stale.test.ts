import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isStale } from '../../../scripts/build/stale.mjs';
import { newFolder } from '../../helpers/folders.ts';

const BUILT = 'out/cli/whalemark.cjs';
let root: string;

/** Seconds since 1970 at which something was last changed. */
function touch(path: string, at: number): void {
  utimesSync(join(root, path), at, at);
}
function write(path: string, at: number): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), '');
  touch(path, at);
}
const folders = ['src/shared/words', 'src/shared', 'src/renderer', 'presets'];

beforeEach(() => {
  root = newFolder();
  for (const file of [
    'src/shared/words/units.ts',
    'src/renderer/main.ts',
    'presets/one.yaml',
    'package.json',
  ])
    write(file, 1000);
  write(BUILT, 2000);
  for (const folder of folders) touch(folder, 1000);
});

describe('what was built', () => {
  it('is good as long as nothing that it is made of is newer', () => {
    expect(isStale(BUILT, root)).toBe(false);
    write('src/renderer/main.ts', 3000);
    expect(isStale(BUILT, root), 'the window is not the terminal').toBe(false);
  });

  it.each(['src/shared/words/units.ts', 'presets/one.yaml', 'package.json'])(
    'is stale when %s is newer',
    (file) => {
      touch(file, 3000);
      expect(isStale(BUILT, root)).toBe(true);
    },
  );

  it('is stale when a file has gone', () => {
    rmSync(join(root, 'presets/one.yaml'));
    expect(isStale(BUILT, root)).toBe(true);
  });

  it('is stale when it is not there', () => {
    rmSync(join(root, BUILT));
    expect(isStale(BUILT, root)).toBe(true);
  });
});
