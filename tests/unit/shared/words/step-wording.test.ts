import { expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { doingText, timeLeftText } from '../../../../src/shared/words/step-wording.ts';
import { reduceAll } from '../../../helpers/journals.ts';
import { makeEvents } from '../../builders.ts';

const [begin] = makeEvents({ sliceSeconds: 1, durationSeconds: 4 });
if (begin?.type !== 'run-started') throw new Error('no run');
const { at, plan } = begin;
const servers = [...new Set(plan.scenarios.map(({ serverId }) => serverId))];
const rows = '100,000';

const doingAfter = (...events: RunEvent[]) => doingText(reduceAll([begin, ...events]), ENGLISH);
const started = (kind: 'pull' | 'load' | 'clone' | 'start', subject: string): RunEvent => ({
  type: 'step-started',
  at,
  stepId: `${kind} ${subject}`,
  kind,
  subject,
});
const ended = (stepId: string): RunEvent => ({ type: 'step-finished', at, stepId, error: null });

it('counts copies and servers, and says why', () => {
  expect(doingAfter()).toBeUndefined();
  expect(doingAfter(started('pull', 'mysql:8.4'))?.text).toBe(
    ENGLISH('ui:live.doing.pull', { image: 'mysql:8.4' }),
  );
  expect(doingAfter(started('load', 'mysql:8.4'))).toMatchObject({
    text: ENGLISH('ui:live.doing.load', { rows }),
    why: ENGLISH('ui:live.why.data'),
  });
  const [one = '', other = ''] = servers;
  const copies = [started('clone', one), ended(`clone ${one}`), started('clone', other)];
  expect(doingAfter(...copies)).toEqual({
    text: ENGLISH('ui:live.doing.clone', { rows, done: 2, all: servers.length }),
    why: ENGLISH('ui:live.why.data'),
    fraction: 1 / servers.length,
  });
  const half: RunEvent = {
    type: 'step-progress',
    at,
    stepId: `clone ${other}`,
    fraction: 0.5,
    detail: '',
  };
  expect(doingAfter(...copies, half)?.fraction).toBe(1.5 / servers.length);
  const starting = ENGLISH('ui:live.doing.start', { count: servers.length });
  expect(doingAfter(started('start', '1'))?.text).toBe(starting);
  const detail = msg('step.started', { done: 2, all: 3 });
  const progress: RunEvent = { type: 'step-progress', at, stepId: 'start 1', fraction: 0.3, detail };
  expect(doingAfter(started('start', '1'), progress)).toMatchObject({
    text: `${starting}: ${detail.text}`,
    fraction: 0.3,
  });
});

it('names the scenario that is measured, whatever phase its slice is in', () => {
  const [scenario] = plan.scenarios;
  const trialId = `r1.${scenario?.id ?? ''}`;
  for (const phase of ['start', 'warmup', 'measure'] as const) {
    const events: RunEvent[] = [
      { type: 'trial-started', at, trialId },
      { type: 'trial-phase', at, trialId, phase },
    ];
    expect(doingAfter(...events)?.text).toMatch(/^Measuring: named volume via published port$/);
  }
});

it('has the time left, at most that of a run until conclusive, and before that the time so far', () => {
  const until = { ...plan.schedule, untilConclusive: { budgetMinutes: 5 } };
  const fixed = { plan, roundsEnded: null };
  const open = { plan: { ...plan, schedule: until }, roundsEnded: null };
  const text = (leftMs: number | null, run: Parameters<typeof timeLeftText>[2]) =>
    timeLeftText(leftMs, 80_400, run, ENGLISH);
  expect(text(null, open)).toBe(ENGLISH('ui:live.elapsed', { time: '1 min 20 s' }));
  expect(text(95_000, fixed)).toBe(ENGLISH('ui:live.left', { time: '1 min 35 s' }));
  expect(text(95_000, open)).toBe(ENGLISH('ui:live.leftAtMost', { time: '1 min 35 s' }));
  expect(text(95_000, { ...open, roundsEnded: 'conclusive' })).toBe(text(95_000, fixed));
  expect(text(5_000, open)).toBe(ENGLISH('ui:live.leftAlmost'));
});
