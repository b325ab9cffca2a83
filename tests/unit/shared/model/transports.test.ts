import { describe, expect, it } from 'vitest';
import { chooseTransport } from '../../../../src/shared/model/transports.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';

const shape = {
  workload: workloadSchema.parse({ kind: 'oltp_read_only' }),
  levels: [8],
  canBlock: true,
} as const;

describe('the transport of a run', () => {
  it('depends on the number of connections, and is one for a sweep', () => {
    expect(chooseTransport({ ...shape, levels: [1, 64] })).toBe('threads');
    expect(chooseTransport({ ...shape, levels: [1, 65] })).toBe('loop');
  });

  it.each([
    ['TPC-C', { workload: workloadSchema.parse({ kind: 'tpcc' }) }],
    ['clients that can’t block', { canBlock: false }],
  ])('is the event loop for %s', (_, fields) => {
    expect(chooseTransport({ ...shape, ...fields })).toBe('loop');
  });
});
