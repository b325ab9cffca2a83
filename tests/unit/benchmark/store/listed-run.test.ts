import { expect, it } from 'vitest';
import { recentRunOf } from '../../../../src/benchmark/store/listed-run.ts';
import { makeState } from '../../builders.ts';

it('a list of runs says as many scenarios as their plans do: the A/A check is none of its own', () => {
  const state = makeState({ aaCheck: true });
  expect(recentRunOf(state)?.scenarios).toBe(state.plan.scenarios.length - 1);
});
