import { describe, expect, it, vi } from 'vitest';
import { createEventQueue } from '../../../src/main/window/ipc.ts';
import { exportFileName } from '../../../src/main/requests/dialogs.ts';

vi.mock('electron', () => ({}));

describe('events', () => {
  it('wait until somebody listens and then come in order', () => {
    const sent: number[] = [];
    const queue = createEventQueue<number>((event) => sent.push(event));
    queue.push(1);
    queue.push(2);
    expect(sent).toEqual([]);
    queue.open();
    queue.push(3);
    expect(sent).toEqual([1, 2, 3]);
  });

  it('for a page that is gone are not given to the next', () => {
    const sent: number[] = [];
    const queue = createEventQueue<number>((event) => sent.push(event));
    queue.push(1);
    queue.close();
    queue.push(2);
    queue.push(20);
    queue.forget((event) => event < 10);
    queue.push(3);
    queue.open();
    expect(sent).toEqual([20, 3]);
  });
});

describe('names of exports', () => {
  const state = { runId: '20260601-093000-a1b2', plan: { preset: { id: 'docker-options' } } };

  it('say what and when', () => {
    expect(exportFileName(state, 'csv')).toBe('docker-options-20260601-0930.csv');
    expect(exportFileName(state, 'csv-per-second')).toBe('docker-options-20260601-0930-per-second.csv');
    expect(exportFileName(state, 'png')).toBe('docker-options-20260601-0930.png');
    expect(exportFileName(state, 'json')).toBe('docker-options-20260601-0930.whalemark');
  });

  it('hold nothing that a path would be made of', () => {
    const foreign = { runId: '../../x', plan: { preset: { id: 'a/b:c' } } };
    expect(exportFileName(foreign, 'json')).not.toMatch(/[\\/:]/);
  });
});
