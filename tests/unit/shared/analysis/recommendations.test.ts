import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { losesData } from '../../../../src/shared/kinds/storages.ts';
import type { Analysis } from '../../../../src/shared/analysis/analysis.ts';
import { ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import { keepClaimOf } from '../../../../src/shared/words/advice-wording.ts';
import { clauseOf } from '../../../../src/shared/words/finding-wording.ts';
import { headlineText } from '../../../../src/shared/words/wording.ts';
import { IS_FULL } from '../../../helpers/tier.ts';
import { makeState, type ScenarioShape, type TrialOutcome } from '../../builders.ts';

const STORAGES_OF_RUNS = [
  'named-volume',
  'bind-mount',
  'nfs',
  'anonymous-volume',
  'container-layer',
  'tmpfs',
] as const;
const PATHS = ['published-port', 'host-network'] as const;

const NFS = {
  nfs: { address: '192.0.2.1', path: '/data', version: '4.2' as const, soft: false, lock: true },
};

/** A grid measured in three rounds, its throughput by scenario and round, and its flushes, µs. */
function analyzed(
  storages: readonly ScenarioShape['storage'][],
  tps: (storage: string, path: string, round: number) => number,
  flushUs: Partial<Record<string, number>> = {},
): Analysis {
  const scenarios: ScenarioShape[] = storages.flatMap((storage) =>
    PATHS.map((path) => ({ storage, path, ...(storage === 'nfs' ? { options: NFS } : {}) })),
  );
  const outcomes = Object.fromEntries(
    scenarios.map(({ storage, path }) => [
      `${storage}.${path}`,
      [0, 1, 2].map((round): TrialOutcome => tps(storage, path, round)),
    ]),
  );
  return analyze(makeState({ scenarios, rounds: 3, outcomes, flushUs }));
}

describe('recommendations', () => {
  it('never lead to storage that loses data, or that alone confirms flushes too early', () => {
    const factor = fc.double({ min: 0.2, max: 5, noNaN: true });
    const run = fc.record({
      storages: fc.shuffledSubarray([...STORAGES_OF_RUNS], { minLength: 2 }),
      factors: fc.dictionary(fc.constantFrom(...STORAGES_OF_RUNS, ...PATHS), factor),
      flushed: fc.dictionary(fc.constantFrom(...STORAGES_OF_RUNS), fc.constantFrom(4, 110)),
      noise: fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 1, maxLength: 12 }),
    });
    fc.assert(
      fc.property(run, ({ storages, factors, flushed, noise }) => {
        const analysis = analyzed(
          storages,
          (storage, path, round) =>
            1000 *
            (factors[storage] ?? 1) *
            (factors[path] ?? 1) *
            (noise[(round + storage.length + path.length) % noise.length] ?? 1),
          flushed,
        );
        for (const { factor: what, pair } of analysis.recommendations) {
          const [to, from] = [pair?.scenarioId, pair?.referenceId].map((id) =>
            analysis.scenarios.find((one) => one.id === id),
          );
          if (what !== 'storage' || to === undefined || from === undefined) continue;
          expect(losesData(to.label.storage)).toBe(false);
          if (!losesData(from.label.storage) && !from.flags.includes('not-durable'))
            expect(to.flags).not.toContain('not-durable');
        }
      }),
      { numRuns: IS_FULL ? 60 : 20 },
    );
  });

  it('keep the data where it is safe if the faster reference confirms flushes too early', () => {
    const analysis = analyzed(
      ['named-volume', 'bind-mount'],
      (storage) => (storage === 'named-volume' ? 1000 : 250),
      { 'named-volume': 4, 'bind-mount': 270 },
    );
    const about = analysis.recommendations.filter(({ factor }) => factor === 'storage');
    expect(about.map(({ code, from, level, ratio }) => ({ code, from, level, ratio }))).toEqual([
      { code: 'keep-safe-storage', from: 'named-volume', level: 'bind-mount', ratio: null },
    ]);
    expect(headlineText(analysis, t)).toMatch(
      /^Storage: bind mount is 0\.25× as fast as named volume, which can lose data/,
    );
  });

  it.each([
    [1000, 200, 4, 110, 'native.loopback', /0\.20× as fast as without Docker, which can lose data/],
    [200, 1000, 110, 4, 'native.loopback', /5\.0× as fast as without Docker, but can lose data/],
    [200, 1000, 110, 110, 'native.loopback', /5\.0× as fast as without Docker$/],
  ])('of Docker: %i and %i TPS, flushes of %i and %i µs', (native, docker, own, other, baselineId, said) => {
    const scenarios: ScenarioShape[] = [
      { storage: 'native', path: 'loopback' },
      { storage: 'named-volume', path: 'host-network' },
    ];
    const rates = (tps: number): number[] => [tps, tps * 1.01, tps * 0.99, tps];
    const outcomes = { 'native.loopback': rates(native), 'named-volume.host-network': rates(docker) };
    const flushUs = { native: own, 'named-volume': other };
    const { headline } = analyze(makeState({ scenarios, rounds: 4, outcomes, baselineId, flushUs }));
    const [finding] = headline.kind === 'findings' ? headline.findings : [];
    expect(finding && clauseOf(finding, t)).toMatch(said);
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
    expect(keepClaimOf(analysis)).toEqual({ kind: 'best' });
    const { headline } = analysis;
    // Docker as a whole, then the storage types in it.
    expect(
      headline.kind === 'findings' && headline.findings.map(({ factor, kind }) => [factor, kind]),
    ).toEqual([
      [null, 'difference'],
      ['storage', 'same'],
    ]);
  });
});
