import type { Message } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { RecentRun } from '../../shared/model/history-entry.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { viewOf } from '../../shared/run/run-view.ts';
import { answerOf, readApart, readEach } from '../reading/reader.ts';
import { readResultHere } from './stored-result.ts';
import { type ListedView, listedViewText, listedViewFromText, listedViewOf, saveView } from './view-file.ts';

export interface ResultAt {
  path: string;
  name: string;
}

export function readResultFile(path: string, name: string): Promise<RunState> {
  return readApart('result', resultHere, { path, name }, tooMuchOf(name));
}

export async function readResultView(path: string, name: string): Promise<ListedView> {
  const answer = await answerOf('result-view', { path, name }, tooMuchOf(name));
  return answer === undefined
    ? listedViewOf(viewOf(await readResultHere(path, name)))
    : listedViewFromText(answer.toString('utf8'));
}

export interface ListedRun {
  runId: string;
  source: string;
  /** Of the cache that the reader writes. */
  view: string;
}

/** By one reader, which keeps the views; null: it can't be listed. */
export function listedRuns(runs: readonly ListedRun[]): Promise<(RecentRun | null)[]> {
  return readEach('runs', listedRunsHere, runs, () => null);
}

export async function listedRunsHere(runs: readonly ListedRun[]): Promise<(RecentRun | null)[]> {
  const found: (RecentRun | null)[] = [];
  for (const run of runs) found.push(await listedRunHere(run).catch(() => null));
  return found;
}

async function listedRunHere({ runId, source, view }: ListedRun): Promise<RecentRun | null> {
  const listed = listedViewOf(viewOf(await readResultHere(source, runId)));
  if (listed.view.runId === runId) await saveView(view, source, listed).catch(() => undefined);
  return listed.run;
}

export function resultHere({ path, name }: ResultAt): Promise<RunState> {
  return readResultHere(path, name);
}

export async function resultViewHere({ path, name }: ResultAt): Promise<Buffer> {
  return Buffer.from(listedViewText(listedViewOf(viewOf(await readResultHere(path, name)))));
}

export function tooMuchOf(name: string): (reason: Message) => BenchmarkError {
  return (reason) => new BenchmarkError('RESULT_UNREADABLE', { name, reason });
}
