import type { HostCondition, HostConditionKind, HostEvidence } from '../../shared/model/evidence.ts';
import type { LoadEvent } from '../load/load-client.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { HostSource } from '../host/host-source.ts';
import {
  busyContainers,
  type HostSample,
  type Neighbors,
  otherPrograms,
  type Programs,
  readNeighbors,
  readPrograms,
  sampleLinux,
  SHARE_LIMIT,
  throttleFiles,
} from './linux-sample.ts';

const PERIOD_MS = 1000;

export interface HostWatched {
  source: HostSource;
  runtime: ContainerRuntime;
  /** Engines of the whole run, `runtime` among them. */
  engines: readonly ContainerRuntime[];
  runId: string;
}

interface Reading {
  states: HostConditionKind[];
  neighbors: Neighbors | undefined;
  programs: Programs | undefined;
}

export class HostWatch {
  readonly #throttles: readonly string[];
  readonly #samples: HostSample[] = [];
  readonly #spans: WindowSpan[] = [];
  #measureMs = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly watched: HostWatched,
    private readonly before: Reading,
  ) {
    this.#throttles = throttleFiles(watched.source);
  }

  static async begin(watched: HostWatched): Promise<HostWatch> {
    return new HostWatch(watched, await read(watched));
  }

  /** Every load event must come here. Call `rest` or `end` afterward. */
  see(event: LoadEvent): void {
    if (event.type === 'window' && event.window.phase === 'measure') {
      const { index, startMs, durationMs } = event.window;
      const beginMs = this.#measureMs + startMs;
      this.#spans.push({ index, beginMs, endMs: beginMs + durationMs });
    }
    if (event.type !== 'phase' || event.phase !== 'measure') return;
    this.#measureMs = performance.now();
    if (this.watched.source.platform === 'linux') this.#sampleFrom(this.#measureMs);
  }

  async end(): Promise<HostEvidence> {
    this.rest();
    const { source } = this.watched;
    const before = this.before;
    const after = await read(this.watched);
    const conditions: HostCondition[] = [
      ...windowConditions(this.#samples, this.#spans),
      ...stateConditions(before.states, after.states),
    ];
    if (before.programs !== undefined && after.programs !== undefined) {
      const ids = [...(before.neighbors?.ids ?? []), ...(after.neighbors?.ids ?? [])];
      conditions.push(...otherPrograms(source, before.programs, after.programs, ids));
    }
    if (before.neighbors !== undefined && after.neighbors !== undefined) {
      conditions.push(...busyContainers(before.neighbors, after.neighbors));
    }
    return { conditions };
  }

  rest(): void {
    if (this.#timer !== undefined) this.#sample();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #sampleFrom(originMs: number): void {
    this.#sample();
    const next = (): void => {
      const elapsed = performance.now() - originMs;
      this.#timer = setTimeout(
        () => {
          this.#sample();
          next();
        },
        PERIOD_MS * (Math.floor(elapsed / PERIOD_MS) + 1) - elapsed,
      );
      this.#timer.unref();
    };
    next();
  }

  #sample(): void {
    this.#samples.push(sampleLinux(this.watched.source, this.#throttles, performance.now()));
  }
}

async function read({ source, runtime, engines, runId }: HostWatched): Promise<Reading> {
  const [states, neighbors] = await Promise.all([
    readStates(source),
    readNeighbors(engines, runtime, runId).catch(() => undefined),
  ]);
  return { states, neighbors, programs: seesContainers(source, runtime) ? readPrograms(source) : undefined };
}

/** Whether containers' processes are among this machine's. */
export function seesContainers(
  { platform }: HostSource,
  { passport }: Pick<ContainerRuntime, 'passport'>,
): boolean {
  return platform === 'linux' && !passport.runtime.vm && !passport.runtime.remote;
}

/** Swapped pages per second; at 0.1 to 0.2 ms per page from an SSD, 2.5 to 5% of a second. */
const PAGES_LIMIT = 256;

interface WindowSpan {
  index: number;
  beginMs: number;
  endMs: number;
}

interface Rule {
  kind: HostConditionKind;
  limit: number;
  strength(before: HostSample, after: HostSample): number | undefined;
}

const RULES: readonly Rule[] = [
  {
    kind: 'steal',
    limit: SHARE_LIMIT,
    strength: ({ cpu: before }, { cpu: after }) =>
      before === undefined || after === undefined || after.total <= before.total
        ? undefined
        : (after.stolen - before.stolen) / (after.total - before.total),
  },
  {
    kind: 'memory-pressure',
    limit: SHARE_LIMIT,
    strength: (before, after) => {
      const us = grown(before.memoryStallUs, after.memoryStallUs);
      return us === undefined ? undefined : us / 1000 / (after.atMs - before.atMs);
    },
  },
  {
    kind: 'swapping',
    limit: PAGES_LIMIT,
    strength: (before, after) => {
      const pages = grown(before.swappedPages, after.swappedPages);
      return pages === undefined ? undefined : (pages * 1000) / (after.atMs - before.atMs);
    },
  },
  { kind: 'thermal', limit: 1, strength: (before, after) => grown(before.throttles, after.throttles) },
];

export function windowConditions(
  samples: readonly HostSample[],
  windows: readonly WindowSpan[],
): HostCondition[] {
  return RULES.flatMap(({ kind, limit, strength }): HostCondition[] => {
    const touched = new Set<number>();
    let worst = 0;
    for (let at = 1; at < samples.length; at++) {
      const [before, after] = [samples[at - 1], samples[at]];
      if (before === undefined || after === undefined) continue;
      const value = strength(before, after) ?? 0;
      if (value < limit) continue;
      const within = windows.filter((window) => isMostlyIn(window, before.atMs, after.atMs));
      if (within.length > 0) worst = Math.max(worst, value);
      for (const { index } of within) touched.add(index);
    }
    if (touched.size === 0) return [];
    return [{ kind, windows: [...touched].sort((a, b) => a - b), value: worst, name: null }];
  });
}

/** Samples fall near the ends of windows. */
function isMostlyIn({ beginMs, endMs }: WindowSpan, fromMs: number, untilMs: number): boolean {
  return Math.min(endMs, untilMs) - Math.max(beginMs, fromMs) >= (endMs - beginMs) / 2;
}

export function grown(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

const SUPPLIES = '/sys/class/power_supply';
const PROFILE = '/sys/firmware/acpi/platform_profile';
const PMSET = '/usr/bin/pmset';
const SYSCTL = '/usr/sbin/sysctl';

export async function readStates(source: HostSource): Promise<HostConditionKind[]> {
  if (source.platform === 'linux') {
    return [
      ...(runsOnBattery(source) ? (['on-battery'] as const) : []),
      ...(source.read(PROFILE)?.trim() === 'low-power' ? (['low-power'] as const) : []),
    ];
  }
  return source.platform === 'darwin' ? macStates(source) : [];
}

export function stateConditions(
  before: readonly HostConditionKind[],
  after: readonly HostConditionKind[],
): HostCondition[] {
  return [...new Set([...before, ...after])].map((kind) => ({
    kind,
    windows: null,
    value: null,
    name: null,
  }));
}

/** Kernel ABI, sysfs-class-power; a mouse's battery has the scope "Device". */
function runsOnBattery(source: HostSource): boolean {
  return source.list(SUPPLIES).some((name) => {
    const value = (attribute: string): string | undefined =>
      source.read(`${SUPPLIES}/${name}/${attribute}`)?.trim();
    const powersAll = value('scope') !== 'Device';
    return (
      (value('type') === 'Battery' || value('type') === 'UPS') &&
      powersAll &&
      value('status') === 'Discharging'
    );
  });
}

/**
 * pmset(1); with three modes, `powermode 1` is low power. Memory pressure: 1 normal, 2 warning, 4 critical.
 */
async function macStates(source: HostSource): Promise<HostConditionKind[]> {
  const [battery = '', settings = '', heat = '', pressure = ''] = await Promise.all([
    source.run(PMSET, ['-g', 'batt']),
    source.run(PMSET, ['-g']),
    source.run(PMSET, ['-g', 'therm']),
    source.run(SYSCTL, ['-n', 'kern.memorystatus_vm_pressure_level']),
  ]);
  const states: HostConditionKind[] = [];
  if (/Now drawing from '(?:Battery|UPS) Power'/.test(battery)) states.push('on-battery');
  if (/^\s*(?:lowpowermode|powermode)\s+1\b/m.test(settings)) states.push('low-power');
  if (Number(/CPU_Speed_Limit\s*=\s*(\d+)/.exec(heat)?.[1] ?? 100) < 100) states.push('thermal');
  if (Number(pressure) >= 2) states.push('memory-pressure');
  return states;
}
