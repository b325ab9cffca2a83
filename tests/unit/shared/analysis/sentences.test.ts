import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimOf } from '../../../../src/shared/analysis/finding-claim.ts';
import { headlineOf } from '../../../../src/shared/analysis/findings.ts';
import {
  type Estimate,
  estimateAt,
  type RatioEstimate,
  studentEstimate,
} from '../../../../src/shared/statistics/estimate.ts';
import { marginOf } from '../../../../src/shared/analysis/effects.ts';
import { losesData } from '../../../../src/shared/kinds/storages.ts';
import type { Analysis, Effect } from '../../../../src/shared/analysis/analysis.ts';
import type { Finding } from '../../../../src/shared/model/history-entry.ts';
import type { Factor } from '../../../../src/shared/model/factors.ts';
import { claimsOf } from '../../../../src/shared/statistics/claims.ts';
import { keepClaimOf, keepText } from '../../../../src/shared/words/advice-wording.ts';
import { chipOf, clauseOf } from '../../../../src/shared/words/finding-wording.ts';
import { ENGLISH, type Translate } from '../../../../src/shared/words/i18n.ts';
import { makeState } from '../../builders.ts';
import { IS_FULL } from '../../../helpers/tier.ts';

const RUNS = IS_FULL ? 10_000 : 2_000;
const EQUIVALENCE = 0.05;
const STORAGES = ['named-volume', 'bind-mount', 'container-layer', 'tmpfs', 'anonymous-volume'] as const;
const PATHS = ['published-port', 'host-network', 'user-bridge', 'shared-netns'] as const;

const { scenarios: PLANNED } = makeState({
  scenarios: [
    ...STORAGES.map((storage) => ({ storage, path: 'published-port' as const })),
    ...PATHS.slice(1).map((path) => ({ storage: 'named-volume' as const, path })),
    { storage: 'native', path: 'loopback' },
  ],
}).plan;
const idOf = (storage: string, path: string): string =>
  PLANNED.find((one) => one.storage.kind === storage && one.path === path)?.id ?? '';
const BASELINE = idOf('named-volume', 'published-port');

interface Drawn {
  log: number;
  error: number;
  samples: number;
  isFlagged: boolean;
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  log: fc.oneof(
    fc.double({ min: -0.08, max: 0.08, noNaN: true }),
    fc.double({ min: -2.5, max: 2.5, noNaN: true }),
    fc.constant(-Infinity),
  ),
  error: fc.oneof(fc.double({ min: 0, max: 0.03, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  samples: fc.constantFrom(1, 2, 3, 5, 12, 20),
  isFlagged: fc.boolean(),
});

function ratioOf({ log, error, samples }: Drawn): Estimate {
  const counts = { samples, pairedRounds: samples };
  const standardError = samples < 3 || log === -Infinity ? null : error;
  return studentEstimate({ value: Math.exp(log), standardError, degrees: samples - 1, ...counts });
}

/** Effects of random levels with random intervals, with the verdicts that all of them together allow. */
const results: fc.Arbitrary<Analysis> = fc
  .record({
    storages: fc.subarray([...STORAGES.slice(1), 'native'] as const),
    paths: fc.subarray([...PATHS.slice(1)]),
    each: fc.array(drawn, { minLength: 8, maxLength: 8 }),
    between: fc.array(drawn, { minLength: 28, maxLength: 28 }),
    docker: fc.option(drawn),
  })
  .map(({ storages, paths, each, between, docker }) => {
    const levels: [Factor, string, string][] = [
      ...storages.map((one): [Factor, string, string] => [
        'storage',
        one,
        idOf(one, one === 'native' ? 'loopback' : 'published-port'),
      ]),
      ...paths.map((one): [Factor, string, string] => ['path', one, idOf('named-volume', one)]),
    ];
    const ratios = levels.map((_, index) => ratioOf(each[index] as Drawn));
    const claims = claimsOf(
      ratios.map((estimate, index) => ({
        estimate,
        margin: marginOf(levels[index]?.[0] ?? 'path', EQUIVALENCE),
      })),
      { alpha: 0.05 },
    );
    const effects = levels.map(([factor, level, scenarioId], index): Effect => {
      const ratio = ratios[index] ?? null;
      const { verdict, level: at } = claims[index] ?? { verdict: 'inconclusive', level: null };
      return {
        factor,
        level,
        reference: factor === 'storage' ? 'named-volume' : 'published-port',
        pairs: [{ scenarioId, referenceId: BASELINE }],
        rounds: [],
        ratio: estimateAt(ratio, 0.05, 0.95),
        margin: marginOf(factor, EQUIVALENCE),
        verdict,
        named: at === null ? null : estimateAt(ratio, at, 0.95),
        dependsOn: null,
        at: [],
        others: levels.flatMap(([other, name], at) =>
          other === factor && at > index
            ? [
                {
                  level: name,
                  ratio: estimateAt(
                    ratioOf(between[pairOf(index, at)] as Drawn),
                    0.05,
                    0.95,
                  ) as RatioEstimate,
                },
              ]
            : [],
        ),
        unsafe: {
          level:
            factor === 'storage' &&
            level !== 'native' &&
            (losesData(level as never) || each[index]?.isFlagged === true),
          reference: false,
        },
        cost: null,
        took: null,
      };
    });
    const own = docker && ratioOf(docker);
    const [claim] = claimsOf([{ estimate: own, margin: EQUIVALENCE }], { alpha: 0.05 });
    const scenarios = PLANNED.map(({ id, label, storage }) => {
      const isNative = storage.kind === 'native';
      const isTypical = docker !== null && id === BASELINE;
      return {
        ...{ id, label, measured: 3, flags: [], durability: null },
        isBaseline: docker === null ? id === BASELINE : isNative,
        baselineId: docker === null ? BASELINE : idOf('native', 'loopback'),
        ratio: isTypical ? estimateAt(own, 0.05, 0.95) : null,
        margin: EQUIVALENCE,
        named: isTypical && (claim?.level ?? null) !== null ? estimateAt(own, claim?.level ?? 0, 0.95) : null,
        verdict: isTypical ? (claim?.verdict ?? 'inconclusive') : 'inconclusive',
      };
    });
    const known = {
      scenarios,
      effects,
      equivalence: EQUIVALENCE,
      task: null,
      app: { place: null, isAsked: false },
    } as unknown as Analysis;
    return { ...known, headline: headlineOf(known), recommendations: [], baselineId: BASELINE };
  });

/** A place for each pair of eight. */
const pairOf = (one: number, other: number): number => (other * (other - 1)) / 2 + one;

/** Two choices of a finding, and the interval of their ratio. */
interface Interval {
  labels: unknown[];
  low: number;
  high: number;
}

function intervalsOf(finding: Finding, { effects, scenarios }: Analysis): Interval[] {
  const labelOf = (id: string | undefined): unknown => scenarios.find((one) => one.id === id)?.label;
  const interval = (labels: unknown[], ratio: Pick<RatioEstimate, 'low' | 'high'> | null): Interval => ({
    labels,
    low: ratio?.low ?? 0,
    high: ratio?.high ?? Infinity,
  });
  if (finding.factor === null) return [interval([finding.of, finding.against], finding.ratio)];
  const own = effects.filter(({ factor, level }) => factor === finding.factor && level !== 'native');
  const all = own.length > 0 ? own : effects.filter(({ factor }) => factor === finding.factor);
  return all.flatMap(({ ratio, named, pairs, others }) => {
    const label = labelOf(pairs[0]?.scenarioId);
    return [
      interval([label, finding.against], named ?? ratio),
      ...others.flatMap((one) => {
        const other = all.find(({ level }) => level === one.level);
        return other === undefined ? [] : [interval([label, labelOf(other.pairs[0]?.scenarioId)], one.ratio)];
      }),
    ];
  });
}

/** Differences within a claim's bound that the interval of a choice excludes, for choices that the claim covers. */
function excessOf(finding: Finding, analysis: Analysis): string[] {
  const claim = claimOf(finding);
  const { ratio } = finding;
  if (claim.kind === 'unknown' || claim.kind === 'varies') return [];
  if (claim.kind === 'ratio') {
    const isSure = claim.value > 1 ? (ratio.low ?? 0) > 1 : (ratio.high ?? Infinity) < 1;
    return claim.value === ratio.value && isSure ? [] : [`${claim.value}`];
  }
  const own: Interval = { labels: [], low: ratio.low ?? 0, high: ratio.high ?? Infinity };
  const counted =
    claim.kind === 'apart' && claim.scope === 'pair'
      ? [own]
      : intervalsOf(finding, analysis).filter(
          ({ labels }) => !labels.some((one) => claim.without.includes(one as never)),
        );
  return counted.flatMap(({ low, high }) =>
    Math.max(high, 1 / low) > claim.bound * (1 + 1e-12) ? [`${low}–${high} > ${claim.bound}`] : [],
  );
}

/** A translator that keeps what it was asked for. */
function listening(): { t: Translate; asked: { key: string; number: unknown }[] } {
  const asked: { key: string; number: unknown }[] = [];
  const t = ((key: string, params: Record<string, unknown> = {}) => {
    asked.push({ key, number: params['number'] ?? params['percent'] });
    return ENGLISH(key as never, params as never);
  }) as unknown as Translate;
  return { t: Object.assign(t, { language: ENGLISH.language }), asked };
}

const KEYS = {
  ratio: /^report:finding\.(difference|docker)\./,
  apart: /^report:finding\.(apart\.|without$)/,
  same: /^report:finding\.(same\.|without$|chip\.same)/,
  varies: /^report:finding\.(dependsOn\.|at$|level\.|chip\.varies)/,
  unknown: /^report:finding\.(tooFew|noisy|stalled|chip\.unknown)$/,
};

describe('what is said of a result', () => {
  it('claims no more than the intervals, whichever of the choices a reader uses', () => {
    let said = 0;
    fc.assert(
      fc.property(results, (analysis) => {
        const { headline } = analysis;
        const findings = headline.kind === 'findings' ? headline.findings : [];
        for (const finding of findings) {
          said += 1;
          expect(excessOf(finding, analysis)).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(said).toBeGreaterThan(RUNS / 2);
  });

  it('says nothing but its claim, with a bound that is never rounded down', () => {
    fc.assert(
      fc.property(results, ({ headline }) => {
        for (const finding of headline.kind === 'findings' ? headline.findings : []) {
          const claim = claimOf(finding);
          for (const text of [clauseOf, chipOf]) {
            const { t, asked } = listening();
            text(finding, t);
            const keys = asked.map(({ key }) => key).filter((key) => key.startsWith('report:finding.'));
            for (const key of keys) expect(key).toMatch(KEYS[claim.kind]);
            const sizes = asked.flatMap(({ key, number }) =>
              key === 'report:effect.size' ? [Number(number)] : [],
            );
            if (claim.kind === 'apart' || (claim.kind === 'same' && text === clauseOf))
              expect(Math.min(...sizes)).toBeGreaterThanOrEqual(claim.bound - 1e-8);
            else expect(sizes.length).toBe(claim.kind === 'ratio' ? 1 : 0);
          }
        }
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('advises to keep a setup only as far as the intervals of its changes reach', () => {
    fc.assert(
      fc.property(results, (analysis) => {
        const claim = keepClaimOf(analysis);
        expect(keepText(analysis, ENGLISH) === undefined).toBe(claim === undefined);
        if (claim === undefined || claim.kind === 'unknown') return;
        const safe = analysis.effects.filter(({ unsafe, level }) => !unsafe.level && level !== 'native');
        for (const { ratio, named, margin } of safe) {
          const bound = claim.kind === 'atMost' ? claim.bound : 1 + margin;
          expect((named ?? ratio)?.high ?? Infinity).toBeLessThanOrEqual(bound);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
