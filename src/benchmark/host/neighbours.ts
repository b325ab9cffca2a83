import type { HostCondition } from '../../shared/model/evidence.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { RUN_LABEL } from '../runtime/labels.ts';
import { cpus } from 'node:os';
import type { HostSource } from '../machine/host-source.ts';
import { isBelow, ownProcesses, readProcesses, usedByName, type ProcessTable } from '../machine/processes.ts';

/** A twentieth of a core: less is what a database or a proxy without work takes for its own housekeeping. */
const CORES_LIMIT = 0.05;

/** The containers that run at one instant. */
export interface Neighbours {
  atMs: number;
  /** All of them, this run's too. */
  ids: string[];
  /** Those of others, with the CPU seconds since their start. */
  others: Map<string, { name: string; cpuSeconds: number }>;
}

/** Rejects with what the engine says; a container that went meanwhile is left out. */
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

/** Containers of others that used CPU between two readings, each with its cores; the busiest first. */
export function busyContainers(before: Neighbours, after: Neighbours): HostCondition[] {
  const seconds = (after.atMs - before.atMs) / 1000;
  if (seconds <= 0) return [];
  return [...after.others]
    .map(([id, { name, cpuSeconds }]): HostCondition => {
      const first = before.others.get(id)?.cpuSeconds ?? 0;
      // Started, or started again, meanwhile: all that it has used is of this time.
      const used = cpuSeconds < first ? cpuSeconds : cpuSeconds - first;
      return { kind: 'container-busy', windows: null, value: used / seconds, name };
    })
    .filter(({ value }) => (value ?? 0) > CORES_LIMIT)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
}

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
