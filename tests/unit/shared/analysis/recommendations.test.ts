import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { recommendationsOf } from '../../../../src/shared/analysis/recommendations.ts';
import { losesData, STORAGES } from '../../../../src/shared/kinds/storages.ts';
import type {
  Analysis,
  RecommendationCode,
  StatementFigures,
} from '../../../../src/shared/model/analysis.ts';
import { ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import { adviceText } from '../../../../src/shared/words/finding-wording.ts';
import { makeState, type ScenarioShape, type TrialOutcome } from '../../builders.ts';

const SAFE = ['named-volume', 'bind-mount', 'nfs', 'anonymous-volume'] as const;
const UNSAFE = ['container-layer', 'tmpfs'] as const;
const PATHS = ['published-port', 'host-network'] as const;

const NFS = {
  nfs: { address: '192.0.2.1', path: '/data', version: '4.2' as const, soft: false, lock: true },
};

/** A grid measured in `rounds`, its throughput by scenario and round. */
function analyzed(
  storages: readonly ScenarioShape['storage'][],
  tps: (storage: string, path: string, round: number) => number,
  rounds = 3,
): Analysis {
  const scenarios: ScenarioShape[] = storages.flatMap((storage) =>
    PATHS.map((path) => ({ storage, path, ...(storage === 'nfs' ? { options: NFS } : {}) })),
  );
  const outcomes = Object.fromEntries(
    scenarios.map(({ storage, path }) => [
      `${storage}.${path}`,
      Array.from({ length: rounds }, (_, round): TrialOutcome => tps(storage, path, round)),
    ]),
  );
  return analyze(makeState({ scenarios, rounds, outcomes }));
}

const adviceOn = (analysis: Analysis, code: RecommendationCode) =>
  analysis.recommendations.find((one) => one.code === code);

describe('recommendations', () => {
  it('never lead to a storage type that loses data without saying what is lost', () => {
    const factor = fc.double({ min: 0.2, max: 5, noNaN: true });
    const run = fc.record({
      storages: fc
        .tuple(fc.shuffledSubarray([...SAFE], { minLength: 1 }), fc.shuffledSubarray([...UNSAFE]))
        .chain(([safe, unsafe]) =>
          fc.shuffledSubarray([...safe, ...unsafe], { minLength: safe.length + unsafe.length }),
        ),
      factors: fc.dictionary(fc.constantFrom(...SAFE, ...UNSAFE, ...PATHS), factor),
      noise: fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 1, maxLength: 12 }),
    });
    fc.assert(
      fc.property(run, ({ storages, factors, noise }) => {
        const analysis = analyzed(
          storages,
          (storage, path, round) =>
            1000 *
            (factors[storage] ?? 1) *
            (factors[path] ?? 1) *
            (noise[(round + storage.length + path.length) % noise.length] ?? 1),
        );
        for (const one of analysis.recommendations) {
          const to = analysis.scenarios.find(({ id }) => id === one.pair?.scenarioId)?.label.storage;
          if (one.factor !== 'storage' || to === undefined || !losesData(to)) continue;
          expect([one.code, one.costs]).toEqual(['keep-safe-storage', 'durability']);
          const { cost, gain } = adviceText(one, analysis, 'native', t);
          expect(cost).not.toBeNull();
          // Its speed is no reason to use it.
          expect(gain).toBeNull();
        }
      }),
      { numRuns: 30 },
    );
    expect(UNSAFE.every((kind) => losesData(kind) && STORAGES[kind].durability !== 'kept')).toBe(true);
  });

  it('lead from NFS to a local disk, with its gain', () => {
    const analysis = analyzed(['named-volume', 'nfs'], (storage) => (storage === 'nfs' ? 400 : 1000));
    const found = adviceOn(analysis, 'leave-nfs');
    expect(found?.ratio?.value).toBeCloseTo(2.5, 5);
    expect(found).toMatchObject({ from: 'nfs', level: 'named-volume', costs: 'convenience' });
  });

  it('leave out a native server, which is no storage type to move to', () => {
    const scenarios: ScenarioShape[] = [
      { storage: 'native', path: 'loopback' },
      { storage: 'named-volume', path: 'host-network' },
      { storage: 'bind-mount', path: 'host-network' },
    ];
    const outcomes = {
      'native.loopback': [1000, 1000, 1000, 1000],
      'named-volume.host-network': [700, 701, 699, 700],
      'bind-mount.host-network': [701, 700, 700, 699],
    };
    const analysis = analyze(makeState({ scenarios, rounds: 4, outcomes }));
    expect(analysis.recommendations.map(({ code, factor }) => [code, factor])).toContainEqual([
      'nothing-to-change',
      'storage',
    ]);
    const { headline } = analysis;
    // Docker as a whole, with what it costs, then the storage types in it.
    expect(
      headline.kind === 'findings' && headline.findings.map(({ factor, kind }) => [factor, kind]),
    ).toEqual([
      [null, 'difference'],
      ['storage', 'same'],
    ]);
    expect(headline.kind === 'findings' ? headline.findings[0]?.cost?.tps : undefined).toBeCloseTo(300, 0);
  });

  describe('to group writes', () => {
    const state = makeState({
      scenarios: [
        { storage: 'named-volume', path: 'published-port' },
        { storage: 'tmpfs', path: 'published-port' },
      ],
      rounds: 3,
    });
    const figures = (each: number, meanUs: number): StatementFigures => ({
      each,
      meanUs,
      count: 1,
      minUs: meanUs,
      p50Us: meanUs,
      p95Us: meanUs,
      p99Us: meanUs,
      maxUs: meanUs,
    });
    /** Codes of a run whose commits take so long, µs, in the named volume and in memory; the rest takes 1 ms. */
    const codes = (volume: number, memory: number, run = state): string[] => {
      const analysis = analyze(run);
      const scenarios = analysis.scenarios.map((one) => ({
        ...one,
        figures: {
          ...one.figures,
          statements: {
            point: figures(10, 100),
            commit: figures(1, one.label.storage === 'tmpfs' ? memory : volume),
          },
        },
      }));
      return recommendationsOf(run, { ...analysis, scenarios }).map(({ code }) => code);
    };

    it('is advised where commits take most of the time, whatever memory does', () => {
      expect(codes(3000, 10)).toContain('group-writes');
      expect(codes(500, 3000)).not.toContain('group-writes');
    });

    it('is not advised where a commit doesn’t flush', () => {
      const [setup] = state.plan.setups;
      if (setup === undefined) throw new Error('a plan has a setup');
      const relaxed = { ...setup, settings: { ...setup.settings, flushLogAtTrxCommit: 2 as const } };
      expect(codes(3000, 10, { ...state, plan: { ...state.plan, setups: [relaxed] } })).not.toContain(
        'group-writes',
      );
    });
  });
});
