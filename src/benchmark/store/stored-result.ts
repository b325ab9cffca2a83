import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { msg, type Said } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { parseResult } from './result-file.ts';
import { errnoOf } from '../files/failures.ts';
import { mayStillBeMeasured, missingEnd, readRun, type JournalledRun } from './journal.ts';

const MOST_JOURNAL_BYTES = 2 * 2 ** 30;
/** Four times the longest built-in preset's result; limits gzip bombs, too. */
const MOST_TEXT_BYTES = 256 * 2 ** 20;

export async function readResultHere(path: string, name: string): Promise<RunState> {
  try {
    await requireFile(path, name, MOST_JOURNAL_BYTES);
    if (path.endsWith('.gz')) return parseResult(await unpacked(path), name);
    const run = await readRun(path);
    if (run !== undefined) return ended(run, name);
    await requireFile(path, name, MOST_TEXT_BYTES);
    return parseResult(await readFile(path, 'utf8'), name);
  } catch (cause) {
    if (cause instanceof BenchmarkError) throw cause;
    const reason = whyNot(cause);
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
async function requireFile(path: string, name: string, mostBytes: number): Promise<void> {
  const found = await stat(path);
  const reason = !found.isFile()
    ? msg('file.noFile')
    : found.size > mostBytes
      ? msg('file.tooLarge', { size: mostBytes / 2 ** 20 })
      : undefined;
  if (reason !== undefined) throw new BenchmarkError('RESULT_UNREADABLE', { name, reason });
}

async function unpacked(path: string): Promise<string> {
  const limit = { maxOutputLength: MOST_TEXT_BYTES };
  return (await promisify(gunzip)(await readFile(path), limit)).toString('utf8');
}

function whyNot(cause: unknown): Said {
  const code = errnoOf(cause) ?? String(cause);
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return msg('result.unpacksTooLarge', { count: MOST_TEXT_BYTES / 2 ** 20 });
  if (code === 'Z_BUF_ERROR') return msg('result.gzipCutOff');
  return code.startsWith('Z_') ? msg('result.notGzip', { code }) : code;
}
