import { MOST_RUNS } from '../../shared/words/compare-wording.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { request } from '../api.ts';
import { app, attempt, goTo } from './app.svelte.ts';
import { repeatRun } from './plan.svelte.ts';

class CompareState {
  /** The first is what the others are compared with. */
  runs = $state.raw<RunView[]>([]);
  isLoading = $state(false);
  /** Runs that repeat an opened one, by the ids of their plans. */
  repeats = $state.raw<Readonly<Record<string, RunView>>>({});
}

export const compare = new CompareState();

/** Shows runs side by side, by their ids. */
export async function compareRunsOf(ids: readonly string[]): Promise<void> {
  goTo('compare');
  compare.runs = [];
  await loading(async () => {
    compare.runs = await Promise.all(ids.map((runId) => request('results:load', { runId })));
  });
}

/** Lets the user choose one more result file. */
export async function addComparedFile(): Promise<void> {
  await loading(async () => {
    const run = await request('results:open', {});
    if (run === null || compare.runs.length >= MOST_RUNS) return;
    compare.runs = [...compare.runs.filter(({ runId }) => runId !== run.runId), run];
  });
}

/** Compares the others with this one. */
export function compareWith(runId: string): void {
  const first = compare.runs.filter((one) => one.runId === runId);
  compare.runs = [...first, ...compare.runs.filter((one) => one.runId !== runId)];
}

/** Compares without this run from now on. */
export function leaveOut(runId: string): void {
  compare.runs = compare.runs.filter((one) => one.runId !== runId);
}

/** Plans the same on the runtime in use; the run of that plan is known as the opened one's counterpart. */
export async function repeatHere(run: RunView): Promise<void> {
  await repeatRun(run);
  const { plan, planRequest } = app;
  if (plan === undefined || planRequest.repeated?.runId !== run.runId) return;
  compare.repeats = { ...compare.repeats, [plan.id]: run };
}

async function loading(action: () => Promise<void>): Promise<void> {
  if (compare.isLoading) return;
  compare.isLoading = true;
  await attempt(action);
  compare.isLoading = false;
}
