import { describe, expect, it } from 'vitest';
import { readResultHere } from '../../../../src/benchmark/store/stored-result.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';

/** What a reader would have to doubt, or to do again. */
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

  it('has a transaction of each choice in parts that sum to what was measured', async () => {
    const { scenarios, waterfall } = analyze(
      await readResultHere('assets/example/result.json.gz', 'example'),
    );
    for (const { id, parts, latency } of scenarios) {
      const sum = parts.reduce((all, { us }) => all + us, 0);
      expect(sum / (latency?.meanUs ?? 0), id).toBeCloseTo(1, 9);
      expect(new Set(parts.map(({ wait }) => wait)), id).toEqual(new Set([null, 'network', 'flush']));
    }
    const { us = 0, most = [] } = waterfall?.largest ?? {};
    expect(most).toHaveLength(2);
    const named = most.reduce((all, one) => all + one.us, 0) / us;
    expect(named).toBeGreaterThan(0.5);
    expect(named).toBeLessThanOrEqual(1);
  });

  it('shows round trips of one path that are alike, whatever the storage', async () => {
    const run = await readResultHere('assets/example/result.json.gz', 'example');
    const { scenarios } = analyze(run);
    for (const path of new Set(run.plan.scenarios.map((one) => one.path))) {
      const own = scenarios.filter(({ label }) => label.path === path);
      const each = own.flatMap(({ figures }) => figures.roundTripUs ?? []);
      expect(each.length, path).toBe(own.length);
      expect(Math.max(...each) / Math.min(...each), path).toBeLessThan(1.5);
    }
  });
});
