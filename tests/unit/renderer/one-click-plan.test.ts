import { describe, expect, it } from 'vitest';
import { oneClickChoice, oneClickEstimate } from '../../../src/renderer/state/one-click-plan.ts';
import { settingsSchema } from '../../../src/shared/model/settings.ts';
import { makePlan } from '../plan-builder.ts';

describe('the one button', () => {
  it.each(['full', 'short'] as const)('asks for the thoroughness of the settings: %s', (mode) => {
    expect(oneClickChoice(settingsSchema.parse({ mode }))).toEqual({ presetId: 'compare-my-setup', mode });
  });

  it('announces as many scenarios as the plan then has, which are one less than are measured', () => {
    const plan = makePlan({ noiseFloor: true });
    const { scenarios, seconds } = oneClickEstimate(plan);
    expect(scenarios).toBe(plan.scenarios.length - 1);
    expect(seconds).toBe(plan.estimate.seconds);
  });
});
