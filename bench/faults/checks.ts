import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { RunStore } from '../../src/benchmark/store/run-store.ts';
import { firstRoundLeft, whyNotContinuable } from '../../src/shared/run/continuing.ts';
import type { ErrorData } from '../../src/shared/errors.ts';
import type { Effect } from './fault.ts';
import type { FaultEngine } from './engine.ts';
import type { Ended } from './program.ts';

/** Notices that only a fault causes. */
const TELLING = new Set(['CLEANUP_INCOMPLETE', 'JOURNAL_FAILED', 'SLICE_LOST']);

/** Events until the struck program had ended. */
export interface Story extends Pick<Ended, 'exitCode' | 'signal' | 'stderr' | 'hung'> {
  runId: string | undefined;
  /** Totals of the trials that had been measured when the fault struck. */
  measured: Map<string, unknown>;
  /** Seconds from the fault to the end of the program. */
  seconds: number | null;
  problems: string[];
}

/** Facts of a stored run. */
export interface Told {
  outcome: 'completed' | 'stopped' | 'failed' | null;
  codes: string[];
  errors: ErrorData[];
  /** Totals by trial. */
  measured: Map<string, unknown>;
  /** Measured trials that resuming keeps; undefined if the run can't be resumed. */
  kept: Map<string, unknown> | undefined;
  planned: number;
}

/** Reads the result of a run; undefined when there is none. */
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
  const totalsOf = (some: typeof trials): Map<string, unknown> =>
    new Map(some.map(({ id, totals }) => [id, totals]));
  const first = firstRoundLeft(state);
  const lost = trials.some(({ windows }) => windows.some(({ interrupted }) => interrupted));
  return {
    outcome: state.outcome,
    codes: [...new Set([...errors.map(({ code }) => code), ...notices, ...(lost ? ['INTERRUPTED'] : [])])],
    errors,
    measured: totalsOf(trials),
    kept:
      whyNotContinuable(state) === undefined
        ? totalsOf(trials.filter(({ round }) => round < first))
        : undefined,
    planned: state.trials.length,
  };
}

/** Codes that the terminal has printed, also those of a result that could not be saved. */
export function codesIn(stderr: string): string[] {
  return [...stderr.matchAll(/\[([A-Z]+(?:_[A-Z]+)*)\]\s*$/gm)].flatMap(([, code]) => code ?? []);
}

/** Checks for output that a program must never have, whatever broke. */
export function checkManners({ stderr, signal, hung }: Pick<Story, 'stderr' | 'signal' | 'hung'>): string[] {
  const problems: string[] = [];
  if (/^\s+at .+:\d+:\d+\)?$/m.test(stderr)) problems.push(`a stack trace: ${stderr.slice(-1500)}`);
  if (signal === 'SIGSEGV' || signal === 'SIGABRT') problems.push(`it ended by ${signal}`);
  if (hung) problems.push(`it did not end in time: ${stderr.slice(-1500)}`);
  return problems;
}

/** Broken promises after the next start. */
export function checkAfterFault(effect: Effect, story: Story, told: Told): string[] {
  const problems: string[] = [];
  for (const [id, totals] of story.measured) {
    if (!isDeepStrictEqual(told.measured.get(id), totals))
      problems.push(`the numbers of ${id} are not as they were`);
  }
  for (const { code, hint, message } of told.errors) {
    if (hint === '') problems.push(`${code} has no hint`);
    if (code === 'INTERNAL') problems.push(`not foreseen: ${message}`);
  }
  return [...problems, ...checkEffect(effect, story, told)];
}

/** Whether a fault has shown the effect that it declares. */
export function checkEffect(
  effect: Effect,
  { stderr }: Pick<Story, 'stderr'>,
  told: Pick<Told, 'outcome' | 'codes' | 'measured' | 'planned'>,
): string[] {
  const codes = [...new Set([...told.codes, ...codesIn(stderr)])];
  const saw = `it ${String(told.outcome)}, ${told.measured.size} of ${told.planned} measured, ${codes.join(', ') || 'no code'}; ${stderr.slice(-1000)}`;
  switch (effect) {
    case 'no effect': {
      const isWhole = told.outcome === 'completed' && told.measured.size === told.planned;
      return isWhole && codes.length === 0 ? [] : [`it should have had no effect: ${saw}`];
    }
    case 'error':
      return codes.length > 0 ? [] : [`it shows no effect: ${saw}`];
    case 'stopped':
      return told.outcome === 'stopped' ? [] : [`it should have stopped: ${saw}`];
    default:
      return codes.includes(effect) ? [] : [`it should have led to ${effect}: ${saw}`];
  }
}

/** Everything of Whalemark's that is on the engine or in the folder of bind mounts, kept datasets aside. */
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

/** The longest time that a killed program may leave something. */
const GONE_MS = 30_000;
const LOOK_MS = 500;

/** Things that are still there when all should be gone. */
export async function leftForLong(engine: FaultEngine, dataDir: string, runId: string): Promise<string[]> {
  const until = Date.now() + GONE_MS;
  for (;;) {
    const left = await leftOnEngine(engine, dataDir, runId);
    if (left.length === 0 || Date.now() > until) return left;
    await after(LOOK_MS);
  }
}
