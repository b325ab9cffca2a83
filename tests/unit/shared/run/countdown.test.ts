import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/benchmark/random.ts';
import { StopRule } from '../../../../src/benchmark/run/stop-rule.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { countdown } from '../../../../src/shared/run/countdown.ts';
import { progressOf } from '../../../../src/shared/run/progress.ts';
import { measuresAtMostMs } from '../../../../src/shared/run/planned-time.ts';
import { RunFold } from '../../../../src/shared/run/reduce.ts';
import { IS_FULL } from '../../../helpers/tier.ts';
import { GRID, makeEvents } from '../../builders.ts';

/** Times of a run's steps, s. */
interface Times {
  prepared: number;
  start: (round: number) => number;
  /** Time from one slice's end to the next. */
  slice: (index: number) => number;
}

/** A real run, ten scenarios on seven servers and two cores, next to the work of six others. */
const BUSY_STARTS = [35.7, 19.6];
const BUSY_SLICES = [
  1.6, 1.5, 1.4, 1.5, 1.5, 2.3, 1.6, 1.3, 1.4, 1.4, 1.7, 1.4, 1.4, 1.5, 1.5, 1.3, 1.5, 1.4, 1.5, 1.3, 1.3,
  1.6, 1.7, 1.3, 1.6, 1.5, 1.7, 1.7, 1.4, 1.3, 1.2, 1.2, 1.2, 1.2, 1.5, 1.3, 1.4, 1.4, 1.4, 1.3,
];
const BUSY: Times = {
  prepared: 23.9,
  start: (round) => BUSY_STARTS[(round - 1) % BUSY_STARTS.length] ?? 0,
  slice: (index) => BUSY_SLICES[index % BUSY_SLICES.length] ?? 0,
};
const AS_PLANNED: Times = { prepared: 14, start: () => 19, slice: () => 1.15 };
const FIVE_TIMES_SLOWER: Times = { prepared: 70, start: () => 95, slice: () => 1.75 };

const LIMIT_MINUTES = 5;

/** Side by side until the time limit; never conclusive. */
function runOf({ prepared, start, slice }: Times): RunEvent[] {
  const [begin, ...others] = makeEvents({ scenarios: GRID, rounds: 3, durationSeconds: 10, sliceSeconds: 1 });
  if (begin?.type !== 'run-started') throw new Error('no run');
  const { plan } = begin;
  const schedule = { ...plan.schedule, untilConclusive: { budgetMinutes: LIMIT_MINUTES } };
  const planned = { ...plan, schedule };
  const estimate = { ...plan.estimate, seconds: 14 + (measuresAtMostMs(planned) ?? 0) / 1000 + 5 };
  const events: RunEvent[] = [{ ...begin, plan: { ...planned, estimate } }];
  const stopRule = new StopRule(planned);
  const totalsOf = new Map(
    others.flatMap((event) => (event.type === 'slice-finished' ? [[event.trialId, event.totals]] : [])),
  );
  let at = begin.at + prepared * 1000;
  let slices = 0;
  for (const [index, ids] of plan.rounds.entries()) {
    const stepId = `start:${index + 1}`;
    events.push({ type: 'step-started', at, stepId, kind: 'start', subject: String(index + 1) });
    const costMs = start(index + 1) * 1000;
    at += costMs;
    events.push({ type: 'step-finished', at, stepId, error: null });
    stopRule.begin({ costMs, groupsLeft: 1, isLastRound: index === 2 });
    let next: ReturnType<StopRule['after']>;
    for (let pass = 1; next === undefined; pass += 1) {
      const began = at;
      for (const [position, id] of ids.entries()) {
        const trialId = `r${index + 1}.${id}`;
        const totals = totalsOf.get(trialId);
        if (totals === undefined) throw new Error('no totals');
        if (pass === 1) events.push({ type: 'trial-started', at, trialId });
        events.push({ type: 'trial-phase', at, trialId, phase: 'measure' });
        at += slice(slices++) * 1000;
        const one = { pass, position: position + 1, transactions: 500, durationMs: 1000 };
        events.push({ type: 'slice-finished', at, trialId, slice: one, totals });
      }
      next = stopRule.after(at - began);
    }
    if (next !== 'again') return events;
    for (const id of ids) {
      const trialId = `r${index + 1}.${id}`;
      const totals = totalsOf.get(trialId);
      if (totals !== undefined) events.push({ type: 'trial-finished', at, trialId, totals });
    }
  }
  return events;
}

interface Seen {
  /** Time since the run's start, s. */
  at: number;
  leftMs: number | null;
}

/** The shown time left in each second until the last slice ends. */
function seenIn(events: readonly RunEvent[]): Seen[] {
  const fold = new RunFold();
  const shownOf = countdown();
  const begin = events[0]?.at ?? 0;
  const end = events.at(-1)?.at ?? 0;
  const seen: Seen[] = [];
  let next = 0;
  for (let now = begin; now <= end; now += 1000) {
    for (; (events[next]?.at ?? Infinity) <= now; next += 1) fold.push(events[next] as RunEvent);
    if (fold.state === undefined) continue;
    const { leftMs } = shownOf(progressOf(fold.state, now));
    seen.push({ at: (now - begin) / 1000, leftMs });
  }
  return seen;
}

/** The longest time in which the shown value is the same, s; the last seconds are words. */
function longestStill(seen: readonly Seen[]): number {
  let [longest, since] = [0, 0];
  for (const [index, { at, leftMs }] of seen.entries()) {
    if (leftMs === null || leftMs < 6_000 || leftMs !== seen[index - 1]?.leftMs) since = at;
    longest = Math.max(longest, at - since);
  }
  return longest;
}

/** Ratios by which the shown value rose. */
function rises(seen: readonly Seen[]): number[] {
  return seen.flatMap(({ leftMs }, index) => {
    const before = seen[index - 1]?.leftMs ?? null;
    return leftMs !== null && before !== null && leftMs > before ? [leftMs / before] : [];
  });
}

describe('the time left that a screen shows', () => {
  it.each([
    ['as planned', AS_PLANNED],
    ['on a busy machine', BUSY],
    ['on a machine that is five times slower', FIVE_TIMES_SLOWER],
  ])('has no number before the first slice, then moves and comes true: %s', (_, times) => {
    const events = runOf(times);
    const seen = seenIn(events);
    const first = times.prepared + times.start(1) + times.slice(0);
    for (const { at, leftMs } of seen) expect(leftMs === null, String(at)).toBe(at < first);
    expect(longestStill(seen)).toBeLessThanOrEqual(10);
    for (const rise of rises(seen)) expect(rise).toBeGreaterThanOrEqual(1.1);
    const end = ((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)) / 1000;
    for (const { at, leftMs } of seen) {
      // A pass that no longer fits isn't begun; the cleanup comes after the last slice.
      if (leftMs !== null) expect(Math.abs(leftMs / 1000 - 5 - (end - at)), String(at)).toBeLessThan(30);
    }
  });

  it('never stands still for more than 10 s, and never rises by less than a tenth, whatever stalls', () => {
    const random = createRandom(20261128);
    const between = (low: number, high: number): number => low * (high / low) ** random();
    for (let run = 0; run < (IS_FULL ? 15 : 5); run += 1) {
      const slowness = between(0.3, 8);
      const seen = seenIn(
        runOf({
          prepared: between(5, 120),
          start: () => 19 * slowness * between(0.3, 3),
          slice: () => (random() < 0.01 ? between(10, 120) : 1 + 0.15 * slowness * between(0.5, 4)),
        }),
      );
      expect(longestStill(seen), `run ${run}`).toBeLessThanOrEqual(10);
      for (const rise of rises(seen)) expect(rise, `run ${run}`).toBeGreaterThanOrEqual(1.1);
    }
  });

  it('holds during a pause, and begins again with another session', () => {
    const shownOf = countdown();
    const known = { fraction: 0.5, done: 0, all: null, current: undefined };
    expect(shownOf({ ...known, leftMs: 100_000, elapsedMs: 50_000 }).leftMs).toBe(100_000);
    expect(shownOf({ ...known, leftMs: 105_000, elapsedMs: 50_000 }).leftMs).toBe(100_000);
    expect(shownOf({ ...known, leftMs: 105_000, elapsedMs: 70_000 }).leftMs).toBe(90_000);
    expect(shownOf({ ...known, leftMs: null, elapsedMs: 80_000 }).leftMs).toBeNull();
    expect(shownOf({ ...known, leftMs: 96_000, elapsedMs: 90_000 }).leftMs).toBe(100_000);
  });
});
