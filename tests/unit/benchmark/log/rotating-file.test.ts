import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeEntry } from '../../../../scripts/build/node-entry.mjs';
import { RotatingFile, setAside } from '../../../../src/benchmark/log/rotating-file.ts';
import { newFolder } from '../../../helpers/folders.ts';

const told = (lines: number): string => `missing: ${lines}`;

describe('a rotating file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = newFolder();
    path = join(folder, 'logs', 'whalemark.log');
  });
  const modeOf = (file: string): number => statSync(file).mode & 0o777;
  const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);

  it('makes its folder, is its user’s alone, and goes on where an earlier process ended', () => {
    for (const name of ['earlier', 'later']) {
      const file = new RotatingFile(path, told);
      file.append(`${name} 1`);
      file.append(`${name} 2`);
    }
    expect(linesOf(path)).toEqual(['earlier 1', 'earlier 2', 'later 1', 'later 2']);
    expect(modeOf(path)).toBe(0o600);
    expect(modeOf(join(folder, 'logs'))).toBe(0o700);
  });

  it('is put aside before it grows too large, and the oldest goes', () => {
    const rotation = { maxBytes: 100, files: 3 };
    const file = new RotatingFile(path, told, rotation);
    for (let index = 0; index < 40; index++) file.append(`line ${String(index).padStart(3, '0')}`);
    const all = [...setAside(path), path];
    expect(readdirSync(join(folder, 'logs'))).toHaveLength(rotation.files);
    for (const one of all) {
      expect(statSync(one).size).toBeLessThanOrEqual(rotation.maxBytes);
      expect(modeOf(one)).toBe(0o600);
    }
    // Nine bytes each: eleven fit into a file, and 40 leave the last of the fourth.
    expect(all.flatMap(linesOf)).toEqual(
      Array.from({ length: 29 }, (_, index) => `line ${String(index + 11).padStart(3, '0')}`),
    );
  });

  it('takes a line that is larger than a file may be', () => {
    const file = new RotatingFile(path, told, { maxBytes: 10, files: 5 });
    for (const letter of ['a', 'b']) file.append(letter.repeat(50));
    expect([...setAside(path), path].flatMap(linesOf)).toEqual(['a'.repeat(50), 'b'.repeat(50)]);
  });

  it('loses and tears no line of several processes that rotate it at the same time', async () => {
    const entry = 'tests/unit/benchmark/log/writer-main.ts';
    await build(nodeEntry({ entry, outDir: folder, fileName: 'writer.cjs', target: 'node20' }));
    const names = ['main', 'core', 'cli'];
    const lines = 400;
    await Promise.all(
      names.map(async (name) => {
        const args = [join(folder, 'writer.cjs'), path, name, String(lines), '5000'];
        const child = spawn(process.execPath, args, { stdio: 'inherit' });
        expect(await once(child, 'exit')).toEqual([0, null]);
      }),
    );
    const files = [...setAside(path), path];
    expect(files.length).toBeGreaterThan(10);
    const written = files.flatMap(linesOf);
    const expected = names.flatMap((name) =>
      Array.from({ length: lines }, (_, index) => `${name} ${index} ${'x'.repeat(20 + (index % 50))} end`),
    );
    expect(written.sort()).toEqual(expected.sort());
  });

  it('that can’t be written disturbs nobody, and tells later how much is missing', () => {
    writeFileSync(join(folder, 'logs'), 'a file where the folder should be');
    const file = new RotatingFile(path, told);
    for (const line of ['a', 'b', 'c', 'd']) file.append(line);
    rmSync(join(folder, 'logs'));
    file.append('e');
    expect(linesOf(path)).toEqual(['', 'missing: 4', 'e']);
  });
});
