import { describe, expect, it } from 'vitest';
import { mergeTimes, StatementTimes } from '../../../../../src/benchmark/load/builtin/statement-times.ts';
import { decodeHistogram } from '../../../../../src/shared/histogram/histogram.ts';

describe('times of statements', () => {
  it('are those of the windows that count, by kind', () => {
    const times = new StatementTimes();
    times.record('commit', 9_000_000);
    times.endWindow(false);
    times.record('commit', 1000);
    times.record('point', 50);
    times.endWindow(true);
    times.record('commit', 3000);
    times.endWindow(true);
    // The last window's end was never heard of.
    times.record('commit', 7_000_000);
    const encoded = times.take().statements;
    expect(Object.keys(encoded).sort()).toEqual(['commit', 'point']);
    const commit = decodeHistogram(encoded.commit ?? '');
    expect([commit.totalCount, commit.minNonZeroValue]).toEqual([2, 1000]);
    expect(commit.maxValue).toBeLessThanOrEqual(3003);
    expect(times.take().statements).toEqual({});
  });

  it('of several workers are merged, not averaged, and those of transactions stay apart', () => {
    const workers = [100, 100, 100, 4000].map((us) => {
      const times = new StatementTimes();
      times.record('begin', us);
      times.recordTransaction('payment', us);
      times.endWindow(true);
      return times.take();
    });
    const { statements, transactionTypes } = mergeTimes(workers);
    expect([Object.keys(statements), Object.keys(transactionTypes)]).toEqual([['begin'], ['payment']]);
    for (const merged of [statements.begin, transactionTypes.payment].map((one) =>
      decodeHistogram(one ?? ''),
    ))
      expect([merged.totalCount, merged.getValueAtPercentile(50)]).toEqual([4, 100]);
    const none = { statements: {}, transactionTypes: {} };
    expect(mergeTimes([none, none])).toEqual(none);
  });
});
