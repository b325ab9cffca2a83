import { expect, it } from 'vitest';
import { recentRunOf } from '../../../../src/benchmark/runs/view-file.ts';
import { makeState } from '../../builders.ts';

it('a list of runs says as many scenarios as their plans do: the noise check is none of its own', () => {
  const state = makeState({ noiseFloor: true });
  expect(recentRunOf(state)?.scenarios).toBe(state.plan.scenarios.length - 1);
});
