import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatasetCache } from '../../../src/benchmark/servers/dataset/dataset-cache.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { RunStore } from '../../../src/benchmark/store/run-store.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import { createRandom, type Random } from '../../../src/benchmark/random.ts';
import { JournalTail, runIdsOf } from './journal-tail.ts';
import { leftBy, untouched } from './left.ts';
import { held } from './processes.ts';
import type { Subject } from './subject.ts';

const BEGIN_MS = 120_000;
const END_MS = 120_000;
/** At the most so long after the moment that was drawn. */
const JITTER_MS = 1_500;

/** Moments of a run; those that need the tables loaded again are drawn more seldom, since they take longest. */
const MOMENTS: Record<string, { weight: number; loads?: true; is: (event: RunEvent) => boolean }> = {
  begun: { weight: 2, is: ({ type }) => type === 'run-started' },
  init: { weight: 1, loads: true, is: (event) => event.type === 'step-started' && event.kind === 'init' },
  load: { weight: 1, loads: true, is: (event) => event.type === 'step-started' && event.kind === 'load' },
  clone: { weight: 3, is: (event) => event.type === 'step-started' && event.kind === 'clone' },
  starting: { weight: 3, is: ({ type }) => type === 'trial-started' },
  'warming up': { weight: 2, is: (event) => event.type === 'trial-phase' && event.phase === 'warmup' },
  measuring: { weight: 3, is: (event) => event.type === 'window' && event.window.phase === 'measure' },
  'between trials': { weight: 2, is: ({ type }) => type === 'trial-finished' },
  'cleaning up': { weight: 1, is: (event) => event.type === 'step-started' && event.kind === 'cleanup' },
  'at its end': { weight: 1, is: ({ type }) => type === 'run-finished' },
};

export interface Cycle {
  index: number;
  /** When the subject was started, ms since 1970: figures of two processes are not compared. */
  session: number;
  moment: string;
  outcome: string;
  /** From asking to the run's end on disk. */
  stopMs: number;
  left: string[];
  /** By role. */
  files: Record<string, number>;
  privateMiB: Record<string, number>;
  /** See `Subject.inside`. */
  inside: Record<string, number>;
}

/**
 * Starts runs and stops each at a moment drawn from the seed, until there are as many as wanted or the time is over. What an
 * earlier call did counts: its cycles are in `stateFile`.
 */
export async function runCycles(options: {
  subject: Subject;
  home: string;
  runtime: ContainerRuntime;
  stateFile: string;
  wanted: number;
  untilMs: number;
  seed: number;
  onCycle: (cycle: Cycle) => void;
}): Promise<Cycle[]> {
  const { subject, home, runtime, stateFile, wanted, untilMs, seed, onCycle } = options;
  const before = await untouched(home, subject);
  const session = Date.now();
  const cycles = readCycles(stateFile);
  while (cycles.length < wanted && Date.now() < untilMs) {
    const index = cycles.length + 1;
    // Of the seed and its number alone, so that a cycle can be repeated by itself.
    const random = createRandom(seed + index);
    const cycle = {
      ...(await oneCycle(index, random, subject, home, runtime)),
      session,
      left: await leftBy(home, runtime, subject, before),
    };
    cycles.push(cycle);
    writeFileSync(stateFile, JSON.stringify(cycles));
    onCycle(cycle);
  }
  return cycles;
}

export function readCycles(stateFile: string): Cycle[] {
  return existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Cycle[]) : [];
}

async function oneCycle(
  index: number,
  random: Random,
  subject: Subject,
  home: string,
  runtime: ContainerRuntime,
): Promise<Omit<Cycle, 'session' | 'left'>> {
  const moment = drawn(random);
  const jitter = random() * JITTER_MS;
  const { is, loads } = MOMENTS[moment] ?? { is: () => true };
  const datasets = new DatasetCache({ runtime, directory: join(home, 'datasets'), appVersion: 'soak' });
  if (loads === true) await datasets.clear();
  const known = new Set(runIdsOf(home));
  await subject.start('soak-short');
  const journal = await JournalTail.ofNext(home, known, BEGIN_MS);
  const reached = await journal.until(is, END_MS);
  if (reached.type !== 'run-finished') await delay(jitter);
  const asked = Date.now();
  if (reached.type !== 'run-finished') {
    await subject.stop();
    await journal.until(({ type }) => type === 'run-finished', END_MS);
  }
  await subject.settle();
  const stopMs = Date.now() - asked;
  const { outcome } = await new RunStore(home).load(journal.runId);
  const processes = (await subject.processes()).flatMap(({ role, pid }) => held(role, pid) ?? []);
  return {
    index,
    moment,
    outcome: outcome ?? 'none',
    stopMs,
    inside: await subject.inside(),
    files: Object.fromEntries(processes.map(({ role, files }) => [role, files])),
    privateMiB: Object.fromEntries(processes.map(({ role, privateMiB }) => [role, privateMiB])),
  };
}

function drawn(random: Random): string {
  const all = Object.entries(MOMENTS);
  let at = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const [name, { weight }] of all) {
    at -= weight;
    if (at < 0) return name;
  }
  return 'begun';
}
