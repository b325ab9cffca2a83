import type { HostCondition } from '../../shared/model/evidence.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { RUN_LABEL } from '../runtime/labels.ts';
import { cpus } from 'node:os';
import type { HostSource } from '../machine/host-source.ts';
import { isBelow, ownProcesses, readProcesses, usedByName, type ProcessTable } from '../machine/processes.ts';

/** Idle databases and proxies use less. */
const CORES_LIMIT = 0.05;

export interface Neighbours {
  atMs: number;
  /** Including this run's. */
  ids: string[];
  /** CPU seconds since their start. */
  others: Map<string, { name: string; cpuSeconds: number }>;
}

/** Rejects with the engine's error; skips containers that ended meanwhile. */
export async function readNeighbours(runtime: ContainerRuntime, runId: string): Promise<Neighbours> {
  const running = await runtime.containers.listRunning();
  const others: Neighbours['others'] = new Map();
  const foreign = running.filter(({ labels }) => labels[RUN_LABEL] !== runId);
  await Promise.all(
    foreign.map(async ({ id, name }) => {
      const used = await runtime.containers.usage(id).catch(() => undefined);
      const cpuSeconds = used?.usage.cpuSeconds ?? null;
      if (cpuSeconds !== null) others.set(id, { name, cpuSeconds });
    }),
  );
  return { atMs: performance.now(), ids: running.map(({ id }) => id), others };
}

/** Others' containers with their cores between two readings, the busiest first. */
export function busyContainers(before: Neighbours, after: Neighbours): HostCondition[] {
  const seconds = (after.atMs - before.atMs) / 1000;
  if (seconds <= 0) return [];
  return [...after.others]
    .map(([id, { name, cpuSeconds }]): HostCondition => {
      const first = before.others.get(id)?.cpuSeconds ?? 0;
      // Started meanwhile: all its use is new.
      const used = cpuSeconds < first ? cpuSeconds : cpuSeconds - first;
      return { kind: 'container-busy', windows: null, value: used / seconds, name };
    })
    .filter(({ value }) => (value ?? 0) > CORES_LIMIT)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
}

/** Share of all CPUs; see `SHARE_LIMIT` in host-watch.ts. */
const CPU_LIMIT = 0.05;

export interface Programs {
  atMs: number;
  table: ProcessTable;
}

export function readPrograms(source: HostSource): Programs {
  return { atMs: performance.now(), table: readProcesses(source) };
}

/**
 * CPU of other programs: without the app, its clients and native servers, engine, kernel, and containers
 * (`containerIds`). A lower bound.
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
