import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Totals } from '../../../shared/model/measurements.ts';
import { checkStopped } from '../../stop.ts';
import type { LoadEvent, LoadSpec } from '../driver.ts';
import { checkInterrupted } from '../interrupted.ts';
import {
  sysbenchArguments,
  sysbenchConfig,
  sysbenchRuns,
  sysbenchWorkload,
  type SysbenchRun,
} from './arguments.ts';
import { runSysbench, sysbenchError } from './process.ts';
import { type RunFigures, RunReader } from './figures.ts';
import { readRecord } from './records.ts';
import { sysbenchScript } from './script.ts';

/**
 * Runs sysbench 1.0.20 as a child process of the load client. See `LoadDriver.run` for what it promises. Warm-up and
 * measurement are two runs of the program; its connections are new ones then. Both are as long as sysbench makes
 * them: whole seconds, until the last transaction under way is answered; `durationMs` says it.
 *
 * `client.workers` is the number of threads that can run at a time; sysbench has neither an event loop to be late nor garbage to collect.
 */
export async function runSysbenchLoad(
  spec: LoadSpec,
  on: (event: LoadEvent) => void,
  signal: AbortSignal,
): Promise<Totals> {
  checkStopped(signal);
  const { kind } = sysbenchWorkload(spec);
  const config = sysbenchConfig(spec.target);
  on({ type: 'phase', phase: 'connect' });
  // Only its owner can enter it.
  const folder = await mkdtemp(join(tmpdir(), 'whalemark-sysbench-'));
  const files = { script: join(folder, 'load.lua'), config: join(folder, 'account.cnf') };
  try {
    await writeFile(files.config, config, { mode: 0o600 });
    let figures: RunFigures | undefined;
    for (const run of sysbenchRuns(spec)) {
      await writeFile(files.script, sysbenchScript(kind, freshness()), { mode: 0o600 });
      figures = await runOnce(spec, run, { files, cwd: folder, on, signal });
    }
    if (figures === undefined) throw new Error('a trial has at least one run');
    checkInterrupted(figures.totals, spec.durationMs);
    return withClient(figures, spec.connections);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOnce(
  spec: LoadSpec,
  run: SysbenchRun,
  {
    files,
    cwd,
    on,
    signal,
  }: {
    files: { script: string; config: string };
    cwd: string;
    on: (event: LoadEvent) => void;
    signal: AbortSignal;
  },
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
  const ending = await runSysbench(sysbenchArguments(spec, run, files), { cwd, onLine, signal });
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

/** Digits for the last group of column c (see `sysbenchScript`). */
function freshness(): string {
  return String(randomInt(10 ** 11)).padStart(11, '0');
}
