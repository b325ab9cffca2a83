import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { msg, type Message } from '../../shared/message.ts';
import { BenchmarkError, errorDataSchema } from '../../shared/errors.ts';

export const READINGS = [
  'result',
  'runs',
  'preview',
  'export',
  'compose',
  'option-file',
  'presets',
  'overrides',
  'first-start',
] as const;
export type Reading = (typeof READINGS)[number];

interface Limits {
  heapMiB: number;
  /** Processor time, so that a busy machine alone refuses nothing. */
  cpuMs: number;
  /** The limit for a process that only waits. */
  ms: number;
  answerMiB: number;
}

const LARGE: Limits = { heapMiB: 2048, cpuMs: 2 * 60_000, ms: 3 * 60_000, answerMiB: 64 };
const WHOLE_RUN: Limits = { ...LARGE, answerMiB: 256 };
const SMALL: Limits = { heapMiB: 512, cpuMs: 5000, ms: 60_000, answerMiB: 16 };
const LIMITS: Partial<Record<Reading, Limits>> = {
  result: WHOLE_RUN,
  export: WHOLE_RUN,
  runs: LARGE,
  preview: LARGE,
};

export const FAILED = 3;

const LONG_MS = 1000;

let readerFile: string | undefined;
let whileReading: (reading: Reading) => void = () => undefined;

/** A separate process, since hostile files could exhaust this one. */
export function readElsewhere(
  { clientFile }: { clientFile: string },
  onLongRead: (reading: Reading) => void = () => undefined,
): void {
  readerFile = join(dirname(clientFile), 'reader.cjs');
  whileReading = onLongRead;
}

/** `tooMuch` is the error if the reader dies or reaches a limit. */
export async function readApart<Q, A>(
  reading: Reading,
  here: (question: Q) => A | Promise<A>,
  question: Q,
  tooMuch: (reason: Message) => BenchmarkError,
): Promise<A> {
  const answer = await answerOf(reading, question, tooMuch);
  return answer === undefined ? here(question) : z.custom<A>().parse(JSON.parse(answer.toString('utf8')));
}

class TooMuch extends BenchmarkError {
  constructor() {
    super('INTERNAL', { reason: msg('result.tooMuch') });
  }
}

export async function readEach<Q, A>(
  reading: Reading,
  here: (questions: readonly Q[]) => A[] | Promise<A[]>,
  questions: readonly Q[],
  tooMuch: (question: Q, reason: Message) => A,
): Promise<A[]> {
  const [first, ...more] = questions;
  if (first === undefined) return [];
  try {
    return await readApart(reading, here, questions, () => new TooMuch());
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    if (more.length === 0) return [tooMuch(first, msg('result.tooMuch'))];
    const answers: A[] = [];
    for (const question of questions) answers.push(...(await readEach(reading, here, [question], tooMuch)));
    return answers;
  }
}

/** Undefined if there is no other process. */
export async function answerOf(
  reading: Reading,
  question: unknown,
  tooMuch: (reason: Message) => BenchmarkError,
): Promise<Buffer | undefined> {
  if (readerFile === undefined) return undefined;
  const { heapMiB, cpuMs, ms, answerMiB } = LIMITS[reading] ?? SMALL;
  const args = [`--max-old-space-size=${heapMiB}`, readerFile, String(cpuMs), reading];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
    timeout: ms,
    killSignal: 'SIGKILL',
    // In Electron, node is Electron itself.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  // A reader that ends early closes its input.
  child.stdin.on('error', () => undefined).end(JSON.stringify(question));
  const parts: Buffer[] = [];
  let left = answerMiB * 2 ** 20;
  child.stdout.on('data', (part: Buffer) => {
    left -= part.length;
    if (left >= 0) parts.push(part);
    else child.kill('SIGKILL');
  });
  const long = setTimeout(() => whileReading(reading), LONG_MS);
  const [code] = await once(child, 'close').finally(() => clearTimeout(long));
  if (left < 0 || (code !== 0 && code !== FAILED)) throw tooMuch(msg('result.tooMuch'));
  const answer = Buffer.concat(parts);
  if (code === 0) return answer;
  throw BenchmarkError.fromData(errorDataSchema.parse(JSON.parse(answer.toString('utf8'))));
}
