import { describe, expect, it } from 'vitest';
import { HeldRate } from '../../../../../src/benchmark/load/builtin/rate.ts';
import type { WorkerReport } from '../../../../../src/benchmark/load/builtin/worker.ts';
import { buildWindow } from '../samples.ts';

const reportOf = (arrivals: number, lateP99Us = 40): WorkerReport => ({
  uncounted: 0,
  transport: 'loop',
  cpuSeconds: 0,
  loopDelayP99Us: 0,
  gcSeconds: 0,
  gcMaxUs: 0,
  statements: {},
  transactionTypes: {},
  fixedRate: { arrivals, lateP99Us },
  isCut: false,
});
const seconds = (rate: HeldRate, windows: [transactions: number, waiting: number][]): void => {
  for (const [index, [transactions, waiting]] of windows.entries()) {
    rate.see({ ...buildWindow(), index, transactions, waiting });
  }
};

describe('HeldRate', () => {
  it('sums what the workers planned when it was held', () => {
    const rate = new HeldRate(100);
    seconds(rate, [
      [98, 3],
      [103, 0],
    ]);
    expect(rate.report([reportOf(101), reportOf(100, 90)], 3)).toEqual({
      perSecond: 100,
      arrivals: 201,
      mostWaiting: 3,
      lateP99Us: 90,
    });
  });

  it('is lost at once when more wait than are planned in five seconds, and says what was done', async () => {
    const rate = new HeldRate(100);
    seconds(rate, [
      [20, 80],
      [20, 501],
    ]);
    await expect(rate.lost).rejects.toMatchObject({
      code: 'RATE_NOT_HELD',
      params: { rate: '100', done: '20', waiting: '501', seconds: '2' },
    });
  });

  it('was not held when the server fell behind by a second at the end', () => {
    const rate = new HeldRate(100);
    seconds(rate, [[90, 110]]);
    expect(() => rate.report([reportOf(200)], 110)).toThrow(/ 100 transactions per second/);
  });

  it('was held when a late stall has only just begun to matter', () => {
    const rate = new HeldRate(100);
    seconds(rate, [...Array.from({ length: 40 }, (): [number, number] => [100, 0]), [0, 101]]);
    expect(rate.report([reportOf(4101)], 101).mostWaiting).toBe(101);
  });
});
