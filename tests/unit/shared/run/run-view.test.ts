import { reduceAll } from '../../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import {
  eachColumn,
  runViewSchema,
  type RunView,
  type WindowColumns,
} from '../../../../src/shared/model/run-view.ts';
import { tps, type Window } from '../../../../src/shared/model/measurements.ts';
import { RunFold } from '../../../../src/shared/run/reduce.ts';
import { noWindows, reduceView, viewOf, withWindow } from '../../../../src/shared/run/run-view.ts';
import { buildWindow } from '../../benchmark/load/samples.ts';
import { makeEvents } from '../../builders.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';

const events = makeEvents({ rounds: 2 });
const state = reduceAll(events);
if (state === undefined) throw new Error('no state');
const view = viewOf(state);

const windowAt = (index: number): Window => ({
  ...buildWindow(),
  index,
  startMs: index * 1000,
  transactions: index,
});

/** Columns without their room. */
const rows = (windows: WindowColumns) => {
  const { elapsedMs, last, length } = windows;
  const columns = eachColumn((column) => [...windows[column].slice(0, length)]);
  return { elapsedMs, last, length, ...columns };
};

describe('what the window gets of a run', () => {
  it('is the same whether folded event by event or made of the whole', () => {
    let folded: RunView | undefined;
    for (const event of events) folded = reduceView(folded, event);
    expect(folded?.trials.map(({ windows }) => rows(windows))).toEqual(
      view.trials.map(({ windows }) => rows(windows)),
    );
    expect({ ...folded, trials: [] }).toEqual({ ...view, trials: [] });
  });

  it('has a row for every measured window, and the latest of all', () => {
    for (const [index, { windows }] of view.trials.entries()) {
      const own = state.trials[index]?.windows ?? [];
      const measured = own.filter(({ phase }) => phase === 'measure');
      expect([...windows.tps]).toEqual(measured.map((one) => Math.fround(tps(one))));
      expect([...windows.p95Ms]).toEqual(
        measured.map((one) => Math.fround((one.latency?.p95Us ?? NaN) / 1000)),
      );
      expect(windows.elapsedMs).toBe(own.reduce((sum, { durationMs }) => sum + durationMs, 0));
      expect(windows.last?.index).toBe(own.at(-1)?.index);
    }
  });

  it('passes its schema as it is', () => {
    expect(runViewSchema.parse(view)).toEqual(view);
  });

  it('stays right when more windows follow, also from a state that is not the latest', () => {
    let columns = noWindows();
    const states = Array.from(
      { length: 200 },
      (_, index) => (columns = withWindow(columns, windowAt(index))),
    );
    const fork = withWindow(states[9] ?? noWindows(), windowAt(1_000));
    for (const [index, one] of states.entries()) {
      expect(rows(one).tps).toEqual(Array.from({ length: index + 1 }, (_, before) => before));
    }
    expect(rows(fork).tps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000]);
    const received = structuredClone(states[9] ?? noWindows());
    expect(rows(withWindow(received, windowAt(7))).tps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7]);
  });
});

describe('folding a long trial', () => {
  const started = events.slice(
    0,
    events.findIndex(({ type }) => type === 'window'),
  );
  const trialId = started.find((event) => event.type === 'trial-started')?.trialId ?? '';
  const windows = 36_000;

  it('copies each row of the view about twice at most', () => {
    let run: RunView | undefined;
    for (const event of started) run = reduceView(run, event);
    const columnsOf = () => run?.trials.find(({ id }) => id === trialId)?.windows;
    let copied = 0;
    let column = columnsOf()?.tps;
    for (let index = 0; index < windows; index++) {
      run = reduceView(run, { type: 'window', at: 0, trialId, window: windowAt(index) });
      if (columnsOf()?.tps !== column) copied += index;
      column = columnsOf()?.tps;
    }
    expect(columnsOf()?.length).toBe(windows);
    expect(copied).toBeLessThanOrEqual(2 * windows);
  });

  it('copies no window of the whole run', () => {
    const fold = new RunFold();
    for (const event of started) fold.push(event);
    const windowsOf = (of: RunState | undefined) => of?.trials.find(({ id }) => id === trialId)?.windows;
    const own = windowsOf(fold.state);
    for (let index = 0; index < windows; index++) {
      fold.push({ type: 'window', at: 0, trialId, window: windowAt(index) });
    }
    expect(windowsOf(fold.state)).toBe(own);
    expect(own).toHaveLength(windows);
  });
});
