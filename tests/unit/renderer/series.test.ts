import { ENGLISH } from '../../../src/shared/words/i18n.ts';
import { describe, expect, it } from 'vitest';
import {
  endOf,
  latestSecond,
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
  it('have a point in the middle of every measured second of each trial', () => {
    const [line] = seriesOf(state, 'tps', 'overlay', ENGLISH);
    const trials = line?.lines.map((points) => points.map(({ x }) => x));
    expect(trials).toEqual([
      [0.5, 1.5, 2.5],
      [3.5, 4.5, 5.5],
    ]);
    expect(drawn(line).every(({ y }) => y !== null)).toBe(true);
  });

  it('lie on top of each other by round, and one after the other in order of measuring', () => {
    const first = (layout: 'overlay' | 'sequence') =>
      seriesOf(state, 'tps', layout, ENGLISH).map((line) => drawn(line)[0]?.x);
    expect(first('overlay')).toEqual([0.5, 0.5]);
    expect([...first('sequence')].sort()).toEqual([0.5, 3.5]);
    expect(endOf(seriesOf(state, 'tps', 'overlay', ENGLISH))).toBe(5.5);
    expect(endOf(seriesOf(state, 'tps', 'sequence', ENGLISH))).toBe(8.5);
  });

  it('leave warm-up and trials without a measured second out', () => {
    const [, line] = seriesOf(state, 'tps', 'overlay', ENGLISH);
    expect(drawn(line)).toHaveLength(3);
    expect(seriesOf(state, 'tps', 'overlay', ENGLISH).flatMap(drawn)).toHaveLength(9);
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
    expect(meanOf({ scenarioId: 'x', name: 'x', lines: [] })).toBeNull();
    const { seconds, rows } = rowsOf(series, 'mean');
    expect(seconds).toBe(1);
    expect(rows.map(([second]) => second)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rows[0]?.[1].size).toBe(2);
    expect(rows[5]?.[1].size).toBe(1);
  });

  it('know where rounds begin', () => {
    expect(roundStarts(state.plan, roundSeconds(state))).toEqual([0, 3, 6]);
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

describe('the time under load', () => {
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
    seriesOf(of, 'tps', 'load', ENGLISH)
      .flatMap((line) => drawn(line))
      .flatMap(({ x, y }) => (y === null ? [] : x))
      .sort((one, other) => one - other);

  it('counts the warm-up of each trial, whose seconds move without staying', () => {
    const shape = { warmupSeconds: 2 };
    expect(latestSecond(after(shape, 'trial-started', 1))).toBeUndefined();
    const warming = after(shape, 'window', 1);
    expect(latestSecond(warming)).toMatchObject({ at: 1, isWarmup: true });
    expect(xOf(warming)).toEqual([]);
    // Two trials of 2 + 3 s, and the third is at its second second of warm-up.
    expect(xOf(after(shape, 'window', 12))).toEqual([2.5, 3.5, 4.5, 7.5, 8.5, 9.5]);
    expect(latestSecond(after(shape, 'window', 12))).toMatchObject({ at: 12, isWarmup: true });
  });

  it('has the slices of all rounds in their order', () => {
    const shape = { sliceSeconds: 1 };
    for (let slices = 1; slices <= 12; slices++) {
      const now = after(shape, 'slice-finished', slices);
      const [places, latest] = [xOf(now), latestSecond(now)];
      expect(places).toHaveLength(slices);
      expect(places[0]).toBeCloseTo(0.5);
      expect(latest?.at).toBeCloseTo(places.at(-1) ?? NaN);
      const [ended] = [...now.trials].sort((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0));
      expect(latest?.trial.id).toBe(ended?.id);
      expect(latest).toMatchObject({ isWarmup: false, values: { tps: ended?.windows.at(-1)?.transactions } });
      // No second of starts between two rounds.
      expect((places.at(-1) ?? 0) - (places[0] ?? 0)).toBeLessThan(slices * 1.2);
    }
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
