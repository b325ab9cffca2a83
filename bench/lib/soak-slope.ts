import { median } from './ratio.ts';

/** A figure at a time; slopes are only taken between points of the same stretch. */
export interface Point {
  x: number;
  y: number;
  /** The trial of the point: between two stretches a figure may jump without a meaning. */
  stretch: string;
}

export interface Slope {
  /** Change of y for each 1 of x: the median of the slopes between all pairs of points (Theil–Sen). */
  slope: number;
  /** 95% interval after Sen: from how often one slope is larger than another by chance. */
  low: number;
  high: number;
}

const Z95 = 1.96;
const FEWEST = 5;

/**
 * How fast a figure grows, and how sure that is. A quarter of the points may be wild without moving it much, and no noise of
 * a certain shape is assumed; neighbors must be independent, so give it `blockMedians`. Null with too few points.
 */
export function theilSen(points: readonly Point[]): Slope | null {
  const slopes: number[] = [];
  let variance = 0;
  for (const stretch of new Set(points.map((point) => point.stretch))) {
    const own = points.filter((point) => point.stretch === stretch);
    for (const [index, from] of own.entries()) {
      for (const to of own.slice(index + 1)) {
        if (to.x !== from.x) slopes.push((to.y - from.y) / (to.x - from.x));
      }
    }
    const n = own.length;
    variance += (n * (n - 1) * (2 * n + 5)) / 18;
  }
  if (points.length < FEWEST || slopes.length === 0) return null;
  slopes.sort((a, b) => a - b);
  const reach = Z95 * Math.sqrt(variance);
  const rank = (at: number): number =>
    slopes[Math.max(0, Math.min(slopes.length - 1, Math.round(at)))] ?? NaN;
  return {
    slope: median(slopes),
    low: rank((slopes.length - reach) / 2 - 1),
    high: rank((slopes.length + reach) / 2),
  };
}

/** One point for every `width` of x in each stretch, the median of what lies in it: a heap goes up and down like a saw. */
export function blockMedians(points: readonly Point[], width: number): Point[] {
  const blocks = new Map<string, Point[]>();
  for (const point of points) {
    const key = `${point.stretch}\0${Math.floor(point.x / width)}`;
    blocks.set(key, [...(blocks.get(key) ?? []), point]);
  }
  return [...blocks.values()].map((block) => ({
    x: median(block.map(({ x }) => x)),
    y: median(block.map(({ y }) => y)),
    stretch: block[0]?.stretch ?? '',
  }));
}

/**
 * The points without the first third of each stretch, and at least without `least` of x: caches fill, code is compiled, heaps
 * find their size.
 */
export function afterWarmUp(points: readonly Point[], least: number): Point[] {
  return [...new Set(points.map(({ stretch }) => stretch))].flatMap((stretch) => {
    const own = points.filter((point) => point.stretch === stretch);
    const [from, to] = [own[0]?.x ?? 0, own.at(-1)?.x ?? 0];
    return own.filter(({ x }) => x >= from + Math.max(least, (to - from) / 3));
  });
}

export type Verdict = 'flat' | 'grows' | 'too short to tell';

/** Compares with a limit: `flat` or `grows` only where the whole interval is on one side of it. */
export function verdictOn(slope: Slope | null, limit: number): Verdict {
  if (slope === null) return 'too short to tell';
  if (slope.low > limit) return 'grows';
  return slope.high <= limit ? 'flat' : 'too short to tell';
}
