import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunFeed, SHOWN_EVERY_MS } from '../../../src/renderer/state/run-feed.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { windowsMs } from '../../../src/shared/run/progress.ts';
import { makeEvents } from '../builders.ts';

const events = makeEvents({ rounds: 1 });
const firstWindow = events.findIndex(({ type }) => type === 'window');
const windows = events.filter(({ type }) => type === 'window').slice(0, 3);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the feed of the live screens', () => {
  it('shows a window that comes alone at once, and a stream of them at its own pace, complete', () => {
    const shown: number[] = [];
    const measured = (run: RunState | undefined): number =>
      run?.trials.reduce((sum, trial) => sum + windowsMs(trial), 0) ?? 0;
    const feed = new RunFeed((run) => shown.push(measured(run)));
    for (const event of events.slice(0, firstWindow)) feed.push(event);
    vi.advanceTimersByTime(10 * SHOWN_EVERY_MS);
    const before = shown.length;
    for (const event of windows) feed.push(event);
    expect(shown.length).toBe(before + 1);
    expect(shown.at(-1)).toBe(1000);
    vi.advanceTimersByTime(SHOWN_EVERY_MS);
    expect(shown.length).toBe(before + 2);
    expect(shown.at(-1)).toBe(3000);
    vi.advanceTimersByTime(10 * SHOWN_EVERY_MS);
    expect(shown.length).toBe(before + 2);
  });

  it('shows what is no stream at once, with all that came before', () => {
    const shown: (RunState | undefined)[] = [];
    const feed = new RunFeed((run) => shown.push(run));
    for (const event of events) feed.push(event);
    expect(shown.at(-1)?.status).toBe('finished');
    expect(shown.at(-1)?.trials.every(({ status }) => status === 'measured')).toBe(true);
    const count = shown.length;
    vi.advanceTimersByTime(10 * SHOWN_EVERY_MS);
    expect(shown.length).toBe(count);
  });
});
