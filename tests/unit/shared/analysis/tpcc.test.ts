import { describe, expect, it } from 'vitest';
import { tpccSpeeds } from '../../../../src/shared/analysis/tpcc-figures.ts';

describe('tpccSpeeds', () => {
  it('counts committed new orders and all transactions a minute', () => {
    const mix = { new_order: 101, payment: 100, delivery: 10 };
    expect(tpccSpeeds({ durationMs: 30_000, transactions: 211, rollbacks: 1, mix })).toEqual({
      newOrdersPerMinute: 200,
      transactionsPerMinute: 422,
    });
  });

  it('is zero where nothing was measured', () => {
    const nothing = { newOrdersPerMinute: 0, transactionsPerMinute: 0 };
    expect(tpccSpeeds({ durationMs: 0, transactions: 0, rollbacks: 0, mix: {} })).toEqual(nothing);
    expect(tpccSpeeds({ durationMs: 1000, transactions: 0, rollbacks: 0, mix: {} })).toEqual(nothing);
  });
});
