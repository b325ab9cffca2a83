import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { listenToKeys, pauseIsOn, type KeyInput } from '../../../../src/cli/commands/run.ts';
import { makeState } from '../../builders.ts';

/** A terminal's input that notes what is done to it, and a run that notes what is asked of it. */
function terminal(isTTY = true) {
  const done: string[] = [];
  let isPausing = false;
  const input = Object.assign(new EventEmitter(), {
    isTTY,
    setRawMode: (on: boolean) => void done.push(on ? 'raw' : 'cooked'),
    resume: () => void done.push('listen'),
    pause: () => void done.push('let go'),
  });
  const actions = {
    isPausing: () => isPausing,
    pause: () => {
      isPausing = true;
      done.push('pause');
    },
    resume: () => {
      isPausing = false;
      done.push('resume');
    },
    skip: () => void done.push('skip'),
    interrupt: () => void done.push('interrupt'),
  };
  return { done, input: input as unknown as KeyInput & EventEmitter, actions };
}

describe('the keys of a run in a terminal', () => {
  it('pause, go on and skip; others do nothing', () => {
    const { done, input, actions } = terminal();
    const end = listenToKeys(input, actions, () => true);
    for (const keys of ['p', 'x', 'P', 'sS', '\u001b[A']) input.emit('data', Buffer.from(keys));
    end?.();
    input.emit('data', Buffer.from('s'));
    expect(done).toEqual(['raw', 'listen', 'pause', 'resume', 'skip', 'skip', 'cooked', 'let go']);
  });

  it('give the terminal back before Ctrl+C is passed on, so that the next one is a signal', () => {
    const { done, input, actions } = terminal();
    listenToKeys(input, actions, () => true);
    input.emit('data', Buffer.from('\u0003s'));
    expect(done).toEqual(['raw', 'listen', 'cooked', 'let go', 'interrupt']);
  });

  it('are left alone without a terminal and in the background', () => {
    for (const { done, input, actions } of [terminal(false), terminal(true)]) {
      expect(listenToKeys(input, actions, () => !input.isTTY)).toBeUndefined();
      expect(done).toEqual([]);
    }
  });

  it('take a pause back that has not begun', () => {
    const state = makeState({ outcome: null });
    expect(pauseIsOn(undefined)).toBe(false);
    expect(pauseIsOn(state)).toBe(false);
    expect(pauseIsOn({ ...state, pauseRequested: true })).toBe(true);
    expect(pauseIsOn({ ...state, pauses: [{ from: 1, until: null, interrupted: false }] })).toBe(true);
    expect(pauseIsOn({ ...state, pauses: [{ from: 1, until: 2, interrupted: false }] })).toBe(false);
  });
});
