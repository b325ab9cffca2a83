import { expect, it } from 'vitest';
import { StopRule } from '../../../../src/benchmark/run/stop-rule.ts';
import type { PathKind } from '../../../../src/shared/kinds/paths.ts';
import type { Verdict } from '../../../../src/shared/model/names.ts';
import { isDifference } from '../../../../src/shared/statistics/claims.ts';
import {
  compareSpeeds,
  CONFIDENCE,
  levelOfLook,
  type RateComparison,
} from '../../../../src/shared/analysis/speeds.ts';
import { pooledSpeeds, sampleCount, type Speeds } from '../../../../src/shared/analysis/samples.ts';
import { estimatorOf } from '../../../../src/shared/analysis/estimator.ts';
import { type EstimatedEffect, effectsOf } from '../../../../src/shared/analysis/effects.ts';

/**
 * A plan with a baseline, `s0`, and scenarios that are compared with it: every storage with every path. The
 * host network has separate servers.
 */
export function planOf(
  storages: number,
  rounds: number,
  {
    budgetMinutes,
    paths = ONE,
    passes,
  }: { budgetMinutes?: number; paths?: readonly PathKind[]; passes?: number } = {},
) {
  return {
    scenarios: Array.from({ length: storages * paths.length }, (_, index) => ({
      id: `s${index}`,
      serverId: serverOf(index, paths),
      baselineId: 's0',
      isAaRepeat: false,
      storageId: `storage${Math.floor(index / paths.length)}`,
      storage: { kind: 'named-volume' as const },
      path: paths[index % paths.length] ?? 'published-port',
      engine: 'docker-engine',
      server: null,
      loadGenerator: 'builtin' as const,
      connections: 8,
    })),
    baselineId: 's0',
    schedule: {
      rounds,
      warmupSeconds: 5,
      durationSeconds: passes ?? 10,
      ...(passes === undefined ? {} : { sliceSeconds: 1 }),
      ...(budgetMinutes === undefined ? {} : { untilConclusive: { budgetMinutes } }),
    },
    equivalence: 0.05,
  };
}

export function serverOf(scenario: number, paths: readonly PathKind[]): string {
  const isHost = paths[scenario % paths.length] === 'host-network';
  return `server${Math.floor(scenario / paths.length)}${isHost ? '-host' : ''}`;
}

const ONE: readonly PathKind[] = ['published-port'];

/** A run's comparisons without its baseline. */
export function comparedAs(plan: ReturnType<typeof planOf>, rates: Speeds): RateComparison[] {
  const all = compareSpeeds(plan.scenarios, rates, {
    confidence: CONFIDENCE,
    marginOf: () => plan.equivalence,
    levelOf: levelOfLook(plan, sampleCount(rates)),
    baselineOf: () => 's0',
    estimate: estimatorOf(plan, rates),
  });
  return [...all].flatMap(([id, one]) => (id === 's0' ? [] : [one]));
}

/** Brief effects name no dependence. */
export function effectsIn(plan: ReturnType<typeof planOf>, rates: Speeds, isBrief = true): EstimatedEffect[] {
  const { equivalence, baselineId } = plan;
  return effectsOf(plan.scenarios, pooledSpeeds(plan.scenarios, rates), {
    confidence: CONFIDENCE,
    equivalence,
    levelOf: levelOfLook(plan, sampleCount(rates)),
    referenceId: baselineId,
    estimate: estimatorOf(plan, rates),
    isBrief,
  });
}

export const isNamedDifference = ({ verdict }: { verdict: Verdict }): boolean => isDifference(verdict);

/** The rates up to the sample after which a run until conclusive ends. */
export function untilConclusive(plan: ReturnType<typeof planOf>, rates: Speeds): Speeds {
  const stopRule = new StopRule(plan);
  const seen = new Set<number>();
  for (const sample of rates.get('s0')?.keys() ?? []) {
    seen.add(sample);
    for (const [id, all] of rates) {
      const rate = all.get(sample);
      if (rate !== undefined) stopRule.add(id, sample, rate);
    }
    if (stopRule.after(0) !== undefined) break;
  }
  return new Map([...rates].map(([id, all]) => [id, new Map([...all].filter(([one]) => seen.has(one)))]));
}

/** The share of so many runs that count. */
export function shareOf(runs: number, isCounted: () => boolean): number {
  let counted = 0;
  for (let run = 0; run < runs; run++) if (isCounted()) counted++;
  return counted / runs;
}

/** A line of a table of shares. */
export function printRow(name: string, shares: number[]): void {
  const cells = shares.map((one) => `${(100 * one).toFixed(1)} %`.padStart(9));
  process.stdout.write(`${name.padEnd(62)}${cells.join('')}\n`);
}

export function printHead(title: string, columns: string[]): void {
  process.stdout.write(`\n${title}\n${''.padEnd(62)}${columns.map((one) => one.padStart(9)).join('')}\n`);
}

/** A test and a printed row for each world: its shares lie within the bounds. */
export function eachWithin<W extends { name: string }>(
  says: string,
  worlds: readonly W[],
  sharesOf: (world: W) => number[],
  [least, most]: readonly [number, number],
): void {
  it.each(worlds.map((world) => [world.name, world] as const))(says, (name, world) => {
    const shares = sharesOf(world);
    printRow(name, shares);
    for (const share of shares) {
      expect(share).toBeGreaterThanOrEqual(least);
      expect(share).toBeLessThanOrEqual(most);
    }
  });
}
