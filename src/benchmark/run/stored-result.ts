import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BenchmarkError } from '../../shared/errors.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { parseResult, parseResultValue, resultPieces, ResultLines } from '../../shared/result-file.ts';

/** From this size on a file is read line by line: no text can be longer than 512 MiB (V8), and a long run's is. */
const LARGE_BYTES = 64 * 2 ** 20;
const CHUNK_CHARS = 2 ** 20;
/** A few packed bytes can stand for gigabytes. The longest results are too long for one text, so they are never packed. */
const LARGEST_UNPACKED = 256 * 2 ** 20;

/** Reads any result file, packed with gzip or not. Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW. */
export async function readResultFile(path: string, name: string): Promise<RunState> {
  try {
    if (path.endsWith('.gz')) return parseResult(await unpacked(path), name);
    const { size } = await stat(path);
    const value = size < LARGE_BYTES ? undefined : await readByLines(path);
    // Not in our lines, or broken: then the whole text tells what is wrong.
    return value === undefined
      ? parseResult(await readFile(path, 'utf8'), name)
      : parseResultValue(value, name);
  } catch (cause) {
    if (cause instanceof BenchmarkError) throw cause;
    const reason = whyNot(cause);
    throw new BenchmarkError('RESULT_UNREADABLE', { name, reason }, { cause });
  }
}

async function unpacked(path: string): Promise<string> {
  const options = { maxOutputLength: LARGEST_UNPACKED };
  return (await promisify(gunzip)(await readFile(path), options)).toString('utf8');
}

function whyNot(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  if (code === 'ERR_BUFFER_TOO_LARGE') return `it unpacks to more than ${LARGEST_UNPACKED / 2 ** 20} MiB`;
  if (code === 'Z_BUF_ERROR') return 'it ends in the middle of what was packed with gzip';
  return code.startsWith('Z_') ? `it is not packed with gzip, or broken (${code})` : code;
}

async function readByLines(path: string): Promise<unknown> {
  const lines = new ResultLines();
  const input = createReadStream(path, 'utf8');
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (!lines.add(line)) return undefined;
    }
  } finally {
    input.destroy();
  }
  return lines.value();
}

/** Writes a result file in pieces: as one text a run of many hours would be too long for V8. */
export async function writeResultFile(path: string, state: RunState): Promise<void> {
  const file = await open(path, 'w');
  try {
    let chunk = '';
    for (const piece of resultPieces(state)) {
      chunk += piece;
      if (chunk.length < CHUNK_CHARS) continue;
      await file.write(chunk);
      chunk = '';
    }
    await file.write(chunk);
  } finally {
    await file.close();
  }
}
