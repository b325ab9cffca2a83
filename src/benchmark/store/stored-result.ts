import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { msg, type Said } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { parseResult, parseResultValue, resultPieces, ResultLines } from './result-file.ts';
import { errnoOf } from '../files/failures.ts';
import { mayStillBeMeasured, missingEnd, readRun, type JournalledRun } from './journal.ts';

const LARGE_BYTES = 64 * 2 ** 20;
const CHUNK_CHARS = 2 ** 20;
const MOST_BYTES = 2 * 2 ** 30;
/** Protects against gzip bombs; the longest runs are never packed. */
const MOST_UNPACKED_BYTES = 256 * 2 ** 20;

export async function readResultHere(
  path: string,
  name: string,
  mostUnpacked = MOST_UNPACKED_BYTES,
): Promise<RunState> {
  try {
    const size = await sizeOf(path, name);
    if (path.endsWith('.gz')) return parseResult(await unpacked(path, mostUnpacked), name);
    const run = await readRun(path);
    if (run !== undefined) return ended(run, name);
    const value = size < LARGE_BYTES ? undefined : await readByLines(path);
    return value === undefined
      ? parseResult(await readFile(path, 'utf8'), name)
      : parseResultValue(value, name);
  } catch (cause) {
    if (cause instanceof BenchmarkError) throw cause;
    const reason = whyNot(cause, mostUnpacked);
    throw new BenchmarkError('RESULT_UNREADABLE', { name, reason }, { cause });
  }
}

function ended(run: JournalledRun & { state: RunState }, name: string): RunState {
  if (mayStillBeMeasured(run.journal)) {
    throw new BenchmarkError('RESULT_UNREADABLE', { name, reason: 'its run has not ended' });
  }
  const end = missingEnd(run);
  return (end === undefined ? undefined : run.fold.push(end)) ?? run.state;
}

/** Devices and pipes would be read forever. */
async function sizeOf(path: string, name: string): Promise<number> {
  const found = await stat(path);
  const reason = !found.isFile()
    ? msg('file.noFile')
    : found.size > MOST_BYTES
      ? msg('file.tooLarge', { size: MOST_BYTES / 2 ** 20 })
      : undefined;
  if (reason !== undefined) throw new BenchmarkError('RESULT_UNREADABLE', { name, reason });
  return found.size;
}

async function unpacked(path: string, maxOutputLength: number): Promise<string> {
  return (await promisify(gunzip)(await readFile(path), { maxOutputLength })).toString('utf8');
}

function whyNot(cause: unknown, mostUnpacked: number): Said {
  const code = errnoOf(cause) ?? String(cause);
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return msg('result.unpacksTooLarge', { count: mostUnpacked / 2 ** 20 });
  if (code === 'Z_BUF_ERROR') return msg('result.gzipCutOff');
  return code.startsWith('Z_') ? msg('result.notGzip', { code }) : code;
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

/** In pieces: V8's strings are too short for long runs. */
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
    // Otherwise a power cut could leave an empty file under the new name.
    await file.datasync();
  } finally {
    await file.close();
  }
}
