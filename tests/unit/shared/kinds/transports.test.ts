import { describe, expect, it } from 'vitest';
import { chooseTransport } from '../../../../src/shared/kinds/transports.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';

const shape = {
  workload: workloadSchema.parse({ kind: 'oltp_read_only' }),
  levels: [8],
  rate: null,
  cores: 2,
  platform: 'linux',
} as const;

describe('the transport of a run', () => {
  it('depends on connections and cores, and is one for a sweep', () => {
    expect(chooseTransport({ ...shape, levels: [1, 16] })).toBe('threads');
    expect(chooseTransport({ ...shape, levels: [1, 17] })).toBe('loop');
    expect(chooseTransport({ ...shape, levels: [1, 17], cores: 4 })).toBe('threads');
  });

  it('is what the user wants, where it can be', () => {
    expect(chooseTransport({ ...shape, wanted: 'loop' })).toBe('loop');
    expect(chooseTransport({ ...shape, levels: [512], wanted: 'threads' })).toBe('threads');
  });

  it.each([
    ['TPC-C', { workload: workloadSchema.parse({ kind: 'tpcc' }) }],
    ['a fixed rate', { rate: 100 }],
    ['Windows', { platform: 'win32' as const }],
  ])('is the event loop for %s', (_, fields) => {
    expect(chooseTransport({ ...shape, ...fields, wanted: 'threads' })).toBe('loop');
  });
});
