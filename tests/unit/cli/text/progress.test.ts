import { describe, expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { activityText, progressReport } from '../../../../src/cli/text/run-progress.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { reduce } from '../../../../src/shared/run/reduce.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { GRID, makeEvents, makePlan } from '../../builders.ts';

const BASE = 'named-volume.published-port';
const NAME = 'named volume via published port';
const IMAGE = makePlan().configs[0]?.image.used ?? '';
const LOAD = `${ENGLISH('ui:live.step.load')}: ${IMAGE}`;

/** What a terminal shows of a run, line by line. */
function linesOf(events: RunEvent[]): string[] {
  const report = progressReport();
  let state: RunState | undefined;
  return events.flatMap((event) => {
    state = reduce(state, event);
    return state === undefined ? [] : report(event, state);
  });
}

describe('progress in a terminal', () => {
  const shape = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 2 };

  it('tells how long each step took, and counts trials with the time left', () => {
    const lines = linesOf(makeEvents({ ...shape, outcomes: { [BASE]: [812, 'PATH_NO_TRAFFIC'] } }));
    expect(lines[0]).toBe(`${LOAD} — 6 s`);
    const trials = lines.filter((line) => line.startsWith('['));
    expect(trials).toHaveLength(4);
    for (const [index, line] of trials.entries())
      expect(line).toMatch(new RegExp(`^\\[${index + 1}/4[\\],]`));
    expect(lines.find((line) => line.includes(`${NAME}, round 1`))).toMatch(
      /812 TPS, p95 [\d.]+ ms — about \d+ s left$/,
    );
    const failed = lines.find((line) => line.includes(`${NAME}, round 2`));
    expect(failed).toContain('[PATH_NO_TRAFFIC]');
    expect(failed).toContain(ENGLISH('ui:live.trialsFailed', { count: 1 }));
    expect(lines.at(-1)).not.toContain('left');
  });

  it('has a line for each pass of a side by side run, not for each slice', () => {
    const lines = linesOf(makeEvents({ ...shape, durationSeconds: 3, sliceSeconds: 1 }));
    const almost = ENGLISH('ui:live.leftAlmost');
    const passes = lines.filter((line) => /^Round.* — (about \d+ s left$|almost)/.test(line));
    expect(passes).toHaveLength(2 * 3);
    expect(passes.at(-1)).toContain(almost);
    const first = ENGLISH('ui:live.pass', { round: 1, pass: 1, passes: 3 });
    expect(passes[0]).toMatch(new RegExp(`^${first} — about \\d+ s left$`));
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

  it('tells the effects so far after each round but the last, a line per factor', () => {
    const outcomes = { [BASE]: [800, 810, 790], 'named-volume.user-bridge': [1600, 1610, 1590] };
    const lines = linesOf(makeEvents({ ...shape, rounds: 3, outcomes }));
    const effects = lines.filter((line) => line.startsWith('  '));
    expect(effects).toEqual([
      expect.stringMatching(/\(first verdict after round 3\)$/),
      expect.stringMatching(/\(first verdict after round 3\)$/),
    ]);
    const [, after] = lines.filter((line) => line.startsWith('[')).map((line) => lines.indexOf(line));
    expect(lines.indexOf(effects[0] ?? '')).toBe((after ?? 0) + 2);
  });

  it('shows what is under way: a step with its share, a trial with its last second', () => {
    const events = makeEvents({ ...shape, outcomes: { [BASE]: [812, 812] } });
    let state: RunState | undefined;
    const shown = events.flatMap((event) => {
      state = reduce(state, event);
      return state === undefined ? [] : (activityText(state) ?? []);
    });
    expect(shown[0]).toBe(LOAD);
    expect(shown).toContainEqual(
      expect.stringMatching(new RegExp(`^${NAME}, round 1: measuring, [\\d,]+ TPS$`)),
    );
    const [begin] = events;
    if (begin === undefined) throw new Error('no events');
    const { at } = begin;
    const loading = [
      begin,
      { type: 'step-started' as const, at, stepId: 'load:a', kind: 'load' as const, subject: IMAGE },
      { type: 'step-progress' as const, at, stepId: 'load:a', fraction: 0.5, detail: '' },
    ].reduce<RunState | undefined>(reduce, undefined);
    if (loading === undefined) throw new Error('no run');
    expect(activityText(loading)).toBe(`${LOAD} 50%`);
  });

  it('tells a pause and what was skipped', () => {
    const events = makeEvents({ ...shape, outcomes: { [BASE]: [812, 'SKIPPED'] } });
    expect(linesOf(events).find((line) => line.includes(`${NAME}, round 2`))).toMatch(/ skipped( —|$)/);
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

  it('ends with the trial that a stop ends, without effects or a time left', () => {
    const events = makeEvents({ ...shape, rounds: 1, outcomes: { [BASE]: [812] }, outcome: null });
    const last = events.findIndex(({ type }) => type === 'trial-finished');
    const [begin] = events;
    if (begin === undefined) throw new Error('no events');
    const { at } = begin;
    const second = events.filter(({ type }) => type === 'trial-started')[1];
    const trialId = second?.type === 'trial-started' ? second.trialId : '';
    const lines = linesOf([
      ...events.slice(0, last + 1),
      { type: 'trial-started', at, trialId },
      { type: 'stop-requested', at },
      { type: 'trial-failed', at, trialId, error: new BenchmarkError('STOPPED').toData() },
    ]);
    expect(lines.at(-1)).toMatch(/ stopped$/);
  });

  it('tells notices, failed steps and a stop', () => {
    const [begin] = makeEvents(shape);
    if (begin === undefined) throw new Error('no events');
    const { serverId: subject } = makePlan(shape).scenarios[0] ?? { serverId: '' };
    const error = new BenchmarkError('STORAGE_FULL', { storage: 'tmpfs', reason: 'no space' }).toData();
    const { at } = begin;
    expect(
      linesOf([
        begin,
        { type: 'step-started', at, stepId: 'clone', kind: 'clone', subject },
        { type: 'step-finished', at, stepId: 'clone', error },
        { type: 'notice', at, notice: { code: 'X', message: plain('A remark.') } },
        { type: 'stop-requested', at },
      ]),
    ).toEqual([
      `${ENGLISH('ui:live.step.clone')}: ${NAME} — failed: ${error.message} [STORAGE_FULL]`,
      '! A remark.',
      expect.stringMatching(/^Stopping…/),
    ]);
  });
});
