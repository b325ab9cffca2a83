import { describe, expect, it } from 'vitest';
import { addTotals } from '../../../../src/benchmark/run/totals.ts';
import {
  decodeHistogram,
  encodeHistogram,
  createHistogram,
} from '../../../../src/shared/histogram/histogram.ts';
import type { Totals } from '../../../../src/shared/model/measurements.ts';
import { makePlan } from '../../plan-builder.ts';
import { makeSlice, makeTotals } from '../../trial-builder.ts';

const PLAN = makePlan({ workload: { kind: 'tpcc' }, sliceSeconds: 1 });

function sliceOf(tps: number, client: Partial<Totals['client']> = {}): Totals {
  const window = makeSlice(PLAN, tps, { pass: 1, position: 1, startMs: 0 });
  return makeTotals([{ ...window, errors: { 1213: tps } }], 8, client);
}

function statement(us: number): string {
  const histogram = createHistogram();
  histogram.recordValue(us);
  return encodeHistogram(histogram);
}

describe('the totals of a trial of slices', () => {
  it('are those of one measurement of the same windows', () => {
    const windows = [100, 250, 7].map((tps) => makeSlice(PLAN, tps, { pass: 1, position: 1, startMs: 0 }));
    const sum = windows
      .map((window) => makeTotals([window], 8, {}))
      .reduce<Totals | undefined>((all, more) => addTotals(all, more), undefined);
    expect(sum).toEqual({ ...makeTotals(windows, 8, {}), client: expect.anything() as unknown });
  });

  it('have the errors and statement times of all, also of kinds that one slice lacks', () => {
    const [first, second] = [sliceOf(3), sliceOf(4)];
    const { statements, errors } = addTotals(
      { ...first, statements: { point: statement(10) } },
      { ...second, statements: { point: statement(30), update: statement(5) }, errors: { 1205: 1 } },
    );
    expect(errors).toEqual({ 1213: 3, 1205: 1 });
    expect(decodeHistogram(statements.point ?? '').totalCount).toBe(2);
    expect(decodeHistogram(statements.update ?? '').totalCount).toBe(1);
  });

  it('have the client’s seconds added, its shares weighed by time, and its worst delays', () => {
    const slow = {
      ...sliceOf(1, { cpuShare: 0.9, waitShare: 0.3, loopDelayP99Us: 10, gcMaxUs: 7 }),
      durationMs: 3000,
    };
    const { client } = addTotals(
      sliceOf(1, { cpuShare: 0.1, waitShare: 0.1, loopDelayP99Us: 90, gcMaxUs: 5 }),
      slow,
    );
    expect(client.cpuSeconds).toBeCloseTo(4.2);
    expect(client.cpuShare).toBeCloseTo(0.7);
    expect(client).toMatchObject({ loopDelayP99Us: 90, gcMaxUs: 7 });
    expect(client.waitShare).toBeCloseTo(0.25);
    expect(addTotals(sliceOf(1), slow).client).not.toHaveProperty('waitShare');
  });
});
