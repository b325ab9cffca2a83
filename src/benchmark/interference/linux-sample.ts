import type { HostSource } from '../host/host-source.ts';
import type { HostCondition } from '../../shared/model/evidence.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { RUN_LABEL } from '../runtime/labels.ts';
import { cpus } from 'node:os';
import { isBelow, ownProcesses, readProcesses, usedByName, type ProcessTable } from '../host/processes.ts';

const CPUS = '/sys/devices/system/cpu';

export interface HostSample {
  atMs: number;
  /** Clock ticks of all CPUs. */
  cpu: { stolen: number; total: number } | undefined;
  memoryStallUs: number | undefined;
  swappedPages: number | undefined;
  throttles: number | undefined;
}

export function throttleFiles(source: HostSource): string[] {
  return source
    .list(CPUS)
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => `${CPUS}/${name}/thermal_throttle/core_throttle_count`)
    .filter((path) => source.read(path) !== undefined);
}

export function sampleLinux(source: HostSource, throttles: readonly string[], atMs: number): HostSample {
  const parsed = <T>(path: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = source.read(path);
    return text === undefined ? undefined : parse(text);
  };
  return {
    atMs,
    cpu: parsed('/proc/stat', cpuTicks),
    memoryStallUs: parsed('/proc/pressure/memory', stallUs),
    swappedPages: parsed('/proc/vmstat', swappedPages),
    throttles:
      throttles.length === 0
        ? undefined
        : throttles.reduce((sum, path) => sum + Number(source.read(path) ?? 0), 0),
  };
}

/** proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; guests are part of user. */
export function cpuTicks(stat: string): HostSample['cpu'] {
  const line = /^cpu +([\d ]+)$/m.exec(stat)?.[1];
  const ticks = line?.trim().split(/ +/).slice(0, 8).map(Number);
  const stolen = ticks?.[7];
  return ticks === undefined || stolen === undefined
    ? undefined
    : { stolen, total: ticks.reduce((sum, one) => sum + one, 0) };
}

function stallUs(pressure: string): number | undefined {
  return numberIn(/^some .*\btotal=(\d+)/m, pressure);
}

function swappedPages(vmstat: string): number | undefined {
  const [pagesIn, pagesOut] = [numberIn(/^pswpin (\d+)$/m, vmstat), numberIn(/^pswpout (\d+)$/m, vmstat)];
  return pagesIn === undefined || pagesOut === undefined ? undefined : pagesIn + pagesOut;
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Idle databases and proxies use fewer cores. */
const CORES_LIMIT = 0.05;

export interface Neighbors {
  atMs: number;
  ids: string[];
  others: Map<string, { name: string; cpuSeconds: number }>;
}

/** Rejects with `own`'s error; skips other engines that don't answer. */
export async function readNeighbors(
  engines: readonly ContainerRuntime[],
  own: ContainerRuntime,
  runId: string,
): Promise<Neighbors> {
  const runningOn = async (engine: ContainerRuntime) =>
    (await engine.containers.listRunning()).map((one) => ({ ...one, runtime: engine }));
  const others: Neighbors['others'] = new Map();
  const lists = engines.map((one) => (one === own ? runningOn(one) : runningOn(one).catch(() => [])));
  const running = (await Promise.all(lists)).flat();
  const foreign = running.filter(({ labels }) => labels[RUN_LABEL] !== runId);
  await Promise.all(
    foreign.map(async ({ id, name, runtime }) => {
      const used = await runtime.containers.usage(id).catch(() => undefined);
      const cpuSeconds = used?.usage.cpuSeconds ?? null;
      if (cpuSeconds !== null) others.set(id, { name, cpuSeconds });
    }),
  );
  return { atMs: performance.now(), ids: running.map(({ id }) => id), others };
}

export function busyContainers(before: Neighbors, after: Neighbors): HostCondition[] {
  const seconds = (after.atMs - before.atMs) / 1000;
  if (seconds <= 0) return [];
  return [...after.others]
    .map(([id, { name, cpuSeconds }]): HostCondition => {
      const first = before.others.get(id)?.cpuSeconds ?? 0;
      const used = cpuSeconds < first ? cpuSeconds : cpuSeconds - first;
      return { kind: 'container-busy', windows: null, value: used / seconds, name };
    })
    .filter(({ value }) => (value ?? 0) > CORES_LIMIT)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
}

/** Share of all CPUs, or of the time, from which on others disturb. */
export const SHARE_LIMIT = 0.05;

export interface Programs {
  atMs: number;
  table: ProcessTable;
}

export function readPrograms(source: HostSource): Programs {
  return { atMs: performance.now(), table: readProcesses(source) };
}

/** A lower bound of CPU use outside Whalemark, the engine, the kernel, and containers. */
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
  if (cores < SHARE_LIMIT * coreCount) return [];
  return [{ kind: 'others-busy', windows: null, value: cores, name: used[0]?.name ?? null }];
}
