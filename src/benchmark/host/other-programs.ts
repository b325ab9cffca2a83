import { cpus } from 'node:os';
import type { HostCondition } from '../../shared/model/host.ts';
import type { HostSource } from '../machine/host-source.ts';
import { isBelow, ownProcesses, readProcesses, usedByName, type ProcessTable } from '../machine/processes.ts';

/** Of all CPUs, for the reason of `SHARE_LIMIT` in window-conditions.ts: what is left can't move a result by more. */
const CPU_LIMIT = 0.05;

/** The processes at one instant. */
export interface Programs {
  atMs: number;
  table: ProcessTable;
}

/** The processes that run now. */
export function readPrograms(source: HostSource): Programs {
  return { atMs: performance.now(), table: readProcesses(source) };
}

/**
 * CPU that other programs used: neither the app with its clients and native servers, nor the engine and the kernel, nor any container
 * (`containerIds`; those of others have a condition of their own). It holds what could be seen, so it is a lower bound.
 */
export function otherPrograms(
  source: HostSource,
  before: Programs,
  after: Programs,
  containerIds: readonly string[],
  coreCount = cpus().length,
): HostCondition[] {
  const seconds = (after.atMs - before.atMs) / 1000;
  if (seconds <= 0) return [];
  const own = ownProcesses(source, after.table);
  const used = usedByName(before.table, after.table, (process) => {
    if (own.has(process.pid) || isBelow(process)) return false;
    const groups = source.read(`/proc/${process.pid}/cgroup`) ?? '';
    return !containerIds.some((id) => groups.includes(id));
  });
  const cores = Math.min(coreCount, used.reduce((sum, one) => sum + one.seconds, 0) / seconds);
  if (cores < CPU_LIMIT * coreCount) return [];
  return [{ kind: 'others-busy', windows: null, value: cores, name: used[0]?.name ?? null }];
}
