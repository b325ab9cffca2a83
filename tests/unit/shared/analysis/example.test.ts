import { describe, expect, it } from 'vitest';
import { readResultHere } from '../../../../src/benchmark/store/stored-result.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';

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
});
