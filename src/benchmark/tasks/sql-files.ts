import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';
import { type Message, msg } from '../../shared/message.ts';
import { errnoOf } from '../files/failures.ts';

export interface SqlFile {
  bytes: number;
  open(): AsyncIterable<Uint8Array>;
}

const SQL = /\.sql(\.gz|\.zst)?$/i;
const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTANDARD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** A file of a few KiB may unpack to more than any disk holds. */
const MOST_TIMES = 200;

/**
 * A dump, or the .sql files of a folder by name. Reads compressed ones for their size. Rejects with
 * DUMP_UNREADABLE.
 */
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
  const { size } = await stat(path);
  const unpack = await unpackerOf(path);
  if (unpack === undefined) return { bytes: size, open: () => createReadStream(path) };
  const open = (): AsyncIterable<Uint8Array> => {
    const packed = createReadStream(path);
    const plain = packed.pipe(unpack());
    packed.on('error', (error) => plain.destroy(error));
    return plain as Readable;
  };
  let bytes = 0;
  let first: Uint8Array | undefined;
  try {
    for await (const chunk of open()) {
      first ??= chunk;
      bytes += chunk.length;
      if (bytes > MOST_TIMES * Math.max(size, 2 ** 20)) throw unreadable(path, msg('task.unpacksTooLarge'));
    }
  } catch (error) {
    if (error instanceof BenchmarkError) throw error;
    throw unreadable(path, msg('task.damaged', { reason: messageOf(error) }));
  }
  if (
    first !== undefined &&
    [GZIP, ZSTANDARD].some((magic) => magic.equals(first.subarray(0, magic.length)))
  ) {
    throw unreadable(path, msg('task.compressedTwice'));
  }
  return { bytes, open };
}

/** By its first bytes, whatever its name. */
async function unpackerOf(path: string): Promise<(() => Transform) | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head.subarray(0, 2).equals(GZIP)) return zlib.createGunzip;
    if (head.equals(ZSTANDARD)) {
      // Node has it since 22.15.
      const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };
      if (createZstdDecompress === undefined) throw unreadable(path, msg('task.noZstandard'));
      return createZstdDecompress;
    }
    return undefined;
  } finally {
    await file.close();
  }
}

function unreadable(path: string, reason: Message | string): BenchmarkError {
  return new BenchmarkError('DUMP_UNREADABLE', { file: basename(path), reason });
}
