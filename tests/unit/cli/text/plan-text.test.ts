import { expect, it } from 'vitest';
import { planText } from '../../../../src/cli/plan-command.ts';
import { lengthText } from '../../../../src/shared/words/provenance.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { makePlan } from '../../builders.ts';

it('has the limit of a run until conclusive, which every screen shows, and else the estimate', () => {
  const plan = makePlan();
  const estimate = { ...plan.estimate, seconds: 409 };
  const untilConclusive = { budgetMinutes: 5 };
  const until = { ...plan, estimate, schedule: { ...plan.schedule, untilConclusive } };
  const lines = (of: typeof plan): string[] => planText(of).split('\n');
  for (const of of [until, { ...plan, estimate }]) {
    expect(lines(of)).toContainEqual(expect.stringContaining(lengthText(of, ENGLISH)));
  }
  expect(lengthText(until, ENGLISH)).toBe(ENGLISH('ui:plan.upTo', { time: '5 min' }));
  expect(lengthText({ ...plan, estimate }, ENGLISH)).toBe(ENGLISH('ui:plan.about', { time: '7 min' }));
});
