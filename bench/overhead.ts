// Where the wall time of a run goes that is neither warm-up nor measuring: a built-in preset through the real session, once to
// fill the caches and once to look at. `--rounds N --duration S --warmup S --preset ID --cold` (only the first of the two).
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatasetCache } from '../src/benchmark/servers/dataset/dataset-cache.ts';
import { resolvedPreset } from '../src/shared/model/preset.ts';
import { PresetStore } from '../src/benchmark/presets/preset-store.ts';
import { makePlan } from '../src/benchmark/plan/plan.ts';
import { startSession } from '../src/benchmark/run/session.ts';
import type { RunEvent } from '../src/shared/model/events.ts';
import type { Plan } from '../src/shared/model/plan.ts';
import { installation, realRuntime, temporaryHome } from '../tests/integration/helpers/bench.ts';
import { describeMachine } from './lib/machine.ts';
import { stretches, total, type Stretch } from './lib/run-time.ts';
import { printTable } from './lib/table.ts';
import { timedRuntime, type EngineCall } from './lib/timed-runtime.ts';

const REACH_SECONDS = 6;
/** Wall time that a trial is meant to spend with load. */
const LOADED: ReadonlySet<string> = new Set(['warmup', 'measure']);

const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'docker-options' },
    rounds: { type: 'string', default: '3' },
    duration: { type: 'string', default: '2' },
    warmup: { type: 'string', default: '1' },
    cold: { type: 'boolean', default: false },
    scenarios: { type: 'boolean', default: false },
  },
});

interface Observed {
  plan: Plan;
  events: RunEvent[];
  calls: EngineCall[];
}

async function observe(dataDir: string): Promise<Observed> {
  const { runtime, calls } = timedRuntime(await realRuntime());
  const found = await new PresetStore('presets', dataDir).open(values.preset);
  const schedule = {
    ...found.schedule,
    rounds: Number(values.rounds),
    warmupSeconds: Number(values.warmup),
    durationSeconds: Number(values.duration),
  };
  const install = await installation(dataDir, join(dataDir, 'datasets'));
  const plan = await makePlan({
    resolved: resolvedPreset({ ...found, schedule }),
    mode: 'full',
    runtime,
    imageNamedByUser: false,
    clientImageFiles: install.clientImageFiles,
    referenceDir: 'assets/reference',
  });
  const events: RunEvent[] = [];
  const session = await startSession(plan, runtime, install, (event) => events.push(event), {
    consents: plan.consents.map(({ consent }) => consent),
  });
  const stop = (): void => session.stop();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { state } = await session.done;
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  const failed = state.trials.filter(({ status }) => status !== 'measured');
  if (state.outcome !== 'completed' || failed.length > 0) {
    throw new Error(
      `the run was not whole: ${JSON.stringify(state.error ?? failed[0]?.error ?? state.outcome)}`,
    );
  }
  return { plan, events, calls };
}

function report(title: string, { plan, events, calls }: Observed): number {
  const all = stretches(events);
  const trials = plan.rounds.flat().length;
  const seconds = (ms: number): string => (ms / 1000).toFixed(2);
  const loadedMs = trials * (plan.schedule.warmupSeconds + plan.schedule.durationSeconds) * 1000;
  const wallMs = total(all, () => true);
  const perTrial = (wallMs - loadedMs) / trials / 1000;

  console.log(`\n### ${title}: ${trials} trials, ${seconds(wallMs)} s in all\n`);
  const names = [...new Set(all.map(({ name }) => name))];
  const rows = names.map((name) => {
    const once = total(all, (one) => one.name === name && one.trialId === undefined);
    const within = total(all, (one) => one.name === name && one.trialId !== undefined);
    const meant = LOADED.has(name) ? loadedOf(plan, name) : 0;
    return [name, once, within / trials - meant] as const;
  });
  printTable([
    ['phase', 'once a run, s', 'in each trial, s'],
    ...rows
      .filter(([, once, each]) => once + each > 0)
      .map(([name, once, each]) => [
        LOADED.has(name) ? `${name}, beyond its time` : name,
        once === 0 ? '' : seconds(once),
        each === 0 ? '' : seconds(each),
      ]),
    [
      '**all**',
      seconds(rows.reduce((sum, [, once]) => sum + once, 0)),
      seconds(rows.reduce((sum, [, , each]) => sum + each, 0)),
    ],
  ]);
  console.log();
  printTable([
    ['figure', 'here', 'reach'],
    ['wall time without load, per trial', `${perTrial.toFixed(2)} s`, `≤ ${REACH_SECONDS} s`],
  ]);
  console.log('\nThe engine, by what it was asked (calls at the same time count twice):\n');
  printEngine(calls, all, trials);
  if (values.scenarios) printScenarios(plan, all);
  return perTrial;
}

function loadedOf({ schedule }: Plan, name: string): number {
  return (name === 'warmup' ? schedule.warmupSeconds : schedule.durationSeconds) * 1000;
}

function printEngine(calls: EngineCall[], all: Stretch[], trials: number): void {
  const first = all.find(({ trialId }) => trialId !== undefined)?.startMs ?? Infinity;
  const last = all.filter(({ trialId }) => trialId !== undefined).at(-1)?.endMs ?? Infinity;
  const part = (from: number, to: number): Map<string, { count: number; ms: number }> => {
    const sums = new Map<string, { count: number; ms: number }>();
    for (const { method, startMs, endMs } of calls) {
      if (startMs < from || startMs >= to) continue;
      const sum = sums.get(method) ?? { count: 0, ms: 0 };
      sums.set(method, { count: sum.count + 1, ms: sum.ms + endMs - startMs });
    }
    return sums;
  };
  const [before, during, after] = [part(0, first), part(first, last), part(last, Infinity)];
  const cell = (sum: { count: number; ms: number } | undefined, per = 1): string =>
    sum === undefined
      ? ''
      : `${(sum.count / per).toFixed(per === 1 ? 0 : 1)} × ${(sum.ms / sum.count).toFixed(0)} ms`;
  const methods = [...new Set(calls.map(({ method }) => method))].sort();
  printTable([
    ['call', 'preparation', 'in each trial', 'cleanup'],
    ...methods.map((method) => [
      method,
      cell(before.get(method)),
      cell(during.get(method), trials),
      cell(after.get(method)),
    ]),
  ]);
}

function printScenarios(plan: Plan, all: Stretch[]): void {
  console.log('\nBy scenario, mean of a trial, s:\n');
  const phases = ['start', 'check', 'connect', 'warmup', 'measure', 'after measuring', 'stop'];
  printTable([
    ['scenario', ...phases],
    ...plan.scenarios.map(({ id }) => [
      id,
      ...phases.map((name) => {
        const ms = total(all, (one) => one.name === name && one.trialId?.replace(/^r\d+\./, '') === id);
        return (ms / plan.schedule.rounds / 1000).toFixed(2);
      }),
    ]),
  ]);
}

async function main(): Promise<void> {
  const home = await temporaryHome();
  const cache = new DatasetCache({
    runtime: await realRuntime(),
    directory: join(home.dataDir, 'datasets'),
    appVersion: '0.0.0-bench',
  });
  try {
    console.log(describeMachine());
    const first = report('Images cached, dataset loaded', await observe(home.dataDir));
    const perTrial = values.cold ? first : report('Images and dataset cached', await observe(home.dataDir));
    process.exitCode = perTrial <= REACH_SECONDS ? 0 : 1;
  } finally {
    await cache.clear();
    await home.remove();
  }
}

void main();
