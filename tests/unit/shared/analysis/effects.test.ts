import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { Analysis, Effect } from '../../../../src/shared/analysis/analysis.ts';
import { ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import { headlineText } from '../../../../src/shared/words/wording.ts';
import { makeState, type ScenarioShape, type TrialOutcome } from '../../builders.ts';

const STORAGES = ['named-volume', 'bind-mount'] as const;
const PATHS = ['published-port', 'user-bridge', 'host-network'] as const;
const GRID: ScenarioShape[] = STORAGES.flatMap((storage) => PATHS.map((path) => ({ storage, path })));
const NATIVE: ScenarioShape = { storage: 'native', path: 'loopback' };

/** Throughput as a product of the factors' levels, with a drift that a round shares. */
function crossed(factors: Record<string, number>, rounds = 4): Record<string, TrialOutcome[]> {
  return Object.fromEntries(
    GRID.map(({ storage, path }) => [
      `${storage}.${path}`,
      Array.from(
        { length: rounds },
        (_, round) => 1000 * (1 - 0.1 * round) * (factors[storage] ?? 1) * (factors[path] ?? 1),
      ),
    ]),
  );
}

function effect(analysis: Analysis, level: string): Effect {
  const found = analysis.effects.find((one) => one.level === level);
  if (found === undefined) throw new Error(`no effect of ${level}`);
  return found;
}

const FACTORS = { 'bind-mount': 0.5, 'user-bridge': 1.5, 'host-network': 2 };

describe('effects of a grid', () => {
  const analysis = analyze(makeState({ scenarios: GRID, rounds: 4, outcomes: crossed(FACTORS) }));

  it('are the levels’ own ratios, each against the baseline’s level', () => {
    expect(analysis.effects.map(({ factor, level, reference }) => [factor, level, reference])).toEqual([
      ['storage', 'bind-mount', 'named-volume'],
      ['path', 'user-bridge', 'published-port'],
      ['path', 'host-network', 'published-port'],
    ]);
    expect(effect(analysis, 'bind-mount').ratio?.value).toBeCloseTo(0.5, 10);
    expect(effect(analysis, 'user-bridge').ratio?.value).toBeCloseTo(1.5, 10);
    expect(effect(analysis, 'host-network')).toMatchObject({ verdict: 'faster', dependsOn: null, at: [] });
  });

  it('cost throughput, and time for each transaction', () => {
    const { cost } = effect(analysis, 'bind-mount');
    const [reference] = [(1000 * 0.85 * Math.cbrt(1.5 * 2)) as number];
    expect(cost?.tps).toBeCloseTo(reference / 2, 0);
    expect(cost?.ms).toBeCloseTo((1000 * 8) / reference, 1);
  });

  it('follow another baseline', () => {
    const turned = analyze(makeState({ scenarios: GRID, rounds: 4, outcomes: crossed(FACTORS) }), {
      baselineId: 'bind-mount.host-network',
    });
    expect(effect(turned, 'named-volume').ratio?.value).toBeCloseTo(2, 10);
    expect(effect(turned, 'published-port')).toMatchObject({ reference: 'host-network', verdict: 'slower' });
  });
});

describe('incomplete runs', () => {
  it('use the rounds that have all combinations', () => {
    const outcomes = crossed(FACTORS, 8);
    const failed = outcomes['bind-mount.host-network'];
    if (failed !== undefined) failed[1] = 'LOAD_FAILED';
    const { rounds, pairs, ratio } = effect(
      analyze(makeState({ scenarios: GRID, rounds: 8, outcomes })),
      'bind-mount',
    );
    expect(rounds).toEqual([1, 3, 4, 5, 6, 7, 8]);
    expect(pairs).toHaveLength(3);
    expect(ratio?.value).toBeCloseTo(0.5, 10);
  });

  it('leave out a combination that has hardly any rounds', () => {
    const outcomes = crossed(FACTORS);
    outcomes['bind-mount.host-network'] = [1000, 'LOAD_FAILED', 'LOAD_FAILED', 'LOAD_FAILED'];
    const { rounds, pairs } = effect(
      analyze(makeState({ scenarios: GRID, rounds: 4, outcomes })),
      'bind-mount',
    );
    expect(rounds).toEqual([1, 2, 3, 4]);
    expect(pairs.map(({ scenarioId }) => scenarioId)).toEqual([
      'bind-mount.published-port',
      'bind-mount.user-bridge',
    ]);
  });

  it('have effects without an interval after one round, and none of what was never measured', () => {
    const outcomes = { ...crossed(FACTORS, 1), 'bind-mount.host-network': [] };
    const first = analyze(makeState({ scenarios: GRID, rounds: 3, outcomes }));
    expect(effect(first, 'bind-mount')).toMatchObject({ verdict: 'inconclusive', ratio: { low: null } });
    const none = { ...outcomes, 'bind-mount.published-port': [], 'bind-mount.user-bridge': [] };
    const without = analyze(makeState({ scenarios: GRID, rounds: 3, outcomes: none }));
    expect(effect(without, 'bind-mount').ratio).toBeNull();
    expect(headlineText(without, t)).not.toContain('ind mount');
  });
});

describe('an effect that depends on another factor', () => {
  const outcomes = crossed({ 'user-bridge': 1.5, 'host-network': 2 });
  for (const path of ['user-bridge', 'host-network']) {
    outcomes[`bind-mount.${path}`] = (outcomes[`named-volume.${path}`] ?? []).map((tps, round) =>
      typeof tps === 'number' ? tps * (0.4 + 0.001 * round) : tps,
    );
  }
  const analysis = analyze(makeState({ scenarios: GRID, rounds: 4, outcomes }));

  it('is reported at each of its levels', () => {
    const { dependsOn, at } = effect(analysis, 'bind-mount');
    expect(dependsOn).toBe('path');
    expect(at.map(({ level, verdict }) => [level, verdict])).toEqual([
      ['published-port', 'same'],
      ['user-bridge', 'slower'],
      ['host-network', 'slower'],
    ]);
  });

  it('is worded for each level, since the average would mislead', () => {
    expect(headlineText(analysis, t)).toContain('published port no meaningful difference');
  });
});

describe('a native server', () => {
  const outcomes = { ...crossed(FACTORS), 'native.loopback': [2400, 2160, 1920, 1680] };
  const analysis = analyze(makeState({ scenarios: [NATIVE, ...GRID], rounds: 4, outcomes }));

  it('is compared with the storage in a container over the host’s network, which has the same path', () => {
    expect(effect(analysis, 'native').pairs).toEqual([
      { scenarioId: 'native.loopback', referenceId: 'named-volume.host-network' },
    ]);
    expect(effect(analysis, 'native').ratio?.value).toBeCloseTo(1.2, 10);
  });

  it('does not become what storage types are compared with, although it is the baseline', () => {
    expect(analysis.baselineId).toBe('native.loopback');
    expect(effect(analysis, 'bind-mount').reference).toBe('named-volume');
    expect(headlineText(analysis, t)).toMatch(
      /^Docker: named volume via published port is 0\.4\d× as fast as without Docker/,
    );
  });
});
