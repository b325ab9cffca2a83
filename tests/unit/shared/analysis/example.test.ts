import { describe, expect, it } from 'vitest';
import { readResultHere } from '../../../../src/benchmark/store/stored-result.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { waterfallSentences } from '../../../../src/shared/words/waterfall-wording.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';

const t = createTranslator('en');

/** Notices that would make a reader doubt or repeat the run. */
const DOUBTFUL = [
  'AA_CHECK',
  'CLIENT_LIMITED',
  'ENDED_EARLY',
  'FEW_ROUNDS',
  'NOT_FROZEN',
  'SLICE_LOST',
  'STOPPED_EARLY',
  'TRIALS_FAILED',
  'TRIALS_SKIPPED',
];

describe('the example that newcomers open', () => {
  it('has a verdict on every effect, advice, and nothing to doubt', async () => {
    const run = await readResultHere('assets/example/result.json.gz', 'example');
    const { effects, recommendations, notices, aaCheck } = analyze(run);
    expect(new Set(effects.map(({ factor }) => factor))).toEqual(new Set(['storage', 'path']));
    for (const { level, verdict } of effects) expect([level, verdict]).not.toContain('inconclusive');
    expect(recommendations.length).toBeGreaterThan(0);
    expect(notices.map(({ code }) => code).filter((code) => DOUBTFUL.includes(code))).toEqual([]);
    expect(aaCheck?.outcome).not.toBe('failed');
  });

  it('calls the time of reads apart from the network the time of the server', async () => {
    const run = await readResultHere('assets/example/result.json.gz', 'example');
    const reads = t('report:waterfall.ofServer', { part: t('report:waterfall.part.read') });
    expect(waterfallSentences(analyze(run), t).join(' ')).toContain(reads);
  });
});
