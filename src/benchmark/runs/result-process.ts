import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { msg } from '../../shared/message.ts';
import { BenchmarkError, errorDataSchema } from '../../shared/errors.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { viewOf } from '../../shared/run/run-view.ts';
import { childEnv } from '../machine/host-source.ts';
import { readResultHere } from './stored-result.ts';
import { viewFromText } from './view-file.ts';

/** Limits of heap and time, many times a night's run. */
const HEAP_MIB = 2048;
const MOST_MS = 3 * 60_000;

export const questionSchema = z.object({
  path: z.string(),
  name: z.string(),
  wanted: z.enum(['state', 'view']),
});
export const FAILED = 3;

let readerFile: string | undefined;

/**
 * From now on result files are read in their own process, so that hostile ones can't exhaust this one. Its
 * bundle is next to the load client's.
 */
export function readResultsElsewhere({ clientFile }: { clientFile: string }): void {
  readerFile = join(dirname(clientFile), 'reader.cjs');
}

/** Gzipped or not. Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW. */
export async function readResultFile(path: string, name: string): Promise<RunState> {
  if (readerFile === undefined) return readResultHere(path, name);
  const text = await ask(readerFile, { path, name, wanted: 'state' });
  return z.custom<RunState>().parse(JSON.parse(text));
}

export async function readResultView(path: string, name: string): Promise<RunView> {
  if (readerFile === undefined) return viewOf(await readResultHere(path, name));
  return viewFromText(await ask(readerFile, { path, name, wanted: 'view' }));
}

async function ask(file: string, question: z.infer<typeof questionSchema>): Promise<string> {
  const args = [`--max-old-space-size=${HEAP_MIB}`, file, JSON.stringify(question)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    timeout: MOST_MS,
    killSignal: 'SIGKILL',
    // In Electron, node is Electron itself.
    env: { ...childEnv(), ELECTRON_RUN_AS_NODE: '1' },
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const [code] = await once(child, 'close');
  const answer = Buffer.concat(parts).toString('utf8');
  if (code === 0) return answer;
  if (code === FAILED) throw BenchmarkError.fromData(errorDataSchema.parse(JSON.parse(answer)));
  const reason = msg('result.tooMuch');
  throw new BenchmarkError('RESULT_UNREADABLE', { name: question.name, reason });
}
