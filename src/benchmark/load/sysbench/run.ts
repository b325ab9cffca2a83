import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Totals } from '../../../shared/model/measurements.ts';
import { checkStopped } from '../../stop.ts';
import {
  checkInterrupted,
  type LoadEvent,
  type OpenSpec,
  type OpenLoad,
  type SliceTiming,
} from '../load-client.ts';
import {
  sysbenchArguments,
  sysbenchConfig,
  sysbenchRuns,
  sysbenchWorkload,
  type SysbenchRun,
} from './arguments.ts';
import { type RunFigures, RunReader } from './figures.ts';
import { readRecord, sysbenchScript } from './script.ts';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errnoOf } from '../../files/failures.ts';
import { loadError } from '../builtin/sql-error.ts';
import { needsOf } from '../builtin/workloads.ts';
import { BenchmarkError } from '../../../shared/errors.ts';

/** sysbench connects again for each slice. */
export function openSysbenchLoad(spec: OpenSpec): OpenLoad {
  return {
    slice: (timing, on, signal) => runSlice(spec, timing, on, signal),
    close: () => Promise.resolve(),
  };
}

async function runSlice(
  spec: OpenSpec,
  timing: SliceTiming,
  on: (event: LoadEvent) => void,
  signal: AbortSignal,
): Promise<Totals> {
  checkStopped(signal);
  const { kind } = sysbenchWorkload(spec);
  const config = sysbenchConfig(spec.target);
  const folder = await mkdtemp(join(tmpdir(), 'whalemark-sysbench-'));
  const files = { script: join(folder, 'load.lua'), config: join(folder, 'account.cnf') };
  try {
    await writeFile(files.config, config, { mode: 0o600 });
    let figures: RunFigures | undefined;
    for (const run of sysbenchRuns(timing)) {
      await writeFile(files.script, sysbenchScript(kind, freshness()), { mode: 0o600 });
      figures = await runOnce(spec, run, files, on, signal);
    }
    if (figures === undefined) throw new Error('a trial has at least one run');
    checkInterrupted(figures.totals, timing.durationMs);
    return withClient(figures, spec.connections);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOnce(
  spec: OpenSpec,
  run: SysbenchRun,
  files: { script: string; config: string },
  on: (event: LoadEvent) => void,
  signal: AbortSignal,
): Promise<RunFigures> {
  const reader = new RunReader(run, spec.connections, {
    connected: () => on({ type: 'phase', phase: run.phase }),
    window: (window) => on({ type: 'window', window }),
  });
  const onLine = (line: string): boolean => {
    const record = readRecord(line);
    if (record === undefined) return false;
    if (!signal.aborted) reader.add(record);
    return true;
  };
  const ending = await runSysbench(
    sysbenchArguments(spec, run, files),
    dirname(files.script),
    onLine,
    signal,
  );
  checkStopped(signal);
  const figures = reader.figures();
  if (ending.status !== 0 || figures === undefined) throw sysbenchError(ending, spec);
  return figures;
}

function withClient({ totals, cpuSeconds }: RunFigures, connections: number): Totals {
  const workers = Math.min(connections, cpus().length);
  const cpuShare = (cpuSeconds * 1000) / totals.durationMs / workers;
  return {
    ...totals,
    connections,
    client: { cpuSeconds, cpuShare, loopDelayP99Us: 0, workers, gcSeconds: 0, gcMaxUs: 0 },
  };
}

function freshness(): string {
  return String(randomInt(10 ** 11)).padStart(11, '0');
}

const KILL_MS = 300;
const LINES_KEPT = 40;

/** `onLine` returns false for lines of `Ending`. */
async function runSysbench(
  args: string[],
  cwd: string,
  onLine: (line: string) => boolean,
  signal: AbortSignal,
): Promise<Ending> {
  const child = spawn('sysbench', args, {
    cwd,
    // LC_ALL: records need decimal points.
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const remember = (line: string): void => {
    if (line === '') return;
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!onLine(line)) remember(line);
  });
  createInterface({ input: child.stderr }).on('line', remember);

  let kill: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGTERM');
    kill = setTimeout(() => child.kill('SIGKILL'), KILL_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await new Promise<Ending>((resolve, reject) => {
      child.once('error', (error) => {
        const reason = errnoOf(error) === 'ENOENT' ? 'this client has no sysbench' : error.message;
        reject(new BenchmarkError('LOAD_FAILED', { reason }, { cause: error }));
      });
      child.once('close', (code, name) => resolve({ lines, status: code ?? name ?? 'unknown' }));
    });
  } finally {
    clearTimeout(kill);
    signal.removeEventListener('abort', stop);
  }
}

interface Ending {
  lines: string[];
  status: number | string;
}

/** Errors of 1.0.20: `error 1045: …`, `MySQL error: 1146 "…"`, `… returned error 2013 (…) for query …`. */
const NUMBERED = /^FATAL: .*?\berror:? (\d{4,5})\b[:\s]*(.*)$/;

export function sysbenchError(
  { lines, status }: Ending,
  spec: Pick<OpenSpec, 'connections' | 'workload'>,
): BenchmarkError {
  const { code, params } = loadError(cause(lines, status), needsOf(spec));
  return new BenchmarkError(code, params, { evidence: lines });
}

function cause(lines: string[], status: number | string): Error {
  for (const line of lines) {
    const [, errno, text = ''] = NUMBERED.exec(line) ?? [];
    if (errno !== undefined) return Object.assign(new Error(unwrapped(text)), { errno: Number(errno) });
  }
  const fatal = lines.find((line) => line.startsWith('FATAL: '))?.slice('FATAL: '.length);
  return new Error(fatal ?? `sysbench ended without figures (${status})`);
}

function unwrapped(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? /^\((.*?)\) for query\b/.exec(text)?.[1] ?? text;
}
