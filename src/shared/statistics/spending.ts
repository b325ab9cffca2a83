/**
 * Each look can raise a false alarm, so only α · t⁴ is spent until the share t of the planned samples.
 * Sources: alpha spending (Lan & DeMets, Biometrika 70, 1983, doi:10.1093/biomet/70.3.659), its power family
 * (Kim & DeMets, Biometrika 74, 1987, doi:10.1093/biomet/74.1.149), the recursion over the looks (Armitage,
 * McPherson & Rowe, J. R. Statist. Soc. A 132, 1969, p. 235–244), nominal levels for t (Jennison & Turnbull,
 * Group Sequential Methods, 2000, ch. 3.8).
 */

/** Level of a test at this look, or an earlier one of `samples`, for `alpha` over all looks. */
export type LevelOf = (alpha: number, samples?: number) => number;

/** Default limit of a run until conclusive. */
export const MOST_ROUNDS = 32;

export const ONE_LOOK: LevelOf = (alpha) => alpha;

export interface Looks {
  planned: number;
  /** The fewest samples with an interval. */
  first: number;
  /** A greater power spends less on the first looks. */
  power?: number;
}

/** More looks gain next to nothing. */
const MOST_LOOKS = 50;
const POWER = 4;

export function isLook(samples: number, looks: Looks): boolean {
  return samples >= looks.first && samples % stepOf(looks) === 0;
}

/** `isLast`: the run ended by time or plan, so this look spends the rest. */
export function levelAt(samples: number, looks: Looks, isLast: boolean): LevelOf {
  const { power = POWER } = looks;
  const planned = Math.max(looks.planned, samples);
  const step = stepOf({ planned });
  const first = step * Math.ceil(looks.first / step);
  const at = Math.max(first, isLast ? samples : step * Math.floor(samples / step));
  return (alpha) => {
    const { walk, levels } = knownOf(`${alpha} ${planned} ${first} ${power}`);
    const key = `${at} ${isLast}`;
    const known = levels.get(key);
    if (known !== undefined) return known;
    const spentAt = (look: number): number => alpha * Math.min(1, look / planned) ** power;
    let before = START;
    for (let next = first; next < at; next += step) {
      const look = walk.get(next) ?? lookAfter(before, next, spentAt(next));
      walk.set(next, look);
      before = look;
    }
    const { bound } = lookAfter(before, at, isLast ? alpha : spentAt(at));
    const level = 2 * normalTail(bound / Math.sqrt(at));
    levels.set(key, level);
    return level;
  };
}

function stepOf({ planned }: Pick<Looks, 'planned'>): number {
  return Math.ceil(planned / MOST_LOOKS);
}

/** The walk has variance 1 per sample, and no look so far was beyond its bound. */
interface Look {
  samples: number;
  spent: number;
  bound: number;
  /** Distribution of the walk's absolute value. */
  points: readonly { at: number; mass: number }[];
}

const START: Look = { samples: 0, spent: 0, bound: 0, points: [{ at: 0, mass: 1 }] };

interface Known {
  walk: Map<number, Look>;
  levels: Map<string, number>;
}

const known = new Map<string, Known>();

function knownOf(design: string): Known {
  const found = known.get(design) ?? { walk: new Map(), levels: new Map() };
  if (known.size >= 200) known.clear();
  known.set(design, found);
  return found;
}

function lookAfter(before: Look, samples: number, spent: number): Look {
  const deviation = Math.sqrt(samples - before.samples);
  const both = (of: (x: number) => number, place: number): number =>
    before.points.reduce(
      (sum, { at, mass }) => sum + mass * (of((place - at) / deviation) + of((place + at) / deviation)),
      0,
    );
  const density = (place: number): number => both(normalDensity, place) / deviation;
  // Newton's method: the probability is convex.
  let bound = before.bound;
  for (let step = Infinity; Math.abs(step) > 1e-9;) {
    step = (both(normalTail, bound) - (spent - before.spent)) / density(bound);
    bound = Math.max(0, bound + step);
  }
  // Simpson's rule.
  const parts = 2 * Math.ceil(bound / deviation / POINTS_APART / 2);
  const points = Array.from({ length: parts + 1 }, (_, index) => {
    const at = (index * bound) / parts;
    const factor = index === 0 || index === parts ? 1 : index % 2 === 1 ? 4 : 2;
    return { at, mass: (density(at) * factor * bound) / parts / 3 };
  });
  return { samples, spent, bound, points };
}

/** Unit: standard deviations of a step. */
const POINTS_APART = 0.4;

function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** P(Z > x) by Marsaglia's series (J. Statist. Softw. 11(4), 2004, doi:10.18637/jss.v011.i04). */
function normalTail(x: number): number {
  if (x > 8) return 0;
  if (x < -8) return 1;
  let sum = x;
  let term = x;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 - sum * normalDensity(x);
}
