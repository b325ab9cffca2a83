import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import type { RatioEstimate } from '../../../../src/shared/model/analysis.ts';
import {
  headlineLines,
  headlineText,
  aaCheckText,
  durabilityNotes,
  verdictLabel,
  verdictText,
} from '../../../../src/shared/words/wording.ts';
import type { Finding } from '../../../../src/shared/model/history-entry.ts';
import { findingClause, findingText } from '../../../../src/shared/words/finding-wording.ts';
import { effectIntervalText, effectText } from '../../../../src/shared/words/effect-wording.ts';
import { formatRatio } from '../../../../src/shared/words/units.ts';
import { makeState, type ScenarioShape, type TrialOutcome } from '../../builders.ts';

const t = createTranslator('en');
const ratio = (value: number, low: number | null, high: number | null): RatioEstimate => ({
  value,
  low,
  high,
  standardError: low === null ? null : 0.02,
  confidence: 0.95,
  degrees: 4,
  samples: 5,
  pairedRounds: 5,
});
const BASE = 'named-volume.published-port';
const BIND = 'bind-mount.published-port';
const TWO: ScenarioShape[] = [
  { storage: 'named-volume', path: 'published-port' },
  { storage: 'bind-mount', path: 'published-port' },
];
function analyzed(base: TrialOutcome[], bind: TrialOutcome[], again: TrialOutcome[] = base) {
  const outcomes = { [BASE]: base, [BIND]: bind, [`${BASE}~again`]: again };
  const analysis = analyze(makeState({ scenarios: TWO, rounds: base.length, outcomes }));
  const [first, second] = analysis.scenarios;
  if (first === undefined || second === undefined) throw new Error('two scenarios expected');
  return {
    analysis,
    baseline: first,
    bind: second,
    sentence: verdictText(second, analysis, t),
    headline: headlineText(analysis, t),
  };
}

describe('a clause for a factor, as lists of runs have it', () => {
  const finding = (change: Partial<Finding> = {}): Finding => {
    const [of, against] = (['container-layer', 'named-volume'] as const).map(
      (storage) => makeState({ scenarios: [{ storage, path: 'published-port' }] }).plan.scenarios[0]?.label,
    );
    if (of === undefined || against === undefined) throw new Error('two labels expected');
    const plain = { kind: 'difference', factor: 'storage', unsafe: false, cost: null } as const;
    return { ...plain, at: [], of, against, ratio: ratio(0.5, 0.4, 0.6), ...change };
  };
  const path = finding().against;
  it.each<[string, Finding, string]>([
    ['a cost', finding(), 'Storage: container layer 2.0× slower than named volume'],
    [
      'a gain',
      finding({ ratio: ratio(2, 1.9, 2.1) }),
      'Storage: container layer 2.0× faster than named volume',
    ],
    [
      'an unsafe gain',
      finding({ ratio: ratio(2, 1.9, 2.1), unsafe: true }),
      'Storage: container layer 2.0× faster than named volume, but can lose data',
    ],
    [
      'a cost next to an unsafe reference',
      finding({ unsafe: true }),
      'Storage: container layer 2.0× slower than named volume, which can lose data',
    ],
    ['none', finding({ kind: 'same' }), 'Storage: no meaningful difference'],
    ['too little evidence', finding({ kind: 'inconclusive' }), 'Storage: inconclusive'],
    ['without Docker', finding({ factor: null }), 'Docker: 2.0× slower'],
    [
      'an effect that depends on another factor',
      finding({ at: [{ on: 'path', of: path, ratio: ratio(1, 0.98, 1.02), verdict: 'same' }] }),
      'Storage: varies with the network path: published port no meaningful difference',
    ],
  ])('%s', (_, of, clause) => {
    expect(findingClause(of, t)).toBe(clause);
  });

  it.each<[string, RatioEstimate, string]>([
    [
      'both directions',
      ratio(0.9, 0.7, 1.2),
      'container layer could be 1.43× slower or 1.20× faster than named volume',
    ],
    [
      'only slower on its own',
      ratio(0.8, 0.6, 0.98),
      'container layer could be as fast as named volume, or up to 1.67× slower',
    ],
    [
      'only faster on its own',
      ratio(1.2, 1.002, 1.46),
      'container layer could be as fast as named volume, or up to 1.46× faster',
    ],
    [
      'a bound beyond ten',
      ratio(0.9, 0.0002, 1.2),
      'container layer could be more than 10× slower or 1.20× faster than named volume',
    ],
    ['too few rounds', { ...ratio(0.9, null, null), samples: 2 }, 'Storage: too few rounds to tell'],
    [
      'nothing finished in a round',
      ratio(0, null, null),
      'container layer or named volume finished no transactions in at least one round',
    ],
  ])('without a verdict: %s', (_, estimate, says) => {
    expect(findingText(finding({ kind: 'inconclusive', ratio: estimate }), t)).toContain(says);
  });
});

describe('effects', () => {
  it.each([
    [ratio(0.476, 0.43, 0.526), '2.1× slower', '95% CI 1.9–2.3×'],
    [ratio(0.93, 0.9, 0.96), '1.08× slower', '95% CI 1.04–1.11×'],
    [ratio(1.07, 1.04, 1.1), '1.07× faster', '95% CI 1.04–1.10×'],
    [ratio(1.5, 1.4, 1.6), '1.50× faster', '95% CI 1.40–1.60×'],
    [ratio(0.05, 0.045, 0.056), '20× slower', '95% CI 18–22×'],
    [ratio(0.9321, 0.9312, 0.933), '1.073× slower', '95% CI 1.072–1.074×'],
    [ratio(0.5, 0.499, 0.501), '2.00× slower', '95% CI 2.00–2.00×'],
    [ratio(0.5, null, null), '2.0× slower', 'no confidence interval'],
    [ratio(0, null, null), 'no transactions in at least one round', 'no confidence interval'],
  ])('%j', (estimate, effect, interval) => {
    expect(effectText(estimate, t)).toBe(effect);
    expect(effectIntervalText(estimate, t)).toBe(interval);
  });

  it.each([
    [0.476, '0.43–0.53'],
    [1.5, '1.40–1.60'],
  ])('are the ratio of the tables in Chinese: %s', (value, interval) => {
    const [low, high] = value < 1 ? [0.43, 0.526] : [1.4, 1.6];
    const chinese = createTranslator('zh-CN');
    expect(effectText(ratio(value, low, high), chinese)).toContain(` ${formatRatio(value)} 倍`);
    expect(effectIntervalText(ratio(value, low, high), chinese)).toContain(` ${interval}`);
  });
});

describe('sentences', () => {
  it('a difference', () => {
    const { sentence, headline, analysis } = analyzed([800, 804, 796, 810], [400, 420, 380, 410]);
    expect(sentence).toBe(
      'Bind mount × published port: 2.00× slower than named volume × published port (95% CI 1.88–2.12×, 4 rounds)',
    );
    expect(headline).toBe('Bind mount is 2.00× slower than named volume.');
    expect(headlineLines(analysis, t)).toEqual([
      {
        text: 'Bind mount is 2.00× slower than named volume',
        detail: 'ratio 0.50, 95% CI 0.47–0.53, 4 rounds; costs 400 TPS and 9.92 ms per transaction',
      },
    ]);
  });

  it('no meaningful difference', () => {
    const { sentence, headline, analysis } = analyzed([800, 800, 800], [796, 801, 803]);
    expect(sentence).toContain('within ±5% (ratio 1.00, 95% CI 0.99–1.01, 3 rounds)');
    expect(headline).toBe(`${t('report:finding.same.storage')}.`);
    expect(headlineLines(analysis, t)[0]?.detail).toContain('3 rounds');
  });

  it.each<[string, TrialOutcome[], TrialOutcome[], RegExp]>([
    ['a wide interval', [800, 800, 800], [500, 900, 700], /ratio 0\.\d\d, 95% CI 0\.\d\d–1\.\d\d, 3 rounds/],
    ['one round', [800], [400], /ratio 0\.50, no confidence interval, 1 round\)/],
    ['no pair', [800, 'LOAD_FAILED'], ['LOAD_FAILED', 400], /because no round measured both/],
  ])('inconclusive with %s', (_, base, bind, says) => {
    const { sentence } = analyzed(base, bind);
    expect(sentence).toMatch(/^Bind mount × published port: inconclusive/);
    expect(sentence).toMatch(says);
  });

  it('the baseline, and what was not measured', () => {
    const { baseline, analysis, bind, headline } = analyzed(
      [800, 810],
      ['PATH_NO_TRAFFIC', 'PATH_NO_TRAFFIC'],
    );
    expect(verdictText(baseline, analysis, t)).toContain('805 transactions per second (2 rounds)');
    expect(verdictText(bind, analysis, t)).toContain('2 trials');
    expect(headline).toBe(t('report:headline.onlyBaseline', { tps: '805' }));
    expect([verdictLabel(baseline, t), verdictLabel(bind, t)]).toEqual(['baseline', 'not measured']);
  });

  it('nothing at all, or no baseline', () => {
    expect(analyzed(['LOAD_FAILED'], ['LOAD_FAILED']).headline).toBe('Nothing was measured');
    expect(analyzed(['LOAD_FAILED'], [400], ['LOAD_FAILED']).headline).toBe(
      'The baseline has no measurement yet, so there is nothing to compare with',
    );
  });

  it('the A/A check', () => {
    const passed = analyzed([800, 800, 800], [400, 401, 402], [790, 812, 803]).analysis;
    expect(aaCheckText(passed, t)).toBe(
      'A/A check passed: the baseline measured twice, ratio 1.00, 95% CI 0.97–1.04',
    );
    const failed = analyzed([800, 800, 800], [400, 401, 402], [680, 684, 676]).analysis;
    expect(aaCheckText(failed, t)).toContain('A/A check failed');
    expect(aaCheckText(analyzed([800], [400]).analysis, t)).toBeUndefined();
  });
});

describe('a run with few rounds', () => {
  const texts = (outcomes: Record<string, TrialOutcome[]>, rounds: number): string =>
    headlineLines(analyze(makeState({ scenarios: TWO, rounds, outcomes, aaCheck: false })), t)
      .map(({ text, detail }) => `${text} ${detail}`)
      .join(' ');

  it('names no direction before the third', () => {
    expect(texts({ [BASE]: [800], [BIND]: [600] }, 1)).not.toMatch(/slower|faster/);
    expect(texts({ [BASE]: [800, 801], [BIND]: [600, 601] }, 2)).not.toMatch(/slower|faster/);
    expect(texts({ [BASE]: [800, 801, 802], [BIND]: [600, 601, 602] }, 3)).toMatch(/slower/);
  });

  it('says nothing of intervals while only the baseline was measured', () => {
    expect(texts({ [BASE]: [800], [BIND]: ['canceled'] }, 1)).not.toMatch(/interval/);
  });
});

describe('what becomes of the data', () => {
  const notes = (scenarios: ScenarioShape[]): string[] =>
    durabilityNotes(analyze(makeState({ scenarios, rounds: 3 })), t);

  it('is said once for each durability, the most lasting first, without servers outside Docker', () => {
    const found = notes([
      { storage: 'native', path: 'loopback' },
      { storage: 'tmpfs', path: 'published-port' },
      { storage: 'container-layer', path: 'published-port' },
      { storage: 'named-volume', path: 'published-port' },
      { storage: 'named-volume', path: 'host-network' },
      { storage: 'bind-mount', path: 'published-port' },
    ]);
    expect(found.map((text) => text.split(':')[1])).toEqual([
      expect.stringMatching(/named volume, bind mount/i),
      expect.stringMatching(/container layer/i),
      expect.stringMatching(/tmpfs/i),
    ]);
  });

  it('is not said where nothing ran in Docker', () => {
    expect(notes([{ storage: 'native', path: 'loopback' }])).toEqual([]);
  });
});
