import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waitShareOf } from '../../../../../src/benchmark/load/builtin/meters.ts';

const times = (ms: Record<string, number>): Map<string, number> => new Map(Object.entries(ms));

describe('the share of the time that the load waited for a core', () => {
  it('is that of the threads that waited longest', () => {
    const before = times({ main: 5, load: 100, other: 100, helper: 3 });
    const after = times({ main: 6, load: 600, other: 400, helper: 53, born: 900 });
    expect(waitShareOf(before, after, { elapsedMs: 1000, threads: 2 })).toBe(0.4);
    expect(waitShareOf(before, after, { elapsedMs: 1000, threads: 1 })).toBe(0.5);
    // A thread that waited for nothing counts, too.
    expect(waitShareOf(times({ load: 0 }), times({ load: 400 }), { elapsedMs: 1000, threads: 2 })).toBe(0.2);
  });

  it('is never more than all of it, however many threads the process has and however long they had waited', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 9 }), (all, threads) => {
        const ids = all.map((ms, id): [string, number] => [String(id), ms]);
        const before = new Map(ids.map(([id]) => [id, 0]));
        expect(waitShareOf(before, new Map(ids), { elapsedMs: 1000, threads })).toBeLessThanOrEqual(1);
      }),
    );
  });
});
