import { ENGLISH } from '../../../src/shared/words/i18n.ts';
import { describe, expect, it } from 'vitest';
import {
  endOf,
  latestSecond,
  meanLines,
  meanOf,
  roundSeconds,
  roundStarts,
  rowsOf,
  seriesOf,
  type Series,
} from '../../../src/renderer/charts/series.ts';
import { reduce } from '../../../src/shared/run/reduce.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { GRID, makeEvents, makeState, type StateShape } from '../builders.ts';

const scenarios = GRID.slice(0, 2);
const [a, b] = ['named-volume.published-port', 'named-volume.user-bridge'];
const state = makeState({
  scenarios,
  aaCheck: false,
  rounds: 2,
  durationSeconds: 3,
  outcomes: { [a]: [100, 200], [b]: [300, 'SERVER_EXITED'] },
});

const drawn = (series: Series | undefined) => (series?.lines ?? []).flat();

describe('lines over time', () => {
  it('have a point in the middle of every measured second of each trial, and none of a failed one', () => {
    const lines = seriesOf(state, 'tps', 'overlay', ENGLISH);
    expect(lines.map((line) => line.lines.map((points) => points.map(({ x }) => x)))).toEqual([
      [
        [0.5, 1.5, 2.5],
        [3.5, 4.5, 5.5],
      ],
      [[0.5, 1.5, 2.5]],
    ]);
    expect(lines.flatMap(drawn).every(({ y }) => y !== null)).toBe(true);
    expect(roundStarts(state.plan, roundSeconds(state))).toEqual([0, 3, 6]);
  });

  it('lie on top of each other by round, and one after the other in order of measuring', () => {
    const first = (layout: 'overlay' | 'sequence') =>
      seriesOf(state, 'tps', layout, ENGLISH).map((line) => drawn(line)[0]?.x);
    expect(first('overlay')).toEqual([0.5, 0.5]);
    expect([...first('sequence')].sort()).toEqual([0.5, 3.5]);
    expect(endOf(seriesOf(state, 'tps', 'overlay', ENGLISH))).toBe(5.5);
    expect(endOf(seriesOf(state, 'tps', 'sequence', ENGLISH))).toBe(8.5);
  });

  it('tell latency in milliseconds', () => {
    const [line] = seriesOf(state, 'p95', 'overlay', ENGLISH);
    // Eight connections at 100 transactions a second: about 80 ms each.
    expect(drawn(line)[0]?.y).toBeGreaterThan(50);
    expect(drawn(line)[0]?.y).toBeLessThan(200);
  });

  it('have means and stand as a table, too', () => {
    const series = seriesOf(state, 'tps', 'overlay', ENGLISH);
    expect(series.map((one) => Math.round(meanOf(one) ?? 0))).toEqual([150, 300]);
    expect(meanOf({ lines: [] })).toBeNull();
    const { seconds, rows } = rowsOf(series, 'mean');
    expect(seconds).toBe(1);
    expect(rows.map(([second]) => second)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rows[0]?.[1].size).toBe(2);
    expect(rows[5]?.[1].size).toBe(1);
  });
});

describe('lines of slices', () => {
  const side = makeState({ scenarios, aaCheck: false, rounds: 2, durationSeconds: 4, sliceSeconds: 1 });

  it('connect a scenario’s slices at their time in the round, in both layouts', () => {
    for (const layout of ['overlay', 'sequence'] as const) {
      const [one, other] = seriesOf(side, 'tps', layout, ENGLISH);
      const places = [one, other].flatMap((line) => drawn(line).map(({ x }) => x));
      expect(one?.lines[0]).toHaveLength(4);
      expect(new Set(places).size).toBe(2 * 2 * 4);
      expect(endOf([one, other].flatMap((each) => each ?? []))).toBeGreaterThan(roundSeconds(side));
    }
  });

  it('stand in a table with a row for about each pass', () => {
    const { seconds, rows } = rowsOf(seriesOf(side, 'tps', 'overlay', ENGLISH), 'mean');
    expect(seconds).toBe(2);
    expect(rows.filter(([, values]) => values.size === 2).length).toBeGreaterThan(rows.length / 2);
  });
});

describe('the run time', () => {
  const after = (shape: StateShape, type: RunEvent['type'], nth: number): RunState => {
    let left = nth;
    let now: RunState | undefined;
    for (const event of makeEvents({ scenarios, aaCheck: false, rounds: 2, durationSeconds: 3, ...shape })) {
      now = reduce(now, event);
      if (event.type === type && (left -= 1) === 0) break;
    }
    if (now === undefined) throw new Error('no run');
    return now;
  };
  const xOf = (of: RunState) =>
    seriesOf(of, 'tps', 'clock', ENGLISH)
      .flatMap((line) => drawn(line))
      .map(({ x }) => x)
      .sort((one, other) => one - other);

  it('has each trial’s seconds at their time, without pauses; those of warm-up move without staying', () => {
    const shape = { warmupSeconds: 2 };
    expect(latestSecond(after(shape, 'trial-started', 1))).toBeUndefined();
    const warming = after(shape, 'window', 1);
    expect(latestSecond(warming)).toMatchObject({ isWarmup: true });
    expect(xOf(warming)).toEqual([]);
    const two = after(shape, 'trial-finished', 2);
    const ends = two.trials.flatMap(({ finishedAt }) => finishedAt ?? []).sort((one, other) => one - other);
    // Each trial has points for its last three seconds.
    const expected = ends.flatMap((end) =>
      [2.5, 1.5, 0.5].map((back) => (end - two.startedAt) / 1000 - back),
    );
    for (const [index, x] of xOf(two).entries()) expect(x).toBeCloseTo(expected[index] ?? NaN, 1);
    const pause = { from: two.startedAt, until: two.startedAt + 1_000, interrupted: false };
    expect(xOf({ ...two, pauses: [pause] })[0]).toBeCloseTo((expected[0] ?? NaN) - 1, 1);
  });

  it('has slices in their order, with a gap while servers start again', () => {
    const shape = { sliceSeconds: 1 };
    for (let slices = 1; slices <= 12; slices++) {
      const now = after(shape, 'slice-finished', slices);
      const [places, latest] = [xOf(now), latestSecond(now)];
      expect(places).toHaveLength(slices);
      expect(latest?.at).toBeCloseTo(places.at(-1) ?? NaN);
      expect(latest?.from).toBeCloseTo(places[0] ?? NaN);
      const [ended] = [...now.trials].sort((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0));
      expect(latest?.trial.id).toBe(ended?.id);
      expect(latest?.at).toBeCloseTo(((ended?.finishedAt ?? 0) - now.startedAt) / 1000 - 0.5, 0);
      expect(latest).toMatchObject({ isWarmup: false, values: { tps: ended?.windows.at(-1)?.transactions } });
    }
  });

  it('has the mean of a choice in each turn that all of its scenarios have had', () => {
    const both = [a, b];
    const linesAfter = (slices: number) =>
      meanLines(after({ sliceSeconds: 1 }, 'slice-finished', slices), 'tps', both);
    expect(linesAfter(1)).toEqual([]);
    const [first] = linesAfter(3);
    const dots = seriesOf(after({ sliceSeconds: 1 }, 'slice-finished', 2), 'tps', 'clock', ENGLISH);
    const values = dots.flatMap((line) => drawn(line)).flatMap(({ y }) => y ?? []);
    expect(first).toHaveLength(1);
    expect(first?.[0]?.y).toBeCloseTo(values.reduce((sum, one) => sum + one, 0) / 2);
    // Each round has a separate line, because its servers are new.
    expect(linesAfter(12).map(({ length }) => length)).toEqual([3, 3]);
    const rounds = meanLines(after({}, 'trial-finished', 4), 'tps', both);
    expect(rounds.map(({ length }) => length)).toEqual([2]);
  });
});

describe('lines of a long run', () => {
  const line = Array.from({ length: 36_000 }, (_, index) => ({
    x: index + 0.5,
    y: index === 20_000 ? 1 : 100 + (index % 10),
  }));
  const series: Series = { scenarioId: 'a', name: 'A', lines: [line] };

  it('stand in a table as stretches that say how long they are', () => {
    const mean = rowsOf([series], 'mean');
    expect(mean.seconds).toBe(60);
    expect(mean.rows).toHaveLength(600);
    expect(mean.rows[0]).toEqual([1, new Map([['a', 104.5]])]);
    const highest = rowsOf([series], 'highest');
    expect(highest.rows[0]).toEqual([1, new Map([['a', 109]])]);
  });
});
