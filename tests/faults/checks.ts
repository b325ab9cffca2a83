import { readdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { RunStore } from '../../src/benchmark/runs/run-store.ts';
import type { ErrorData } from '../../src/shared/errors.ts';
import type { Effect } from './fault.ts';
import type { FaultEngine } from './engine.ts';
import type { Story } from './cell.ts';

/** Remarks that tell of a fault; all others are there without one, too. */
const TELLING = new Set(['CLEANUP_INCOMPLETE', 'JOURNAL_FAILED']);

/** What a stored run says of itself. */
export interface Told {
  outcome: 'completed' | 'stopped' | 'failed' | null;
  codes: string[];
  errors: ErrorData[];
  /** Totals by trial. */
  measured: Map<string, unknown>;
  planned: number;
}

/** What the result of a run says; undefined when there is none. */
export async function outcomeOf(dataDir: string, runId: string): Promise<Told | undefined> {
  const state = await new RunStore(dataDir).load(runId).catch(() => undefined);
  if (state === undefined) return undefined;
  const errors = [
    state.error,
    ...state.trials.map(({ error }) => error),
    ...state.steps.map(({ error }) => error),
  ].filter((error) => error !== null);
  const notices = state.notices.map(({ code }) => code).filter((code) => TELLING.has(code));
  const trials = state.trials.filter(({ status }) => status === 'measured');
  return {
    outcome: state.outcome,
    codes: [...new Set([...errors.map(({ code }) => code), ...notices])],
    errors,
    measured: new Map(trials.map(({ id, totals }) => [id, totals])),
    planned: state.trials.length,
  };
}

/** What is not as promised once the next start has been. */
export function checkAfterFault(effect: Effect, story: Story, told: Told | undefined): string[] {
  if (told === undefined) return ['there is no result of the run'];
  const problems: string[] = [];
  for (const [id, totals] of story.measured) {
    if (!isDeepStrictEqual(told.measured.get(id), totals))
      problems.push(`the numbers of ${id} are not as they were`);
  }
  for (const { code, hint, message } of told.errors) {
    if (hint === '') problems.push(`${code} has no hint`);
    if (code === 'INTERNAL') problems.push(`not foreseen: ${message}`);
  }
  const saysSo = told.codes.length > 0 || /\[[A-Z_]+\]/.test(story.stderr);
  const isWhole = told.measured.size === told.planned;
  if (effect === 'error' && !saysSo) problems.push('nothing tells of the fault');
  if (effect === 'harmless' && !(told.outcome === 'completed' && isWhole))
    problems.push('it should have done no harm');
  if (effect === 'stopped' && told.outcome !== 'stopped')
    problems.push(`it was stopped, and says “${String(told.outcome)}”`);
  if (effect === 'either' && !isWhole && told.outcome !== 'stopped' && !saysSo) {
    problems.push('trials are missing, and nothing tells why');
  }
  return problems;
}

/** Everything of ours that is on the engine or in the folder of bind mounts, kept datasets aside. */
export async function leftOnEngine(
  { docker }: FaultEngine,
  dataDir: string,
  runId: string,
): Promise<string[]> {
  const list = async (...args: string[]): Promise<string[]> =>
    (await docker(...args, '--filter', `label=io.whalemark.run=${runId}`))
      .split('\n')
      .filter((line) => line !== '');
  const left = [
    ...(await list('ps', '--all', '--format', 'container {{.Names}}')),
    ...(await list('volume', 'ls', '--format', 'volume {{.Name}}')),
    ...(await list('network', 'ls', '--format', 'network {{.Name}}')),
    ...(await readdir(join(dataDir, 'bind')).catch(() => [])).map((name) => `folder ${name}`),
  ];
  return left.map((what) => `left behind: ${what}`);
}
