import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { activityText, progressReport } from '../../../../src/cli/text/run-progress.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { reduce } from '../../../../src/shared/run/reduce.ts';
import { GRID, makeEvents, makePlan } from '../../builders.ts';

const BASE = 'named-volume.published-port';
const IMAGE = makePlan().configs[0]?.image.used ?? '';

/** Lines that a terminal shows of a run. */
function linesOf(events: RunEvent[]): string[] {
  const report = progressReport();
  let state: RunState | undefined;
  return events.flatMap((event) => {
    state = reduce(state, event);
    return state === undefined ? [] : report(event, state);
  });
}

const shape = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 2 };

/** Texts of a run's current activity, each once. */
function activitiesOf(events: RunEvent[]): string[] {
  let state: RunState | undefined;
  const shown = events.flatMap((event) => {
    state = reduce(state, event);
    return state === undefined ? [] : (activityText(state) ?? []);
  });
  return [...new Set(shown)];
}

it('progress in a terminal is told by step, trial, pass, and round, with the time left', async () => {
  const [begin] = makeEvents(shape);
  if (begin === undefined) throw new Error('no events');
  const { at } = begin;
  const step = { at, stepId: 'load:a' };
  const { serverId: subject } = makePlan(shape).scenarios[0] ?? { serverId: '' };
  const full = new BenchmarkError('STORAGE_FULL', { storage: 'tmpfs', reason: 'no space' }).toData();
  const untilStopped = makeEvents({ ...shape, rounds: 1, outcomes: { [BASE]: [812] }, outcome: null });
  const [first, second] = untilStopped.flatMap((event) =>
    event.type === 'trial-started' ? [event.trialId] : [],
  );
  const last = untilStopped.findIndex((event) => event.type === 'trial-finished' && event.trialId === first);
  const clear = { [BASE]: [800, 810, 790], 'named-volume.user-bridge': [1600, 1610, 1590] };
  const told: Record<string, string[]> = {
    'a trial that fails': linesOf(makeEvents({ ...shape, outcomes: { [BASE]: [812, 'PATH_NO_TRAFFIC'] } })),
    'a trial that is skipped': linesOf(makeEvents({ ...shape, outcomes: { [BASE]: [812, 'SKIPPED'] } })),
    'side by side': linesOf(makeEvents({ ...shape, durationSeconds: 3, sliceSeconds: 1 })),
    'three rounds': linesOf(makeEvents({ ...shape, rounds: 3, outcomes: clear })),
    'under way': activitiesOf(makeEvents({ ...shape, outcomes: { [BASE]: [812, 812] } })),
    'a step': activitiesOf([
      begin,
      { type: 'step-started', ...step, kind: 'load', subject: IMAGE },
      { type: 'step-progress', ...step, fraction: 0.5, detail: '' },
    ]),
    'a pause': linesOf([
      begin,
      { type: 'pause-requested', at },
      { type: 'run-paused', at },
      { type: 'run-resumed', at },
    ]),
    'a stop': linesOf([
      ...untilStopped.slice(0, last + 1),
      { type: 'trial-started', at, trialId: second ?? '' },
      { type: 'stop-requested', at },
      { type: 'trial-failed', at, trialId: second ?? '', error: new BenchmarkError('STOPPED').toData() },
    ]),
    'a step that fails, a notice, and a stop': linesOf([
      begin,
      { type: 'step-started', at, stepId: 'clone', kind: 'clone', subject },
      { type: 'step-finished', at, stepId: 'clone', error: full },
      { type: 'notice', at, notice: { code: 'X', message: plain('A remark.') } },
      { type: 'stop-requested', at },
    ]),
  };
  const text = Object.entries(told).map(([name, lines]) => `# ${name}\n${lines.join('\n')}\n`);
  await expect(text.join('\n')).toMatchFileSnapshot(
    join(process.cwd(), 'tests/fixtures/documents/terminal-progress.txt'),
  );
});

it('tells the effects of a side by side run within a round, at most every 30 s', () => {
  const report = progressReport();
  let state: RunState | undefined;
  const told: number[] = [];
  for (const event of makeEvents({ ...shape, rounds: 1, durationSeconds: 60, sliceSeconds: 1 })) {
    state = reduce(state, event);
    if (state !== undefined && report(event, state).some((line) => line.startsWith('  ')))
      told.push(event.at);
  }
  expect(told).toHaveLength(5);
  for (const [index, at] of told.entries()) {
    if (index > 0) expect(at - (told[index - 1] ?? 0)).toBeGreaterThanOrEqual(30_000);
  }
});
