import { type Message, type MessageCode, msg, type Said } from '../message.ts';
import type { Passport } from '../model/passport.ts';
import type { RunOutline, TrialOutline } from '../model/run-state.ts';
import { continuedAt, isSkipped, pausedMs } from './pauses.ts';
import type { WhatIsLeft } from '../model/what-is-left.ts';
import { budgetMs, expectedTrialMs, plannedTrialMs } from './progress.ts';

/** A run that ended before everything was measured can go on; what has a number then stays as it is. */

/**
 * Whether a trial is still to be measured when its run goes on: it has no number, and the user did not leave it out.
 */
export function isLeft(trial: Pick<TrialOutline, 'status' | 'error'>): boolean {
  return trial.status !== 'measured' && !isSkipped(trial);
}

/** The trials that going on would measure, in the order of measuring. */
export function trialsWithoutNumbers<T extends TrialOutline>(run: { trials: T[] }): T[] {
  return run.trials.filter(isLeft);
}

/** The machine and engine of a run's latest sitting. */
export function latestPassport({ plan, updates }: Pick<RunOutline, 'plan' | 'updates'>): Passport {
  return updates.at(-1)?.passport ?? plan.passport;
}

/**
 * A run as it continues with a passport: itself, unless something was updated since its last sitting. Ratios are taken
 * within a round, so after an update a round that has numbers and lacks some is measured again as a whole; whole rounds
 * stay.
 */
export function asContinued<R extends Pick<RunOutline, 'plan' | 'updates' | 'trials'>>(
  run: R,
  passport: Passport,
  at = Date.now(),
): R {
  if (versionChanges(latestPassport(run), passport).length === 0) return run;
  const open = new Set(run.trials.filter(isLeft).map(({ round }) => round));
  const isAgain = ({ round, status }: TrialOutline): boolean => open.has(round) && status === 'measured';
  return {
    ...run,
    updates: [...run.updates, { at, passport }],
    trials: run.trials.map((trial) => (isAgain(trial) ? { ...trial, status: 'pending' } : trial)),
  };
}

/** Why a run can't go on as far as it tells itself; undefined when it can. Whether it can here is another matter. */
export function whyNotContinuable(
  run: Pick<RunOutline, 'status' | 'roundsEnded' | 'trials'>,
): Message | undefined {
  if (run.status !== 'finished') return msg('continue.running');
  if (run.roundsEnded !== null) return msg('continue.settled');
  return trialsWithoutNumbers(run).length === 0 ? msg('continue.complete') : undefined;
}

/** How much of a run is kept and left; how long a trial takes is taken from those that were measured. */
export function whatIsLeft(run: RunOutline): WhatIsLeft {
  const { trials, plan } = run;
  const left = trialsWithoutNumbers(run).length;
  const planned = plan.rounds.reduce((sum, ids) => sum + ids.length, 0);
  // What the plan's estimate holds beside its trials: images, tables, copies, cleaning up.
  const plannedMs = Math.min(planned * plannedTrialMs(run), budgetMs(run));
  const preparingMs = Math.max(0, plan.estimate.seconds * 1000 - plannedMs);
  return {
    kept: trials.filter(({ status }) => status === 'measured').length,
    left,
    all: trials.length,
    leftMs: Math.min(left * expectedTrialMs(run), Math.max(0, budgetMs(run) - measuredMs(run))) + preparingMs,
  };
}

/** Rounds whose numbers come from more than one sitting: their trials were not measured one right after the other. */
export function splitRounds(run: Pick<RunOutline, 'pauses' | 'trials'>): number[] {
  const borders = continuedAt(run);
  const sittings = new Map<number, Set<number>>();
  for (const { status, round, startedAt } of run.trials) {
    if (status !== 'measured' || startedAt === null) continue;
    const sitting = borders.filter((at) => at <= startedAt).length;
    sittings.set(round, (sittings.get(round) ?? new Set()).add(sitting));
  }
  return [...sittings].flatMap(([round, found]) => (found.size > 1 ? [round] : [])).sort((a, b) => a - b);
}

/** How long a run has measured so far, ms: what its measured trials took. */
export function measuredMs(run: Pick<RunOutline, 'pauses' | 'trials'>): number {
  return run.trials.reduce(
    (sum, { status, startedAt, finishedAt }) =>
      status === 'measured' && startedAt !== null && finishedAt !== null
        ? sum + finishedAt - startedAt - pausedMs(run, startedAt, finishedAt)
        : sum,
    0,
  );
}

/** Memory is told a little differently after each start of some systems. */
const MEMORY_TOLERANCE = 0.01;

type Field = [name: MessageCode, read: (passport: Passport) => Said | number];

/** What an update changes: a run can continue, though no round with numbers from both sides. */
const VERSIONS: ((passport: Passport) => string)[] = [
  ({ runtime }) => runtime.name,
  ({ runtime }) => runtime.engineVersion,
  ({ runtime }) => runtime.operatingSystem,
  ({ runtime }) => runtime.kernel,
  ({ host }) => host.release,
];

/** What numbers of one run must have in common, in the words that a user is told it in. */
const FIELDS: Field[] = [
  ['part.processor', ({ host }) => host.cpuModel],
  ['part.processors', ({ host }) => host.cpus],
  ['part.architecture', ({ host }) => host.architecture],
  ['part.operatingSystem', ({ host }) => host.platform],
  ['part.runtime', ({ runtime }) => runtime.kind],
  ['part.engineArchitecture', ({ runtime }) => runtime.architecture],
  ['part.engineProcessors', ({ runtime }) => runtime.cpus],
  ['part.storageDriver', ({ runtime }) => runtime.storageDriver],
  ['part.fileSharing', ({ runtime }) => runtime.fileSharing],
  ['part.enginePlace', ({ runtime }) => place(runtime)],
];

const MEMORY: [name: MessageCode, read: (passport: Passport) => number][] = [
  ['part.memory', ({ host }) => host.memoryBytes],
  ['part.engineMemory', ({ runtime }) => runtime.memoryBytes],
];

/**
 * In what a machine and its engine differ from what a run was measured on, in English; undefined when its numbers may
 * stand beside new ones. Names and ids are in no passport, so two machines of the very same make are told apart
 * by the owners that their run's journal names (`RunStore`).
 */
export function machineDifference(before: Passport, now: Passport): Message | undefined {
  for (const [name, read] of FIELDS) {
    const [was, is] = [read(before), read(now)];
    if (JSON.stringify(was) !== JSON.stringify(is)) return changed(name, was, is);
  }
  for (const [name, read] of MEMORY) {
    const [was, is] = [read(before), read(now)];
    if (Math.abs(was - is) > MEMORY_TOLERANCE * Math.max(was, is)) {
      return changed(name, mebibytes(was), mebibytes(is));
    }
  }
  return undefined;
}

/** The versions that differ, each as before and after an update; none where nothing was updated. */
export function versionChanges(before: Passport, now: Passport): { was: string; is: string }[] {
  const changes: { was: string; is: string }[] = [];
  for (const read of VERSIONS) {
    const [was, is] = [read(before), read(now)];
    // Names hold versions, and an engine without a machine of its own has the host's kernel.
    const isKnown = changes.some((one) => one.was.includes(was) && one.is.includes(is));
    if (was !== is && !isKnown) changes.push({ was, is });
  }
  return changes;
}

function changed(name: MessageCode, before: Said | number, now: Said | number): Message {
  return msg('continue.changed', { what: msg(name), before, now });
}

function place({ vm, rootless, remote }: Passport['runtime']): Message {
  const where = msg(remote ? 'place.remote' : vm ? 'place.vm' : 'place.here');
  return rootless ? msg('place.rootless', { place: where }) : where;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
