import { reduceAll } from '../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import { RunCompanion, type CompanionHooks, type Desktop } from '../../../src/main/run-companion.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import { GRID, makeEvents } from '../builders.ts';

/** A desktop that notes what is done to it. */
function desktop({ isFocused = false, notifies = true, language = 'en' as 'en' | 'zh-CN' } = {}) {
  const bar: string[] = [];
  const blockers = new Set<number>();
  const told: { title: string; body: string; click: () => void }[] = [];
  const focused: string[] = [];
  class FakeNotification {
    static isSupported = (): boolean => true;
    readonly #told: (typeof told)[number];
    constructor(options: { title: string; body: string }) {
      this.#told = { ...options, click: () => undefined };
    }
    on(event: string, listener: () => void): this {
      if (event === 'click') this.#told.click = listener;
      return this;
    }
    show(): void {
      told.push(this.#told);
    }
  }
  let last = 0;
  const seam = {
    Notification: FakeNotification,
    powerMonitor: { on: () => undefined },
    powerSaveBlocker: {
      start: (kind: string) => {
        expect(kind).toBe('prevent-app-suspension');
        blockers.add(++last);
        return last;
      },
      stop: (id: number) => blockers.delete(id),
    },
  } as unknown as Desktop;
  const hooks: CompanionHooks = {
    window: () => ({
      setProgressBar: (progress, options) => void bar.push(`${progress} ${options?.mode}`),
      isFocused: () => isFocused,
      isMinimized: () => true,
      restore: () => void focused.push('restore'),
      show: () => void focused.push('show'),
      focus: () => void focused.push('focus'),
    }),
    notifies: () => notifies,
    language: () => language,
    onPower: () => undefined,
  };
  const companion = new RunCompanion(seam, hooks);
  const see = async (events: RunEvent[]): Promise<void> => {
    for (const event of events) await companion.see({ type: 'run-event', event });
  };
  return { companion, see, bar, blockers, told, focused };
}

const SHAPE = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 3 };
const events = makeEvents({
  ...SHAPE,
  outcomes: {
    'named-volume.published-port': [800, 810, 805],
    [`${GRID[1]?.storage}.${GRID[1]?.path}`]: [400, 405, 402],
  },
});
const firstTrial = events.findIndex(({ type }) => type === 'trial-started');

describe('beside a run', () => {
  it('the task bar shows that something is prepared, then how far it is, then nothing', async () => {
    const { see, bar } = desktop();
    await see(events.slice(0, firstTrial));
    expect(bar).toEqual(['2 indeterminate']);
    await see(events.slice(firstTrial));
    const shown = bar.slice(1, -1).map((text) => Number(text.split(' ')[0]));
    expect(shown.length).toBeGreaterThan(5);
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
    expect(Math.max(...shown)).toBeLessThanOrEqual(1);
    expect(bar.at(-1)).toBe('-1 none');
  });

  it('the machine stays awake while something is measured, and neither after it nor in a pause', async () => {
    const { see, bar, blockers } = desktop();
    await see(events.slice(0, firstTrial));
    expect(blockers.size).toBe(1);
    const at = events[firstTrial]?.at ?? 0;
    await see([
      { type: 'pause-requested', at },
      { type: 'run-paused', at },
    ]);
    expect(blockers.size).toBe(0);
    expect(bar.at(-1)).toMatch(/ paused$/);
    await see([{ type: 'run-resumed', at }]);
    expect(blockers.size).toBe(1);
    await see(events.slice(firstTrial));
    expect(blockers.size).toBe(0);
  });

  it('nothing is left of a run whose core has gone', async () => {
    const { companion, see, bar, blockers, told } = desktop();
    await see(events.slice(0, firstTrial + 1));
    await companion.see({ type: 'core-status', status: 'restarted' });
    expect(blockers.size).toBe(0);
    expect(bar.at(-1)).toBe('-1 none');
    expect(told).toEqual([]);
  });

  it('the end is told with the headline, and a click brings the window to the front', async () => {
    const { see, told, focused } = desktop();
    await see(events);
    expect(told).toHaveLength(1);
    expect(told[0]?.title).toBe('Docker storage and network');
    expect(told[0]?.body).toMatch(/as fast as/);
    told[0]?.click();
    expect(focused).toEqual(['restore', 'show', 'focus']);
  });

  it.each([
    ['the window is in front', { isFocused: true }, events],
    ['the user does not want it', { notifies: false }, events],
    ['the user has stopped it', {}, makeEvents({ ...SHAPE, outcome: 'stopped' })],
    ['it failed', {}, makeEvents({ ...SHAPE, outcome: 'failed' }), 1],
  ])('when %s, the end is told only of a failure', async (_, options, run, count = 0) => {
    const { see, told } = desktop(options);
    await see(run);
    expect(told).toHaveLength(count);
  });

  it('knows a run that goes on by what it is told of it', async () => {
    const { companion, see, bar, blockers } = desktop();
    const events = makeEvents({ rounds: 2 });
    const second = events.map(({ type }) => type).lastIndexOf('trial-started');
    const before = events.slice(0, second);
    const from = before.at(-1)?.at ?? 0;
    const state = reduceAll([...before, { type: 'run-continued', at: from + 86_400_000, from, owner: 'o' }]);
    await companion.see({ type: 'run-continues', run: state });
    expect(blockers.size).toBe(1);
    expect(Number(bar.at(-1)?.split(' ')[0])).toBeGreaterThan(0);
    await see(events.slice(second).map((event) => ({ ...event, at: event.at + 86_400_000 })));
    expect(blockers.size).toBe(0);
    expect(bar.at(-1)).toBe('-1 none');
  });
});
