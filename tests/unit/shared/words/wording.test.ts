import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import {
  headlineLines,
  headlineText,
  aaCheckText,
  durabilityNotes,
} from '../../../../src/shared/words/wording.ts';
import type { Finding } from '../../../../src/shared/model/history-entry.ts';
import { mostApart } from '../../../../src/shared/analysis/finding-claim.ts';
import { chipOf, clauseOf } from '../../../../src/shared/words/finding-wording.ts';
import { effectTexts } from '../../../../src/shared/words/effect-table.ts';
import { effectText, sizeText } from '../../../../src/shared/words/effect-wording.ts';
import { makeState, ratio, type ScenarioShape, type StateShape, type TrialOutcome } from '../../builders.ts';
import { expectSaid } from '../../../helpers/shown.ts';
import { BASE, BIND, TWO } from '../analysis/analysis-helpers.ts';

const t = createTranslator('en');
function analyzed(base: TrialOutcome[], bind: TrialOutcome[], again: TrialOutcome[] = base) {
  const outcomes = { [BASE]: base, [BIND]: bind, [`${BASE}~again`]: again };
  const analysis = analyze(makeState({ scenarios: TWO, rounds: base.length, outcomes }));
  return { analysis, headline: headlineText(analysis, t) };
}

describe('a clause for a factor', () => {
  const finding = (change: Partial<Finding> = {}): Finding => {
    const [of, against] = (['container-layer', 'named-volume'] as const).map(
      (storage) => makeState({ scenarios: [{ storage, path: 'published-port' }] }).plan.scenarios[0]?.label,
    );
    if (of === undefined || against === undefined) throw new Error('two labels expected');
    const plain = { kind: 'difference', factor: 'storage', unsafe: false, equivalence: 0.05 } as const;
    const found = {
      ...plain,
      job: null,
      at: [],
      took: null,
      of,
      against,
      ratio: ratio(0.5, 0.4, 0.6),
      ...change,
    };
    return { apart: { bound: mostApart([found.ratio]), without: [] }, ...found };
  };
  const open = (low: number, high: number, factor: Finding['factor'] = 'storage'): Finding =>
    finding({ kind: 'inconclusive', factor, ratio: ratio(Math.sqrt(low * high), low, high) });
  const path = finding().against;
  const server = (of: string, against: string): Partial<Finding> => ({
    factor: 'server',
    of: { ...path, server: of },
    against: { ...path, server: against },
  });
  it('is said in a sentence and on a chip, in each language', async () => {
    const findings: Record<string, Finding> = {
      'a cost': finding(),
      'a cost too large for a fraction': finding({ ratio: ratio(0.04, 0.03, 0.05) }),
      'a gain': finding({ ratio: ratio(1.9, 1.8, 2) }),
      'an unsafe gain': finding({ ratio: ratio(2, 1.9, 2.1), unsafe: true }),
      'a cost next to an unsafe reference': finding({ unsafe: true }),
      'a start, in seconds': finding({
        ratio: ratio(4.6, 4.4, 4.8),
        took: { isStart: true, us: 4.4e6, referenceUs: 20.2e6 },
      }),
      'another task, whose gain is unsafe': finding({
        unsafe: true,
        ratio: ratio(1.1, 1.07, 1.12),
        took: { isStart: false, us: 10.6e6, referenceUs: 11.4e6 },
      }),
      'a difference within the zone, which names no size': finding({ ratio: ratio(1.03, 1.01, 1.06) }),
      none: finding({ kind: 'same', ratio: ratio(1, 0.97, 1.04) }),
      'a bound in the direction of a loss': open(0.7, 1.2),
      'a bound of some choices': { ...open(0.98, 1.11), apart: { bound: 1.11, without: [path] } },
      'a bound stored without the other choices': { ...open(0.98, 1.11), apart: null },
      'a useless bound': open(0.4, 12),
      'too few rounds': finding({
        kind: 'inconclusive',
        ratio: { ...ratio(0.9, null, null), samples: 2 },
      }),
      'nothing finished in a round': finding({ kind: 'inconclusive', ratio: ratio(0, null, null) }),
      'a bound for Docker': open(0.8, 1.2, null),
      'an effect that depends on another factor': finding({
        at: [{ on: 'path', of: path, ratio: ratio(1, 0.98, 1.02), verdict: 'same' }],
      }),
      'a task, which the faster one does': finding({
        ...server('Big', 'Small'),
        job: 'dump',
        ratio: ratio(0.625, 0.55, 0.7),
      }),
      'a task at the price of data': finding({
        ...server('Big', 'Small'),
        job: 'dump',
        ratio: ratio(1.6, 1.5, 1.7),
        unsafe: true,
      }),
    };
    const said = (of: Finding): string[] =>
      [t, createTranslator('zh-CN')].flatMap((own) => [clauseOf(of, own), chipOf(of, own)]);
    await expectSaid('findings', findings, said);
  });
});

describe('a timed task', () => {
  const told = (servers: Record<string, string>): string => {
    const place = { storage: 'named-volume', path: 'published-port' } as const;
    const ids = Object.keys(servers);
    const run = makeState({
      scenarios: [
        { ...place, ...(ids.length === 1 ? {} : { server: 'a' }) },
        { ...place, server: 'b' },
      ],
      servers: Object.fromEntries(Object.entries(servers).map(([id, name]) => [id, { name, image: {} }])),
      rounds: 3,
      outcomes: Object.fromEntries(
        ids.length === 1
          ? [
              [BASE, [10, 10.1, 9.9]],
              [`b.${BASE}`, [16, 16.2, 15.8]],
            ]
          : [
              [`a.${BASE}`, [16, 16.2, 15.8]],
              [`b.${BASE}`, [10, 10.1, 9.9]],
            ],
      ),
    });
    const plan = { ...run.plan, task: { kind: 'dump', bytes: 1 } as const };
    return headlineText(analyze({ ...run, plan }), t);
  };

  it('is what servers with names do, and no change of one', () => {
    const two = { a: 'MySQL 8.4', b: 'MariaDB 11.8' };
    expect(told(two)).toMatch(
      /^MySQL 8\.4 imports this dump 1\.6× as fast as MariaDB 11\.8 \(1\.[\d–.]+\)\.$/,
    );
    expect(told({ b: 'Relaxed flush' })).toMatch(
      /^Server: Relaxed flush takes 63 ms instead of \d+ ms \(the server as it is\)\.$/,
    );
  });
});

describe('sizes', () => {
  it.each([
    [0.476, '0.48×', '0.48 倍'],
    [0.93, '0.93×', '0.93 倍'],
    [1.07, '1.07×', '1.07 倍'],
    [1.5, '1.5×', '1.5 倍'],
    [0.052, '0.052×', '0.052 倍'],
    [20.4, '20×', '20 倍'],
  ])('of %s have one notation in each language', (value, english, chinese) => {
    expect(sizeText(value, t)).toBe(english);
    expect(sizeText(value, createTranslator('zh-CN'))).toBe(chinese);
  });

  it('of nothing are words', () => {
    expect(effectText({ value: 0 }, t)).toBe('no transactions in at least one round');
  });
});

describe('sentences', () => {
  it('nothing at all, or no baseline', () => {
    expect(analyzed(['LOAD_FAILED'], ['LOAD_FAILED']).headline).toBe('Nothing was measured');
    expect(analyzed(['LOAD_FAILED'], [400], ['LOAD_FAILED']).headline).toBe(
      'The baseline has no measurement yet, so there is nothing to compare with',
    );
  });

  it('the noise check', () => {
    const passed = analyzed([800, 800, 800], [400, 401, 402], [790, 812, 803]).analysis;
    expect(aaCheckText(passed, t)).toBe(
      'Noise check (A/A check) passed: the baseline measured twice, ratio 1.00, 95% CI 0.95–1.05',
    );
    const failed = analyzed([800, 800, 800], [400, 401, 402], [680, 684, 676]).analysis;
    expect(aaCheckText(failed, t)).toContain('Noise check (A/A check) failed');
    expect(aaCheckText(analyzed([800], [400]).analysis, t)).toBeUndefined();
  });
});

describe('a run with few rounds', () => {
  const texts = (outcomes: Record<string, TrialOutcome[]>, rounds: number): string =>
    headlineLines(analyze(makeState({ scenarios: TWO, rounds, outcomes, aaCheck: false })), t)
      .map(({ text, detail }) => `${text} ${detail}`)
      .join(' ');

  it('names no direction before the third', () => {
    expect(texts({ [BASE]: [800], [BIND]: [600] }, 1)).not.toMatch(/fast|gain/);
    expect(texts({ [BASE]: [800, 801], [BIND]: [600, 601] }, 2)).not.toMatch(/fast|gain/);
    expect(texts({ [BASE]: [800, 801, 802], [BIND]: [600, 601, 602] }, 3)).toMatch(/0\.75× as fast/);
  });
});

it('an effect names the load generator that measured it where there are two', () => {
  const generator = t('ui:plan.loadGeneratorName.builtin');
  const levelOf = (shape: StateShape): string => {
    const analysis = analyze(makeState({ scenarios: TWO, rounds: 3, ...shape }));
    const [effect] = analysis.effects.filter(({ factor }) => factor === 'storage');
    return effect === undefined ? '' : effectTexts(effect, analysis, t).level;
  };
  const outcomes = { [`${BIND}.sysbench`]: [] };
  expect(levelOf({ loadGenerator: ['builtin', 'sysbench'], outcomes })).toContain(generator);
  expect(levelOf({})).not.toContain(generator);
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
});
