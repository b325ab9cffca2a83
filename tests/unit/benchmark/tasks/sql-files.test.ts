import { gzipSync } from 'node:zlib';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlFiles, type SqlFile } from '../../../../src/benchmark/tasks/sql-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whalemark-sql-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function textOf({ open }: SqlFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('SQL of the user', () => {
  it('is read from a plain and from a compressed file, whatever its name', async () => {
    for (const path of [written('a.sql', 'SELECT 1;'), written('b.dump', gzipSync('SELECT 1;'))]) {
      const [file] = await sqlFiles(path);
      if (file === undefined) throw new Error('no file');
      expect(file.bytes).toBe(9);
      expect(await textOf(file)).toBe('SELECT 1;');
    }
  });

  it('is taken from a folder in the order of the names, without other files', async () => {
    written('2.sql', 'two');
    written('1.sql.gz', gzipSync('one'));
    written('notes.txt', 'x');
    expect(await Promise.all((await sqlFiles(folder)).map(textOf))).toEqual(['one', 'two']);
  });

  it('is taken from a folder of thousands of files', async () => {
    const name = (number: number): string => `${String(number).padStart(4, '0')}.sql`;
    for (let number = 2000; number > 0; number--) written(name(number), String(number));
    const files = await sqlFiles(folder);
    expect(await Promise.all([0, 999, 1999].map((at) => textOf(files[at] as SqlFile)))).toEqual([
      '1',
      '1000',
      '2000',
    ]);
  });

  it.each<[string, () => string, string]>([
    ['a missing file', () => join(folder, 'none.sql'), 'task.noFile'],
    ['a folder without SQL', () => folder, 'task.noSqlFiles'],
    ['an empty file', () => written('empty.sql', ''), 'task.empty'],
    [
      'a file cut in the middle',
      () => written('cut.gz', gzipSync('SELECT 1;'.repeat(99)).subarray(0, 30)),
      'task.damaged',
    ],
    [
      'a file that is compressed twice',
      () => written('twice.gz', gzipSync(gzipSync('SELECT 1;'))),
      'task.compressedTwice',
    ],
    ['a zip bomb', () => written('bomb.gz', gzipSync(Buffer.alloc(300 * 2 ** 20))), 'task.unpacksTooLarge'],
  ])('refuses %s', async (_, make, code) => {
    await expect(sqlFiles(make())).rejects.toMatchObject({
      code: 'DUMP_UNREADABLE',
      params: { reason: { code } },
    });
  });
});
