import { expect, it } from 'vitest';
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

/** Unknown is not nothing. */
const LEFT_OUT = { cpu_stats: null, blkio_stats: { io_service_bytes_recursive: null }, memory_stats: {} };

it.each([
  ['control groups v1', V1, [2.5, 0.4, 950, 380]],
  ['control groups v2', V2, [2.5, 0.4, 7, 400]],
  ['an engine that leaves it out', LEFT_OUT, [null, null, null, null]],
])('what a container uses is read from %s', (_, answer, expected) => {
  const stats = statsSchema.parse(answer);
  const { cpuSeconds, throttledSeconds, blockWriteBytes } = usageOf(stats);
  expect([cpuSeconds, throttledSeconds, blockWriteBytes, memoryOf(stats)]).toEqual(expected);
});
