import { describe, expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { progressLine } from '../../../../src/cli/text/run-summary.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { reduce } from '../../../../src/shared/run/reduce.ts';
import { GRID, makeEvents } from '../../builders.ts';

const BASE = 'named-volume.published-port';

/** What a terminal shows of a run, line by line. */
function linesOf(events: RunEvent[]): string[] {
  let state: RunState | undefined;
  return events.flatMap((event) => {
    state = reduce(state, event);
    return state === undefined ? [] : (progressLine(event, state) ?? []);
  });
}

describe('progress in a terminal', () => {
  const shape = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 2 };

  it('tells how long each step took, and counts trials with the time left', () => {
    const lines = linesOf(makeEvents({ ...shape, outcomes: { [BASE]: [812, 'PATH_NO_TRAFFIC'] } }));
    expect(lines[0]).toBe('load dataset — 6 s');
    expect(lines.slice(1)).toHaveLength(4);
    for (const [index, line] of lines.slice(1).entries()) expect(line).toContain(`[${index + 1}/4] r`);
    expect(lines.find((line) => line.includes(`r1.${BASE}`))).toMatch(
      /812 TPS, p95 [\d.]+ ms — about \d+ s left$/,
    );
    expect(lines.find((line) => line.includes(`r2.${BASE}`))).toContain('[PATH_NO_TRAFFIC]');
    expect(lines.at(-1)).not.toContain('left');
  });

  it('tells a pause and what was skipped', () => {
    const events = makeEvents({ ...shape, outcomes: { [BASE]: [812, 'SKIPPED'] } });
    expect(linesOf(events).find((line) => line.includes(`r2.${BASE}`))).toMatch(/ skipped( —|$)/);
    const [begin] = events;
    if (begin === undefined) throw new Error('no events');
    const { at } = begin;
    expect(
      linesOf([
        begin,
        { type: 'pause-requested', at },
        { type: 'run-paused', at },
        { type: 'run-resumed', at },
      ]),
    ).toEqual(['Pausing after this trial…', 'Paused.', 'Resumed.']);
  });

  it('tells notices, failed steps and a stop', () => {
    const [begin] = makeEvents(shape);
    if (begin === undefined) throw new Error('no events');
    const error = new BenchmarkError('STORAGE_FULL', { storage: 'tmpfs', reason: 'no space' }).toData();
    const { at } = begin;
    expect(
      linesOf([
        begin,
        { type: 'step-started', at, stepId: 'clone:tmpfs', kind: 'clone', subject: 'tmpfs' },
        { type: 'step-finished', at, stepId: 'clone:tmpfs', error },
        { type: 'notice', at, notice: { code: 'X', message: plain('A remark.') } },
        { type: 'stop-requested', at },
      ]),
    ).toEqual([
      `clone:tmpfs — failed: ${error.message} [STORAGE_FULL]`,
      '! A remark.',
      expect.stringMatching(/^Stopping…/),
    ]);
  });
});
