import { describe, expect, it } from 'vitest';
import {
  memoryOf,
  statsSchema,
  usageOf,
} from '../../../../../src/benchmark/runtime/engine/container-stats.ts';

/** Parts of answers of GET /containers/{id}/stats; the other fields are not read. */
const V1 = {
  cpu_stats: {
    cpu_usage: { total_usage: 2_500_000_000, usage_in_kernelmode: 1 },
    throttling_data: { periods: 10, throttled_periods: 3, throttled_time: 400_000_000 },
  },
  memory_stats: { usage: 500, stats: { total_inactive_file: 120, inactive_file: 100 } },
  blkio_stats: {
    io_service_bytes_recursive: [
      { major: 254, minor: 0, op: 'Read', value: 100 },
      { major: 254, minor: 0, op: 'Write', value: 900 },
      { major: 254, minor: 16, op: 'Write', value: 50 },
      { major: 254, minor: 0, op: 'Total', value: 1050 },
    ],
  },
};
const V2 = {
  ...V1,
  memory_stats: { usage: 500, stats: { inactive_file: 100 } },
  blkio_stats: { io_service_bytes_recursive: [{ major: 8, minor: 0, op: 'write', value: 7 }] },
};

describe('what a container uses', () => {
  it('is read from control groups v1', () => {
    const stats = statsSchema.parse(V1);
    expect(usageOf(stats)).toEqual({
      cpuSeconds: 2.5,
      throttledSeconds: 0.4,
      blockWriteBytes: 950,
    });
    expect(memoryOf(stats)).toBe(380);
  });

  it('is read from control groups v2', () => {
    const stats = statsSchema.parse(V2);
    expect(usageOf(stats)).toMatchObject({ blockWriteBytes: 7 });
    expect(memoryOf(stats)).toBe(400);
  });

  it('is unknown, not nothing, where the engine leaves it out', () => {
    const stats = statsSchema.parse({
      cpu_stats: null,
      blkio_stats: { io_service_bytes_recursive: null },
      memory_stats: {},
    });
    expect(usageOf(stats)).toEqual({
      cpuSeconds: null,
      throttledSeconds: null,
      blockWriteBytes: null,
    });
    expect(memoryOf(stats)).toBeNull();
  });
});
