import type { HostCondition, HostConditionKind } from '../../shared/model/host.ts';
import type { HostSample } from './linux-sample.ts';

/**
 * As wide as the zone in which two scenarios count as equal unless a preset says otherwise: a second that loses less than
 * this of its time can't leave it for that alone.
 */
const SHARE_LIMIT = 0.05;
/** In use: from here on the kernel takes pages from caches that are needed. Only looked at where it counts no pressure. */
const MEMORY_LIMIT = 0.95;
/** At 0.1 to 0.2 ms for a page from an SSD these are 2.5 to 5 % of a second; less is the trickle of idle programs. */
const PAGES_LIMIT = 256;

/** A measured window on the clock of the samples, ms. */
export interface WindowSpan {
  index: number;
  beginMs: number;
  endMs: number;
}

interface Rule {
  kind: HostConditionKind;
  limit: number;
  /** Between two samples; undefined where it can't be told. */
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
    kind: 'memory-low',
    limit: MEMORY_LIMIT,
    strength: (_, { memoryStallUs, memoryUsed }) => (memoryStallUs === undefined ? memoryUsed : undefined),
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

/** What the samples show, tied to the windows that it touches. */
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

/** Samples are taken at the ends of windows, give or take some ms: half of a window decides where one belongs. */
function isMostlyIn({ beginMs, endMs }: WindowSpan, fromMs: number, untilMs: number): boolean {
  return Math.min(endMs, untilMs) - Math.max(beginMs, fromMs) >= (endMs - beginMs) / 2;
}

function grown(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}
