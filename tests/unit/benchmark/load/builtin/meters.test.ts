import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waitShareOf } from '../../../../../src/benchmark/load/builtin/meters.ts';

const times = (ms: Record<string, number>): Map<string, number> => new Map(Object.entries(ms));

describe('the share of the time that the load waited for a core', () => {
  it('is the mean over its threads', () => {
    expect(waitShareOf(times({ a: 100, b: 0 }), times({ a: 600, b: 100 }), 1000)).toBeCloseTo(0.3);
    expect(waitShareOf(times({}), times({}), 1000)).toBeUndefined();
    expect(waitShareOf(undefined, times({ a: 1 }), 1000)).toBeUndefined();
  });

  it('is never more than all of it, however long a thread had waited before', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(waits, (all) => {
        const after = new Map(all.map((ms, id): [string, number] => [String(id), ms]));
        const before = new Map([...after.keys()].map((id) => [id, 0]));
        expect(waitShareOf(before, after, 1000)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
