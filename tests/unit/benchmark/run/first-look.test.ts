import { describe, expect, it } from 'vitest';
import { reduceAll } from '../../../helpers/journals.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import { finished, runSide, sidePlan } from './side-bench.ts';

const PASSES = 5;
const VOLUME = 'named-volume.published-port';
const BRIDGE = 'named-volume.container-ip';

/** Four servers; the first has two scenarios. */
const plan = sidePlan({
  durationSeconds: PASSES,
  scenarios: [
    { storage: 'named-volume', path: 'published-port' },
    { storage: 'named-volume', path: 'container-ip' },
    { storage: 'bind-mount', path: 'published-port' },
    { storage: 'bind-mount', path: 'container-ip' },
    { storage: 'container-layer', path: 'published-port' },
    { storage: 'tmpfs', path: 'published-port' },
  ],
});
const [FIRST = ''] = plan.scenarios.map(({ serverId }) => serverId);

type Events = UntimedEvent[];

/** The state after each of these events from the first look on. */
function statesOf(events: Events): RunState[] {
  const started: UntimedEvent = { type: 'run-started', runId: 'r', appVersion: '0', plan };
  const from = events.findIndex(({ type }) => type === 'first-look');
  return events.slice(from).flatMap(({ type }, index) => {
    if (type !== 'first-look' && type !== 'slice-finished') return [];
    const all = [started, ...events.slice(0, from + index + 1)];
    return [reduceAll(all.map((event, at) => ({ ...event, at })))];
  });
}

const looksIn = (events: Events): number => events.filter(({ type }) => type === 'first-look').length;
const passesIn = ({ trials }: RunState): number[][] =>
  trials.map(({ slices }) => slices.map(({ pass }) => pass));
const networkOf = (state: RunState) => analyze(state).effects.find(({ factor }) => factor === 'path');
const ALL = plan.scenarios.map(() => [1, 2, 3, 4, 5]);

/** A run whose other servers start until an event of this type. */
function heldUntil(type: UntimedEvent['type'], parts: Parameters<typeof runSide>[1] = {}) {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  return runSide(plan, {
    ...parts,
    start: async (id, told) => {
      await parts.start?.(id, told);
      if (id !== FIRST) await held;
      return undefined as never;
    },
    on: (event, ...rest) => {
      parts.on?.(event, ...rest);
      if (event.type === type) go();
    },
  });
}

describe('a first look', () => {
  it('shows an effect while other servers start, until all have one, and is in no result', async () => {
    const { error, events, state } = heldUntil('first-look');
    expect(await error).toBeUndefined();
    expect(events.filter(({ type }) => type === 'step-started')).toHaveLength(1);
    const states = statesOf(events);
    const counts = states.map((one) => networkOf(one)?.ratio?.samples);
    const each = plan.scenarios.length;
    const looked = states[0]?.trials.filter(({ firstLook }) => firstLook?.length === 3) ?? [];
    expect(looked.map(({ scenarioId }) => scenarioId).sort()).toEqual([BRIDGE, VOLUME]);
    expect(states[0]?.trials.every(({ status, totals }) => status === 'pending' && totals === null)).toBe(
      true,
    );
    expect(counts[0]).toBe(3);
    expect(counts.slice(0, 3 * each).every((count) => (count ?? 0) >= 3)).toBe(true);
    // All have three passes: none has more.
    expect(counts[3 * each]).toBe(3);
    expect(states[3 * each]?.trials.some(({ firstLook }) => firstLook !== undefined)).toBe(false);
    expect(counts.at(-1)).toBe(PASSES);
    expect(passesIn(state())).toEqual(ALL);
    expect(JSON.stringify(state())).not.toContain('firstLook');
    for (const { slices, windows, totals, evidence } of state().trials) {
      const transactions = slices.reduce((sum, one) => sum + one.transactions, 0);
      expect(windows).toHaveLength(PASSES);
      expect([totals?.transactions, evidence?.transactions]).toEqual([transactions, transactions]);
    }
  });

  it('shows nothing in the result of a run that ends before', async () => {
    const stop = new AbortController();
    const { error, events } = runSide(plan, {
      stop,
      on: ({ type }) => type === 'slice-finished' && stop.abort(),
    });
    expect(await error).toMatchObject({ code: 'STOPPED' });
    expect(looksIn(events)).toBe(1);
    const all: Events = [
      { type: 'run-started', runId: 'r', appVersion: '0', plan },
      ...events,
      { type: 'run-finished', outcome: 'stopped', error: null },
    ];
    const ended = reduceAll(all.map((event, at) => ({ ...event, at })));
    expect(networkOf(ended)?.ratio?.samples ?? 0).toBeLessThan(2);
    expect(ended.trials.some(({ firstLook }) => firstLook !== undefined)).toBe(false);
  });

  it.each([
    ['a server doesn’t start', 'start', 5],
    ['a slice breaks off', 'slice', 6],
  ] as const)('is left out if %s, and the run goes on', async (_, what, measured) => {
    let left = 1;
    const failOnce = () => (left-- > 0 ? Promise.reject(new BenchmarkError('INTERRUPTED')) : undefined);
    const { events, state } = await finished(plan, {
      ...(what === 'start' ? { start: (id: string) => (id === FIRST ? failOnce() : undefined) } : {}),
      ...(what === 'slice' ? { slice: ({ number }) => (number === 2 ? failOnce() : undefined) } : {}),
    });
    expect(looksIn(events)).toBe(0);
    const complete = state.trials.filter(
      ({ status, slices }) => status === 'measured' && slices.length === PASSES,
    );
    expect(complete).toHaveLength(measured);
  });

  it('is left out if its server ends, which its turn finds', async () => {
    const { events, state } = await finished(plan, {
      slice: ({ scenarioId, number }, servers) => {
        if (scenarioId === VOLUME && number === 2) servers.die(FIRST);
        return undefined;
      },
    });
    expect(looksIn(events)).toBe(0);
    expect(passesIn(state).slice(2)).toEqual(ALL.slice(2));
    const own = state.trials.find(({ scenarioId }) => scenarioId === BRIDGE);
    expect(own?.status).toBe('measured');
  });

  it('makes way for a pause', async () => {
    const { events, state } = await finished(plan, {
      on: ({ type, ...rest }, control) => {
        if (type === 'step-progress' && 'fraction' in rest && rest.fraction === 0.25) control.pause();
        if (type === 'run-paused') setTimeout(() => control.resume(), 0);
      },
    });
    expect(looksIn(events)).toBe(0);
    expect(passesIn(state)).toEqual(ALL);
  });

  it('isn’t taken where servers start in groups', async () => {
    const ids = [...new Set(plan.scenarios.map(({ serverId }) => serverId))];
    const { events } = await finished({ ...plan, groups: [ids, ids.slice(0, 2)] });
    expect(looksIn(events)).toBe(0);
  });
});
