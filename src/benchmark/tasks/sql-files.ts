import { type FileHandle, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';
import { type Message, msg } from '../../shared/message.ts';
import { errnoOf } from '../files/failures.ts';
import { openRegularFile } from '../files/regular-file.ts';
import { HEAD_BYTES, notSql } from './sql-format.ts';
import type { SqlFile } from '../context/own-task.ts';

const SQL = /\.sql(\.gz|\.zst)?$/i;
const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTANDARD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** A few KiB may unpack to more than a disk holds. */
const MOST_TIMES = 200;

/** Files come by name; compressed ones are read for their size. Rejects with DUMP_UNREADABLE. */
export async function sqlFiles(path: string): Promise<SqlFile[]> {
  const files: SqlFile[] = [];
  try {
    const isFolder = (await stat(path)).isDirectory();
    const names = isFolder ? (await readdir(path)).filter((name) => SQL.test(name)).sort() : [''];
    if (names.length === 0) throw unreadable(path, msg('task.noSqlFiles'));
    for (const name of names) files.push(await sqlFile(join(path, name)));
  } catch (error) {
    if (error instanceof BenchmarkError) throw error;
    throw unreadable(path, errnoOf(error) === 'ENOENT' ? msg('task.noFile') : messageOf(error));
  }
  if (bytesOf(files) === 0) throw unreadable(path, msg('task.empty'));
  return files;
}

export function bytesOf(files: readonly SqlFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function sqlFile(path: string): Promise<SqlFile> {
  const { size, head } = await headOf(path);
  const unpack = unpackerOf(path, head);
  const open = (): AsyncIterable<Uint8Array> => contentOf(path, unpack);
  if (unpack === undefined) {
    requireSql(path, head);
    return { bytes: size, open };
  }
  let bytes = 0;
  let begin = Buffer.alloc(0);
  try {
    for await (const chunk of open()) {
      if (begin.length < HEAD_BYTES) begin = Buffer.concat([begin, chunk]).subarray(0, HEAD_BYTES);
      bytes += chunk.length;
      if (bytes > MOST_TIMES * Math.max(size, 2 ** 20)) throw unreadable(path, msg('task.unpacksTooLarge'));
    }
  } catch (error) {
    if (error instanceof BenchmarkError) throw error;
    throw unreadable(path, msg('task.damaged', { reason: messageOf(error) }));
  }
  if ([GZIP, ZSTANDARD].some((magic) => begin.subarray(0, magic.length).equals(magic))) {
    throw unreadable(path, msg('task.compressedTwice'));
  }
  requireSql(path, begin);
  return { bytes, open };
}

function requireSql(path: string, head: Buffer): void {
  const reason = notSql(head);
  if (reason !== undefined) throw unreadable(path, reason);
}

async function regularFile(path: string): Promise<FileHandle> {
  const file = await openRegularFile(path);
  if (file === undefined) throw unreadable(path, msg('file.noFile'));
  return file;
}

async function headOf(path: string): Promise<{ size: number; head: Buffer }> {
  const file = await regularFile(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { size, head: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

async function* contentOf(path: string, unpack: (() => Transform) | undefined): AsyncGenerator<Uint8Array> {
  // The stream closes the file.
  const packed = (await regularFile(path)).createReadStream();
  try {
    if (unpack === undefined) yield* packed as AsyncIterable<Uint8Array>;
    else {
      const plain = packed.pipe(unpack());
      packed.on('error', (error) => plain.destroy(error));
      yield* plain as AsyncIterable<Uint8Array>;
    }
  } finally {
    packed.destroy();
  }
}

/** First bytes decide, whatever the name. */
function unpackerOf(path: string, head: Buffer): (() => Transform) | undefined {
  if (head.subarray(0, GZIP.length).equals(GZIP)) return zlib.createGunzip;
  if (!head.subarray(0, ZSTANDARD.length).equals(ZSTANDARD)) return undefined;
  // Node has zstd since 22.15.
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };
  if (createZstdDecompress === undefined) throw unreadable(path, msg('task.noZstandard'));
  return createZstdDecompress;
}

function unreadable(path: string, reason: Message | string): BenchmarkError {
  return new BenchmarkError('DUMP_UNREADABLE', { file: basename(path), reason });
}
