import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { DatasetRecords } from '../../../../src/benchmark/servers/dataset/dataset-records.ts';
import { readImportFile, readImportStream } from '../../../../src/benchmark/import/import-source.ts';
import { ImportStore } from '../../../../src/benchmark/import/import-store.ts';
import { importSysbench } from '../../../../src/benchmark/import/sysbench-text.ts';
import { RunStore } from '../../../../src/benchmark/store/run-store.ts';
import { fixture, FIXTURES } from './fixtures.ts';
import { newFolder } from '../../../helpers/folders.ts';

let home: string;
beforeEach(() => (home = newFolder()));

const runs = importSysbench(fixture('1.0-real-intervals'));

describe('the store of imports', () => {
  it('keeps a file whole', async () => {
    const store = new ImportStore(home);
    const { file, path } = await store.save('old.txt', runs, new Date('2026-03-01T10:20:30Z'));
    expect(path).toMatch(/runs[\\/]import-20260301-102030-[0-9a-f]{8}\.json$/);
    expect(file).toMatchObject({ format: 'whalemark-import', version: 1, name: 'old.txt', runs });
    expect(await store.load(file.id)).toEqual(file);
    expect(await readdir(join(home, 'runs'))).toEqual([`${file.id}.json`]);
  });

  it('says when its folder can’t be read, which is not an empty one', async () => {
    await writeFile(join(home, 'runs'), 'a file where the folder should be');
    await expect(new ImportStore(home).recent(3)).rejects.toMatchObject({ code: 'DATA_FOLDER_UNREADABLE' });
    const records = new DatasetRecords(join(home, 'runs'));
    await expect(records.all()).rejects.toMatchObject({ code: 'DATA_FOLDER_UNREADABLE' });
    expect(await new ImportStore(join(home, 'none')).recent(3)).toEqual([]);
  });

  it('lists the newest first and leaves out what can’t be read', async () => {
    const store = new ImportStore(home);
    expect(await store.recent(5)).toEqual([]);
    const saved = [];
    for (const second of [1, 3, 2]) {
      saved.push((await store.save(`at ${second}`, runs, new Date(`2026-03-01T10:00:0${second}Z`))).file);
    }
    await writeFile(join(home, 'runs', 'import-20260301-100009-00000000.json'), '{');
    await writeFile(join(home, 'runs', 'import-20260301-100008-00000000.json.tmp'), '');
    await mkdir(join(home, 'runs', '20260301-100000-abcd'));
    expect(await store.recent(2)).toEqual([
      { id: saved[1]?.id, name: 'at 3', importedAt: saved[1]?.importedAt, runs: 1 },
      { id: saved[2]?.id, name: 'at 2', importedAt: saved[2]?.importedAt, runs: 1 },
    ]);
  });

  it('does not disturb the store of runs', async () => {
    await new ImportStore(home).save('x', runs, new Date());
    const store = new RunStore(home);
    expect(await store.recent(5)).toEqual([]);
    expect(await store.recover()).toEqual([]);
  });

  it('refuses foreign ids, broken files and later versions', async () => {
    const store = new ImportStore(home);
    const { file, path } = await store.save('x', runs, new Date());
    await expect(store.load('../../etc/passwd')).rejects.toMatchObject({ code: 'RESULT_UNREADABLE' });
    await expect(store.load('import-20260301-100000-00000000')).rejects.toMatchObject({
      code: 'RESULT_UNREADABLE',
    });
    await writeFile(path, JSON.stringify({ ...file, version: 2 }));
    await expect(store.load(file.id)).rejects.toMatchObject({ code: 'RESULT_TOO_NEW' });
    await writeFile(path, JSON.stringify({ ...file, runs: [{ tps: 'many' }] }));
    await expect(store.load(file.id)).rejects.toThrow(/runs\.0\.tps/);
    expect(JSON.parse(await readFile(path, 'utf8'))).toHaveProperty('id', file.id);
  });
});

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
