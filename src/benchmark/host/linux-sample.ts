import type { HostSource } from '../machine/host-source.ts';

const CPUS = '/sys/devices/system/cpu';

/** Undefined: not counted by this kernel. */
export interface HostSample {
  /** By `performance.now()`. */
  atMs: number;
  /** Clock ticks of all CPUs; `total` includes idle time. */
  cpu: { stolen: number; total: number } | undefined;
  /** Time in which a program waited for memory, µs. */
  memoryStallUs: number | undefined;
  /** Written to or read from swap. */
  swappedPages: number | undefined;
  /** Share of memory that is unavailable. */
  memoryUsed: number | undefined;
  /** Thermal throttling events. */
  throttles: number | undefined;
}

/** Only on Intel processors. */
export function throttleFiles(source: HostSource): string[] {
  return source
    .list(CPUS)
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => `${CPUS}/${name}/thermal_throttle/core_throttle_count`)
    .filter((path) => source.read(path) !== undefined);
}

/** Four small files, and one per core with a throttle counter. */
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
    memoryUsed: parsed('/proc/meminfo', memoryUsed),
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

/** `some` (accounting/psi.rst). */
export function stallUs(pressure: string): number | undefined {
  return numberIn(/^some .*\btotal=(\d+)/m, pressure);
}

/** `pswpin` and `pswpout`. */
export function swappedPages(vmstat: string): number | undefined {
  const [pagesIn, pagesOut] = [numberIn(/^pswpin (\d+)$/m, vmstat), numberIn(/^pswpout (\d+)$/m, vmstat)];
  return pagesIn === undefined || pagesOut === undefined ? undefined : pagesIn + pagesOut;
}

/** From `MemTotal` and `MemAvailable`. */
export function memoryUsed(meminfo: string): number | undefined {
  const total = numberIn(/^MemTotal: +(\d+) kB$/m, meminfo);
  const available = numberIn(/^MemAvailable: +(\d+) kB$/m, meminfo);
  return total === undefined || available === undefined ? undefined : 1 - available / total;
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
