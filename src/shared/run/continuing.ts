import { isOwnTask } from '../model/task.ts';
import { type Message, type MessageCode, msg, type Said } from '../message.ts';
import type { Passport } from '../model/passport.ts';
import type { RunOutline, TrialOutline } from '../model/run-state.ts';
import {
  BETWEEN_SLICES_MS,
  continuedAt,
  expectedTrialMs,
  groupStartMs,
  isSkipped,
  measuresAtMostMs,
  passesOf,
  pausedMs,
  plannedMs,
  shareDone,
} from './progress.ts';
import type { WhatIsLeft } from '../model/leftovers.ts';

/** Whether continuing would measure the trial: it has no numbers, and the user did not skip it. */
export function isLeft(trial: Pick<TrialOutline, 'status' | 'error'>): boolean {
  return trial.status !== 'measured' && !isSkipped(trial);
}

export function trialsWithoutNumbers<T extends TrialOutline>(run: { trials: T[] }): T[] {
  return run.trials.filter(isLeft);
}

export function latestPassport({ plan, updates }: Pick<RunOutline, 'plan' | 'updates'>): Passport {
  return updates.at(-1)?.passport ?? plan.passport;
}

/** After an update, incomplete rounds are measured again as a whole: ratios are taken within a round. */
export function asContinued<R extends Pick<RunOutline, 'plan' | 'updates' | 'trials'>>(
  run: R,
  passport: Passport,
  at = Date.now(),
): R {
  if (versionChanges(latestPassport(run), passport).length === 0) return run;
  const open = new Set(run.trials.filter(isLeft).map(({ round }) => round));
  const isAgain = ({ round, totals }: TrialOutline): boolean => open.has(round) && totals !== null;
  return {
    ...run,
    updates: [...run.updates, { at, passport }],
    trials: run.trials.map((trial) => (isAgain(trial) ? { ...trial, status: 'pending' } : trial)),
  };
}

/** Undefined if the run itself allows it; the machine is checked elsewhere. */
export function whyNotContinuable(
  run: Pick<RunOutline, 'status' | 'roundsEnded' | 'trials' | 'plan'>,
): Message | undefined {
  if (run.status !== 'finished') return msg('continue.running');
  if (run.roundsEnded !== null) return msg('continue.conclusive');
  if (trialsWithoutNumbers(run).length === 0) return msg('continue.complete');
  return isOwnTask(run.plan) ? msg('continue.ownTask') : undefined;
}

export function whatIsLeft(run: RunOutline): WhatIsLeft {
  const { plan, trials } = run;
  const left = trialsWithoutNumbers(run);
  // The estimate's share for images, tables, copies, and cleanup.
  const preparingMs = Math.max(0, plan.estimate.seconds * 1000 - plannedMs(run));
  const shares = left.reduce((sum, one) => sum + 1 - shareDone(one, plan), 0);
  const measuringMs = Math.min(
    shares * expectedTrialMs(run),
    Math.max(0, (measuresAtMostMs(plan) ?? Infinity) - measuredMs(run)),
  );
  return {
    kept: trials.filter(({ status, totals }) => status !== 'pending' && totals !== null).length,
    left: plan.schedule.untilConclusive === undefined ? left.length : null,
    leftMs: measuringMs + preparingMs,
  };
}

export function splitRounds(run: Pick<RunOutline, 'pauses' | 'trials'>): number[] {
  const borders = continuedAt(run);
  const sessions = new Map<number, Set<number>>();
  for (const { totals, round, startedAt } of run.trials) {
    if (totals === null || startedAt === null) continue;
    const session = borders.filter((at) => at <= startedAt).length;
    sessions.set(round, (sessions.get(round) ?? new Set()).add(session));
  }
  return [...sessions].flatMap(([round, found]) => (found.size > 1 ? [round] : [])).sort((a, b) => a - b);
}

/** Counts against the time limit. Side by side, where trials overlap: the starts of their rounds, and all slices. */
export function measuredMs(run: Pick<RunOutline, 'pauses' | 'trials' | 'plan'>): number {
  const counted = run.trials.filter(({ status }) => status !== 'pending');
  if (passesOf(run.plan) > 0) {
    const rounds = new Set(counted.flatMap(({ round, slices }) => (slices.length === 0 ? [] : [round])));
    const slices = counted.flatMap((trial) => trial.slices);
    return slices.reduce(
      (sum, { durationMs }) => sum + durationMs + BETWEEN_SLICES_MS,
      rounds.size * groupStartMs(run.plan),
    );
  }
  return counted.reduce(
    (sum, { status, startedAt, finishedAt }) =>
      status === 'measured' && startedAt !== null && finishedAt !== null
        ? sum + finishedAt - startedAt - pausedMs(run, startedAt, finishedAt)
        : sum,
    0,
  );
}

/** Some systems report slightly different memory after each boot. */
const MEMORY_TOLERANCE = 0.01;

type Field = [name: MessageCode, read: (passport: Passport) => Said | number];

/** Changes with which a run can continue, but not within a round. */
const VERSIONS: ((passport: Passport) => string)[] = [
  ({ runtime }) => runtime.name,
  ({ runtime }) => runtime.engineVersion,
  ({ runtime }) => runtime.operatingSystem,
  ({ runtime }) => runtime.kernel,
  ({ host }) => host.release,
];

/** What the numbers of a run must have in common. */
const FIELDS: Field[] = [
  ['part.processor', ({ host }) => host.cpuModel],
  ['part.processors', ({ host }) => host.cpus],
  ['part.architecture', ({ host }) => host.architecture],
  ['part.operatingSystem', ({ host }) => host.platform],
  ['part.runtime', ({ runtime }) => runtime.kind],
  ['part.engineArchitecture', ({ runtime }) => runtime.architecture],
  ['part.engineProcessors', ({ runtime }) => runtime.cpus],
  ['part.storageDriver', ({ runtime }) => runtime.storageDriver],
  ['part.fileSharing', ({ runtime }) => msg(`sharing.kind.${runtime.fileSharing}`)],
  [
    'part.virtualMachine',
    ({ runtime: { virtualMachine } }) =>
      virtualMachine === undefined ? msg('sharing.kind.unknown') : msg(`sharing.manager.${virtualMachine}`),
  ],
  ['part.enginePlace', ({ runtime }) => place(runtime)],
];

const MEMORY: [name: MessageCode, read: (passport: Passport) => number][] = [
  ['part.memory', ({ host }) => host.memoryBytes],
  ['part.engineMemory', ({ runtime }) => runtime.memoryBytes],
];

/** Identical machines are distinguished by the journal's owners: passports have no names. */
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

export function versionChanges(before: Passport, now: Passport): { was: string; is: string }[] {
  const changes: { was: string; is: string }[] = [];
  for (const read of VERSIONS) {
    const [was, is] = [read(before), read(now)];
    // Names include versions, and a native engine has the host's kernel.
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
