import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { readImportFile, readImportStream } from '../../../../src/benchmark/import/import-source.ts';
import { importSysbench } from '../../../../src/benchmark/import/sysbench-text.ts';
import { fixture, FIXTURES } from './fixtures.ts';
import { newFolder } from '../../../helpers/folders.ts';

let home: string;
beforeEach(() => (home = newFolder()));

describe('where the text comes from', () => {
  it('a file, also as Windows PowerShell redirects into it', async () => {
    const text = fixture('1.0-real-plain');
    expect(await readImportFile(`${FIXTURES}/1.0-real-plain.txt`)).toBe(text);
    const path = join(home, 'redirected.txt');
    await writeFile(path, Buffer.from(`\uFEFF${text}`, 'utf16le'));
    expect(importSysbench(await readImportFile(path))).toEqual(importSysbench(text));
  });

  it('a stream whose parts break anywhere', async () => {
    const bytes = Buffer.from('µ'.repeat(10));
    expect(await readImportStream(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]))).toBe(
      'µ'.repeat(10),
    );
  });

  it('refuses what is not there, a folder, and what is too large', async () => {
    await expect(readImportFile(join(home, 'none'))).rejects.toThrow(/the file doesn’t exist/);
    await expect(readImportFile(home)).rejects.toThrow(/it is a folder/);
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(2 ** 22);
      })(),
    );
    await expect(readImportStream(endless)).rejects.toThrow(/larger than 64 MiB/);
  });
});
