import { expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { doingText, preparations, timeLeftText } from '../../../../src/shared/words/step-wording.ts';
import { reduceAll } from '../../../helpers/journals.ts';
import { makeEvents } from '../../builders.ts';

const [begin] = makeEvents({ sliceSeconds: 1, durationSeconds: 4 });
if (begin?.type !== 'run-started') throw new Error('no run');
const { at, plan } = begin;
const servers = [...new Set(plan.scenarios.map(({ serverId }) => serverId))];
const rows = '100,000';

const after = (...events: RunEvent[]) => reduceAll([begin, ...events]);
const listAfter = (...events: RunEvent[]) => preparations(after(...events), ENGLISH);
const doingAfter = (...events: RunEvent[]) => doingText(after(...events), ENGLISH);
const started = (kind: 'pull' | 'load' | 'clone' | 'start', subject: string): RunEvent => ({
  type: 'step-started',
  at,
  stepId: `${kind} ${subject}`,
  kind,
  subject,
});
const ended = (stepId: string): RunEvent => ({ type: 'step-finished', at, stepId, error: null });

it('lists what is done before the first number, with counts', () => {
  const next = (text: string) => ({ text, count: '', why: '', state: 'next', fraction: null });
  const [start, first] = [ENGLISH('ui:live.doing.start'), ENGLISH('ui:live.doing.first')];
  expect(listAfter()).toEqual([next(start), next(first)]);
  const [one = '', other = ''] = servers;
  const copies = [
    ...[started('load', 'mysql:8.4'), ended('load mysql:8.4')],
    ...[started('clone', one), ended(`clone ${one}`), started('clone', other)],
  ];
  const half: RunEvent = { type: 'step-progress', at, stepId: `clone ${other}`, fraction: 0.5, detail: '' };
  expect(listAfter(...copies, half).slice(0, 2)).toMatchObject([
    { text: ENGLISH('ui:live.doing.load', { rows }), state: 'done' },
    {
      text: ENGLISH('ui:live.doing.clone'),
      count: `1 of ${servers.length}`,
      why: ENGLISH('ui:live.why.data'),
      state: 'now',
      fraction: 1.5 / servers.length,
    },
  ]);
  const detail = msg('step.warm', { done: 5, all: 7 });
  const progress: RunEvent = { type: 'step-progress', at, stepId: 'start 1', fraction: 0.3, detail };
  const starting = [started('start', '1'), progress];
  expect(listAfter(...starting)).toMatchObject([
    { text: start, count: '5 of 7 ready', state: 'now', fraction: 0.3 },
    { state: 'next' },
  ]);
  expect(doingAfter(...starting)).toBe(`${start}: 5 of 7 ready`);
});

it('names no scenario, only what a trial that is measured alone does beside its load', () => {
  const trialId = `r1.${plan.scenarios[0]?.id ?? ''}`;
  const phase = (name: 'start' | 'measure'): RunEvent[] => [
    { type: 'trial-started', at, trialId },
    { type: 'trial-phase', at, trialId, phase: name },
  ];
  expect(doingAfter(...phase('start'))).toBeUndefined();
  const schedule = { ...plan.schedule };
  delete schedule.sliceSeconds;
  const alone = (name: 'start' | 'measure') =>
    doingText({ ...after(...phase(name)), plan: { ...plan, schedule } }, ENGLISH);
  expect(alone('start')).toBe('Starting server');
  expect(alone('measure')).toBeUndefined();
});

it('has the time left, at most that of a run until conclusive', () => {
  const until = { ...plan.schedule, untilConclusive: { budgetMinutes: 5 } };
  const fixed = { plan, roundsEnded: null };
  const open = { plan: { ...plan, schedule: until }, roundsEnded: null };
  const text = (leftMs: number, run: Parameters<typeof timeLeftText>[1]) =>
    timeLeftText(leftMs, run, ENGLISH);
  expect(text(95_000, fixed)).toBe(ENGLISH('ui:live.left', { time: '1 min 35 s' }));
  expect(text(95_000, open)).toBe(ENGLISH('ui:live.leftAtMost', { time: '1 min 35 s' }));
  expect(text(95_000, { ...open, roundsEnded: 'conclusive' })).toBe(text(95_000, fixed));
  expect(text(5_000, open)).toBe(ENGLISH('ui:live.leftAlmost'));
});
