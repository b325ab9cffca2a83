import { expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { doingText, preparations, timeLeftText } from '../../../../src/shared/words/step-wording.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { reduceAll } from '../../../helpers/journals.ts';
import { makeEvents } from '../../builders.ts';

const [begin] = makeEvents({ sliceSeconds: 1, durationSeconds: 4 });
if (begin?.type !== 'run-started') throw new Error('no run');
const { at, plan } = begin;
const servers = [...new Set(plan.scenarios.map(({ serverId }) => serverId))];

const after = (...events: RunEvent[]) => reduceAll([begin, ...events]);
const listAfter = (...events: RunEvent[]): string[] =>
  preparations(after(...events), ENGLISH).map(({ state, text, count, why, fraction }) =>
    [state, text, count, why, fraction].join(' | '),
  );
const started = (kind: 'pull' | 'load' | 'clone' | 'start', subject: string): RunEvent => ({
  type: 'step-started',
  at,
  stepId: `${kind} ${subject}`,
  kind,
  subject,
});
const ended = (stepId: string): RunEvent => ({ type: 'step-finished', at, stepId, error: null });

it('says what is done before the first number, what a trial does, and the time left', async () => {
  const [one = '', other = ''] = servers;
  const copies = [
    ...[started('load', 'mysql:8.4'), ended('load mysql:8.4')],
    ...[started('clone', one), ended(`clone ${one}`), started('clone', other)],
  ];
  const half: RunEvent = { type: 'step-progress', at, stepId: `clone ${other}`, fraction: 0.5, detail: '' };
  const detail = msg('step.warm', { done: 5, all: 7 });
  const progress: RunEvent = { type: 'step-progress', at, stepId: 'start 1', fraction: 0.3, detail };
  const trialId = `r1.${plan.scenarios[0]?.id ?? ''}`;
  const phase = (name: 'start' | 'measure') =>
    after({ type: 'trial-started', at, trialId }, { type: 'trial-phase', at, trialId, phase: name });
  const { sliceSeconds, ...schedule } = plan.schedule;
  expect(sliceSeconds).toBe(1);
  const alone = (name: 'start' | 'measure') => ({ ...phase(name), plan: { ...plan, schedule } });
  const doing = (run: RunState): string[] => [doingText(run, ENGLISH) ?? 'nothing'];
  const fixed = { plan, roundsEnded: null };
  const until = { ...plan.schedule, untilConclusive: { budgetMinutes: 5 } };
  const open = { plan: { ...plan, schedule: until }, roundsEnded: null };
  const left = (leftMs: number, run: Parameters<typeof timeLeftText>[1]): string[] => [
    timeLeftText(leftMs, run, ENGLISH),
  ];
  await expectShown('steps', {
    'nothing is done yet': listAfter(),
    'the second of all copies is half done': listAfter(...copies, half),
    'servers start': [
      ...listAfter(started('start', '1'), progress),
      ...doing(after(started('start', '1'), progress)),
    ],
    'a trial side by side, whose scenario isn’t named': doing(phase('start')),
    'a trial that is measured alone starts': doing(alone('start')),
    'a trial that is measured alone has load': doing(alone('measure')),
    'time left': left(95_000, fixed),
    'time left until conclusive, at most': left(95_000, open),
    'time left once it is conclusive': left(95_000, { ...open, roundsEnded: 'conclusive' }),
    'seconds left': left(5_000, open),
  });
});
