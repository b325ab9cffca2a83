import { gzipSync } from 'node:zlib';
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack } from 'tar-stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { sqlFiles } from '../../../../src/benchmark/tasks/sql-files.ts';
import type { SqlFile } from '../../../../src/benchmark/context/own-task.ts';
import { newFolder } from '../../../helpers/folders.ts';

let folder = '';
beforeEach(() => (folder = newFolder()));
/** A MiB; compressed contents may follow each other. */
const MIB = gzipSync(Buffer.alloc(2 ** 20));
const UTF_16 = Buffer.from('CREATE', 'utf16le');

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

function linked(name: string, target: string): string {
  const path = join(folder, name);
  symlinkSync(target, path);
  return path;
}

async function tarOf(name: string): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name }, 'SELECT 1;');
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A local file header, with which a zip archive begins. */
function zipOf(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

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

  it.each<[string, () => string, string]>([
    ['a missing file', () => join(folder, 'none.sql'), 'task.noFile'],
    ['a folder without SQL', () => folder, 'task.noSqlFiles'],
    ['an empty file', () => written('empty.sql', ''), 'task.empty'],
    ['a file cut in the middle', () => written('cut.gz', MIB.subarray(0, 30)), 'task.damaged'],
    ['a file compressed twice', () => written('twice.gz', gzipSync(MIB)), 'task.compressedTwice'],
    ['a named pipe', () => pipe('a.sql'), 'file.noFile'],
    ['a folder with a named pipe', () => dirname(pipe('a.sql')), 'file.noFile'],
    ['a link to a device', () => linked('a.sql', '/dev/zero'), 'file.noFile'],
    ['a folder with a link to the kernel', () => dirname(linked('a.sql', '/proc/kmsg')), 'file.noFile'],
    ['UTF-16', () => written('a.sql', Buffer.from('\ufeffCREATE', 'utf16le')), 'task.utf16'],
    ['UTF-16 without its mark', () => written('a.sql', UTF_16), 'task.utf16'],
    ['compressed UTF-16', () => written('a.sql.gz', gzipSync(UTF_16)), 'task.utf16'],
    ['xz', () => written('a.sql', Buffer.from('fd377a585a000004', 'hex')), 'task.packed'],
    ['bzip2', () => written('a.sql', 'BZh91AY'), 'task.packed'],
    ['a zip bomb', () => written('bomb.gz', Buffer.concat(Array(210).fill(MIB))), 'task.unpacksTooLarge'],
  ])('refuses %s', async (_, make, code) => {
    await expect(sqlFiles(make())).rejects.toMatchObject({
      code: 'DUMP_UNREADABLE',
      params: { reason: { code } },
    });
  });

  it('names what is in an archive that it refuses, if it can be shown', async () => {
    for (const [format, make] of [
      ['tar', tarOf],
      ['zip', zipOf],
      ['tar', async (name: string) => gzipSync(await tarOf(name))],
    ] as const) {
      const plain = sqlFiles(written('a.sql', await make('shop/plain.sql')));
      await expect(plain).rejects.toMatchObject({
        params: { reason: { code: 'task.packedWith', params: { format, name: 'shop/plain.sql' } } },
      });
      const odd = sqlFiles(written('a.sql', await make('\u001b[2Jplain.sql')));
      await expect(odd).rejects.toMatchObject({
        params: { reason: { code: 'task.packed', params: { format } } },
      });
    }
  });
});
