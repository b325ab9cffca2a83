/*
 * How long the one-click comparison takes until it is conclusive, and how wide its intervals are after a fixed time: the
 * schedule of before (a start for each trial, longer trials, a verdict for every combination) against today's
 * (a start for each server and round, a verdict for every effect). Both run in turn through the real session.
 * `--passes N --minutes N` (of each run) `--preset ID --image NAME`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatasetCache } from '../src/benchmark/servers/dataset/dataset-cache.ts';
import { makePlan } from '../src/benchmark/plan/plan.ts';
import { resolvedPreset } from '../src/shared/model/preset.ts';
import { PresetStore } from '../src/benchmark/presets/preset-store.ts';
import { createRandom, type Random, shuffled } from '../src/benchmark/random.ts';
import { startSession } from '../src/benchmark/run/session.ts';
import { StopRule } from '../src/benchmark/run/stop-rule.ts';
import { compareSpeeds, CONFIDENCE, pooledSpeeds } from '../src/shared/analysis/speeds.ts';
import { effectsOf } from '../src/shared/analysis/effects.ts';
import type { RatioEstimate } from '../src/shared/model/analysis.ts';
import type { RunEvent } from '../src/shared/model/events.ts';
import { speed } from '../src/shared/model/measurements.ts';
import { CONSENTS, type Plan, type Scenario, trialId } from '../src/shared/model/plan.ts';
import { isInterimCheck } from '../src/shared/statistics/claims.ts';
import { installation, realRuntime, temporaryHome } from '../tests/integration/helpers/bench.ts';
import { describeMachine } from './lib/machine.ts';
import { median } from './lib/ratio.ts';
import { printTable } from './lib/table.ts';

const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'docker-options' },
    image: { type: 'string' },
    passes: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '7' },
  },
});
const minutes = Number(values.minutes);
const OLD = { rounds: 32, warmupSeconds: 2, durationSeconds: 4, untilConclusive: { budgetMinutes: minutes } };

type Kind = 'before' | 'today';

interface Outcome {
  rounds: number;
  /** From the start of the run until every effect has its first ratio, s. */
  firstEffects: number;
  /** From the start of the first trial until the first interim check without an inconclusive verdict; null: not in time. */
  conclusive: number | null;
  /** Half-widths of the intervals at the end, each as a ratio minus 1. */
  widths: number[];
}

async function planOf(dataDir: string): Promise<Plan> {
  const found = await new PresetStore('presets', dataDir).open(values.preset);
  const preset =
    values.image === undefined || found.server === undefined
      ? found
      : { ...found, server: { ...found.server, image: values.image } };
  return makePlan({
    resolved: resolvedPreset({
      ...preset,
      schedule: { ...preset.schedule, untilConclusive: { budgetMinutes: minutes } },
    }),
    mode: 'full',
    runtime: await realRuntime(),
    imageNamedByUser: values.image !== undefined,
    clientImageFiles: (await installation(dataDir, null)).clientImageFiles,
    referenceDir: 'assets/reference',
  });
}

/** In random order, but no two trials of a server one after the other, so that each has a start of its own. */
function apart(scenarios: readonly Scenario[], random: Random): string[] {
  for (;;) {
    const order = shuffled(scenarios, random);
    const isApart = order.every((one, index) => {
      const next = order[index + 1];
      return next === undefined || one.serverId !== next.serverId;
    });
    if (isApart) return order.map(({ id }) => id);
  }
}

function planAs(kind: Kind, plan: Plan): Plan {
  if (kind === 'today') return plan;
  const random = createRandom(plan.seed);
  return {
    ...plan,
    schedule: OLD,
    rounds: Array.from({ length: OLD.rounds }, () => apart(plan.scenarios, random)),
  };
}

/** Runs for the whole time, whatever is conclusive before. */
async function run(plan: Plan, dataDir: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const { rounds, warmupSeconds, durationSeconds } = plan.schedule;
  let last: NodeJS.Timeout | undefined;
  const session = await startSession(
    { ...plan, schedule: { rounds, warmupSeconds, durationSeconds } },
    await realRuntime(),
    await installation(dataDir, join(dataDir, 'datasets')),
    (event) => {
      events.push(event);
      if (event.type === 'trial-started') last ??= setTimeout(() => session.stop(), minutes * 60_000);
    },
    { consents: CONSENTS },
  );
  await session.done.catch(() => undefined);
  clearTimeout(last);
  return events;
}

function widthsOf(ratios: readonly (RatioEstimate | null)[]): number[] {
  return ratios.flatMap((ratio) =>
    ratio === null || ratio.low === null || ratio.high === null
      ? []
      : [Math.sqrt(ratio.high / ratio.low) - 1],
  );
}

function outcomeOf(kind: Kind, plan: Plan, events: readonly RunEvent[]): Outcome {
  const rates = new Map<string, Map<number, number>>(plan.scenarios.map(({ id }) => [id, new Map()]));
  const places = new Map(
    plan.rounds.flatMap((ids, index) => ids.map((id) => [trialId(index + 1, id), [id, index + 1]] as const)),
  );
  const how = { confidence: CONFIDENCE, equivalence: plan.equivalence };
  const cells = () => compareSpeeds(plan, rates, { ...how, baselineOf: ({ baselineId }) => baselineId });
  const effects = () =>
    effectsOf(plan, pooledSpeeds(plan.scenarios, rates), { ...how, referenceId: plan.baselineId });
  const compared = plan.scenarios.filter(
    ({ id, isAaRepeat, baselineId }) => !isAaRepeat && id !== baselineId,
  );
  const rule = new StopRule(plan, 0);
  const begun = events[0]?.at ?? 0;
  const measuring = events.find(({ type }) => type === 'trial-started')?.at ?? 0;
  let firstEffects = NaN;
  let conclusive: number | null = null;
  let rounds = 0;
  for (const event of events) {
    if (event.type !== 'trial-finished') continue;
    const [id, round] = places.get(event.trialId) ?? ['', 0];
    rates.get(id)?.set(round, speed(event.totals));
    rule.add(id, round, speed(event.totals));
    if (Number.isNaN(firstEffects) && effects().every(({ ratio }) => ratio !== null))
      firstEffects = (event.at - begun) / 1000;
    if (!plan.scenarios.every((one) => rates.get(one.id)?.has(round))) continue;
    rounds = round;
    if (conclusive !== null) continue;
    const isConclusive =
      kind === 'today'
        ? rule.endsAfter(round, 0) === 'conclusive'
        : isInterimCheck(round, plan.schedule.rounds) &&
          compared.every((one) => cells().get(one.id)?.verdict !== 'inconclusive');
    if (isConclusive) conclusive = (event.at - measuring) / 60_000;
  }
  const widths =
    kind === 'today'
      ? widthsOf(effects().map(({ ratio }) => ratio))
      : widthsOf(compared.map(({ id }) => cells().get(id)?.ratio ?? null));
  return { rounds, firstEffects, conclusive, widths };
}

async function main(): Promise<void> {
  const home = await temporaryHome();
  const cache = new DatasetCache({
    runtime: await realRuntime(),
    directory: join(home.dataDir, 'datasets'),
    appVersion: '0.0.0-bench',
  });
  try {
    console.log(`${describeMachine()}\n${values.preset}, ${minutes} min of measuring in each run\n`);
    const rows: [Kind, Outcome][] = [];
    for (let pass = 0; pass < Number(values.passes); pass++) {
      for (const kind of shuffled(['before', 'today'] as const, createRandom(pass))) {
        const plan = planAs(kind, await planOf(home.dataDir));
        rows.push([kind, outcomeOf(kind, plan, await run(plan, home.dataDir))]);
        console.error(`pass ${pass + 1}: ${kind}, ${rows.at(-1)?.[1].rounds} rounds`);
      }
    }
    printTable([
      ['schedule', 'rounds', 'first effects', 'conclusive', 'median half-width', 'widest'],
      ...rows.map(([kind, { rounds, firstEffects, conclusive, widths }]) => [
        kind === 'before' ? 'before: every combination' : 'today: effects',
        String(rounds),
        `${firstEffects.toFixed(0)} s`,
        conclusive === null ? `not in ${minutes} min` : `${conclusive.toFixed(1)} min`,
        `${(100 * median(widths)).toFixed(1)} %`,
        `${(100 * Math.max(...widths)).toFixed(1)} %`,
      ]),
    ]);
  } finally {
    await cache.clear();
    await home.remove();
  }
}

void main();
