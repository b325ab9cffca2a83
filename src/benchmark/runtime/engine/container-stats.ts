import * as z from 'zod';
import type { ContainerUsage } from '../../../shared/model/evidence.ts';

const NANO = 1e9;

const bytesSchema = z
  .array(z.looseObject({ op: z.string(), value: z.number() }))
  .nullish()
  .catch(undefined);

/** Podman and old engines omit parts. */
export const statsSchema = z.looseObject({
  cpu_stats: z
    .looseObject({
      cpu_usage: z.looseObject({ total_usage: z.number() }).nullish(),
      throttling_data: z.looseObject({ throttled_time: z.number() }).nullish(),
    })
    .nullish(),
  memory_stats: z
    .looseObject({ usage: z.number().nullish(), stats: z.record(z.string(), z.number()).nullish() })
    .nullish(),
  blkio_stats: z.looseObject({ io_service_bytes_recursive: bytesSchema }).nullish(),
});
type Stats = z.infer<typeof statsSchema>;

export function usageOf({ cpu_stats: cpu, blkio_stats: block }: Stats): ContainerUsage {
  const nanoseconds = cpu?.cpu_usage?.total_usage;
  const throttled = cpu?.throttling_data?.throttled_time;
  return {
    cpuSeconds: nanoseconds === undefined ? null : nanoseconds / NANO,
    throttledSeconds: throttled === undefined ? null : throttled / NANO,
    blockWriteBytes: writtenBytes(block?.io_service_bytes_recursive),
  };
}

/** Bytes without the reclaimable page cache, like `docker stats`; null if unknown. */
export function memoryOf({ memory_stats: memory }: Stats): number | null {
  const usage = memory?.usage;
  if (usage === undefined || usage === null) return null;
  return usage - (memory?.stats?.['total_inactive_file'] ?? memory?.stats?.['inactive_file'] ?? 0);
}

/** An empty list: no device was used, or the kernel doesn't count. */
function writtenBytes(entries: z.infer<typeof bytesSchema>): number | null {
  if (entries === undefined || entries === null) return null;
  return entries.filter(({ op }) => op.toLowerCase() === 'write').reduce((sum, { value }) => sum + value, 0);
}
