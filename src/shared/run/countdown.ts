import type { RunProgress } from './progress.ts';

const LEAST_RISE = 1.1;
/** Speed at which the shown time falls while a rise is hidden. */
const SLOW = 0.5;

interface Shown {
  leftMs: number | null;
  fraction: number;
}

/** The time left of one run rises only by a tenth or more. */
export function countdown(): (progress: RunProgress) => Shown {
  let held: { leftMs: number; elapsedMs: number } | undefined;
  return ({ leftMs, elapsedMs, fraction }) => {
    if (leftMs === null) {
      held = undefined;
      return { leftMs, fraction };
    }
    const before = held;
    const rises =
      before !== undefined && leftMs >= before.leftMs && elapsedMs >= before.elapsedMs
        ? rounded(leftMs) / rounded(before.leftMs)
        : Infinity;
    const slowed =
      before === undefined || rises >= LEAST_RISE
        ? leftMs
        : Math.max(1_000, before.leftMs - SLOW * (elapsedMs - before.elapsedMs));
    held = { leftMs: slowed, elapsedMs };
    return { leftMs: rounded(slowed), fraction: elapsedMs / (elapsedMs + slowed) };
  };
}

function rounded(ms: number): number {
  const step = ms > 60_000 ? 5_000 : 1_000;
  return Math.ceil(ms / step) * step;
}
