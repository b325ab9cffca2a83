import type { Message } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { RecentRun } from '../../shared/model/history-entry.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { readApart, readEach } from '../reading/reader.ts';
import { recentRunOf, saveListed } from './listed-run.ts';
import { readResultHere } from './stored-result.ts';

export interface ResultAt {
  path: string;
  name: string;
}

export function readResultFile(path: string, name: string): Promise<RunState> {
  return readApart('result', resultHere, { path, name }, tooMuchOf(name));
}

export interface ListedRun {
  runId: string;
  source: string;
  /** The cache's path. */
  listed: string;
}

/** One reader reads all; null for runs that can't be read. */
export function listedRuns(runs: readonly ListedRun[]): Promise<(RecentRun | null)[]> {
  return readEach('runs', listedRunsHere, runs, () => null);
}

export async function listedRunsHere(runs: readonly ListedRun[]): Promise<(RecentRun | null)[]> {
  const found: (RecentRun | null)[] = [];
  for (const run of runs) found.push(await listedRunHere(run).catch(() => null));
  return found;
}

async function listedRunHere({ runId, source, listed }: ListedRun): Promise<RecentRun | null> {
  const run = recentRunOf(await readResultHere(source, runId));
  if (run?.runId === runId) await saveListed(listed, source, run).catch(() => undefined);
  return run;
}

export function resultHere({ path, name }: ResultAt): Promise<RunState> {
  return readResultHere(path, name);
}

export function tooMuchOf(name: string): (reason: Message) => BenchmarkError {
  return (reason) => new BenchmarkError('RESULT_UNREADABLE', { name, reason });
}
