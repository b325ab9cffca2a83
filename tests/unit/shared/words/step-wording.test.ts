import { expect, it } from 'vitest';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { doingText } from '../../../../src/shared/words/step-wording.ts';
import { reduceAll } from '../../../helpers/journals.ts';
import { makeEvents } from '../../builders.ts';

const [begin] = makeEvents({ sliceSeconds: 1, durationSeconds: 4 });
if (begin?.type !== 'run-started') throw new Error('no run');
const { at, plan } = begin;
const servers = [...new Set(plan.scenarios.map(({ serverId }) => serverId))];
const rows = '100,000';

function doingAfter(...events: RunEvent[]) {
  const run = reduceAll([begin as RunEvent, ...events]);
  return run === undefined ? undefined : doingText(run, ENGLISH);
}
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
  expect(doingAfter(started('clone', one), ended(`clone ${one}`), started('clone', other))).toEqual({
    text: ENGLISH('ui:live.doing.clone', { rows, done: 2, all: servers.length }),
    why: ENGLISH('ui:live.why.data'),
    fraction: 1 / servers.length,
  });
  expect(doingAfter(started('start', '1'))?.text).toBe(
    ENGLISH('ui:live.doing.start', { count: servers.length }),
  );
});

it('names the scenario that is measured, whatever phase its slice is in', () => {
  const [scenario] = plan.scenarios;
  const trialId = `r1.${scenario?.id ?? ''}`;
  for (const phase of ['start', 'warmup', 'measure'] as const) {
    const events: RunEvent[] = [
      { type: 'trial-started', at, trialId },
      { type: 'trial-phase', at, trialId, phase },
    ];
    expect(doingAfter(...events)?.text).toMatch(new RegExp(`^Measuring: ${scenario?.name ?? ''}$`));
  }
});
