import { describe, expect, it } from 'vitest';
import { comparedRuns, comparisonSummary, renderComparison } from '../../../../src/cli/commands/results.ts';
import { historyLines, historySummary } from '../../../../src/cli/commands/history.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { recentRunOf } from '../../../../src/benchmark/store/listed-run.ts';
import { DEMO_FACTORS, demoOutcomes, demoState } from '../../builders.ts';

const here = demoState({ runId: '20260601-093000-aaaa' });
const there = demoState({
  runId: '20260602-093000-bbbb',
  runtime: { name: 'OrbStack 2.0', vm: true },
  outcomes: demoOutcomes({ ...DEMO_FACTORS, 'container-layer.published-port': 0.3 }, { seed: 4 }),
});
const compared = comparedRuns(['a.json', 'b.json'], [here, there]);

describe('compare in the terminal', () => {
  const text = renderComparison(compared);

  it('says in its first sentence what changed', () => {
    expect(text).toMatch(
      /^\d of \d+ comparisons changed, most container layer via published port: in B, it is 0\.5\d× as fast,/,
    );
    const again = renderComparison(comparedRuns(['a.json', 'a.json'], [here, here]));
    expect(again).toMatch(/^No change from A is certain: \d of 8 comparisons are inconclusive\./);
  });

  it('says what differs before any number, and that the runs were not interleaved', () => {
    expect(text.indexOf('OrbStack 2.0')).toBeLessThan(text.indexOf('Change of the ratio'));
    expect(text).toContain('These runs were made at different times.');
    expect(text).toMatch(
      /Differences:\n(.*\n)*? {2}Docker engine\n {4}A {2}Docker Engine.*\n {4}B {2}OrbStack 2\.0/,
    );
  });

  it('has a line for each scenario and run, with the change and its verdict', () => {
    expect(text).toMatch(
      /container layer via published port +A .*\n +B .*0\.5\d \(0\.\d+–0\.\d+\) +0\.\d+× as fast, relative to the baseline/,
    );
  });

  it('is one object for scripts', () => {
    const summary = comparisonSummary(compared);
    expect(summary.runs.map(({ source }) => source)).toEqual(['a.json', 'b.json']);
    expect(summary.differences.map(({ name }) => name)).toContain('Docker engine');
    const layer = summary.scenarios.find(({ name }) => name === 'container layer via published port');
    expect(layer?.runs[0]).toMatchObject({ change: null, verdict: null });
    expect(layer?.runs[1]).toMatchObject({ id: 'container-layer.published-port', verdict: 'slower' });
    expect(layer?.runs[1]?.change?.high).toBeLessThan(1);
  });
});

describe('history in the terminal', () => {
  it('shows what the user wrote, under the name that the user gave', () => {
    const run = recentRunOf(here);
    if (run === null) throw new Error('a finished run');
    const annotations = { title: 'Laptop', note: 'one\ntwo', shared: false };
    const entry = { ...run, annotations };
    expect(historyLines(entry).split('\n')).toEqual([
      '20260601-093000-aaaa  2026-06-01 09:30  Laptop',
      expect.stringMatching(/^ {4}storage 0\.\d\d×, network 1\.\d+×$/),
      expect.stringContaining('Docker Engine'),
      '    | one',
      '    | two',
    ]);
    expect(historySummary(entry)).toMatchObject({
      id: here.runId,
      name: 'Laptop',
      outcome: 'completed',
    });
    const outcome = ENGLISH('ui:recent.outcome.completed');
    const failures = ENGLISH('ui:recent.withFailures', { outcome, count: 4 });
    expect(historyLines(entry)).not.toContain(failures);
    expect(historyLines({ ...entry, failed: 4 })).toContain(failures);
  });
});
