import { expect, it } from 'vitest';
import type { HostCondition } from '../../../../src/shared/model/evidence.ts';
import { makeState, withHost, type ScenarioShape } from '../../builders.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { BASE, BIND, noticesOf, TWO } from '../analysis/analysis-helpers.ts';

const condition = (kind: HostCondition['kind'], fields: Partial<HostCondition> = {}): HostCondition => ({
  kind,
  windows: null,
  value: null,
  name: null,
  ...fields,
});

/** The notices about a run of two scenarios in rounds of five seconds, by the conditions of each trial. */
function said(
  conditions: Record<string, HostCondition[]>,
  scenarios: ScenarioShape[] = TWO,
  rounds = 3,
): string[] {
  const state = makeState({ scenarios, aaCheck: false, rounds });
  return noticesOf(withHost(state, conditions));
}

it('what else went on is said once of a scenario or of the run, with the worst, the busiest, and how often', async () => {
  const steal = (windows: number[], value: number) => condition('steal', { windows, value });
  const low = condition('memory-pressure', { windows: [2], value: 0.97 });
  const busy = (name: string | null, value: number) => condition('container-busy', { name, value });
  const others = (name: string | null, value: number) => condition('others-busy', { name, value });
  const layer = { storage: 'container-layer', path: 'published-port' } as const;
  await expectShown('host-notices', {
    'a scenario, each kind once, with the windows it touches': said({
      [`r1.${BIND}`]: [steal([0, 3], 0.08)],
      [`r3.${BIND}`]: [steal([1], 0.126), condition('swapping', { windows: [4], value: 1234.4 })],
    }),
    'the only trial of a scenario': said(
      { [`r1.${BIND}`]: [steal([0], 0.08), condition('thermal')] },
      TWO,
      1,
    ),
    'every scenario: the run': said({ [`r1.${BASE}`]: [low], [`r2.${BIND}`]: [low] }),
    'more than half of the scenarios: the run': said(
      { [`r1.${BASE}`]: [others(null, 0.3)], [`r2.${BIND}`]: [others(null, 0.7)] },
      [...TWO, layer],
    ),
    'one scenario, but the machine’s power: the run': said({
      [`r2.${BIND}`]: [condition('on-battery'), condition('low-power')],
    }),
    'containers, each at its busiest': said({
      [`r1.${BIND}`]: [busy('web', 0.2), busy('build', 0.9)],
      [`r2.${BIND}`]: [busy('web', 0.314), busy(null, 0.1)],
    }),
    'three of many containers': said({
      [`r1.${BIND}`]: ['a', 'b', 'c', 'd', 'e'].map((name, index) => busy(name, 0.1 * (index + 1))),
    }),
    'other programs, the busiest by name': said({
      [`r1.${BIND}`]: [others('make', 0.4)],
      [`r2.${BIND}`]: [others('chrome', 0.8)],
    }),
    'other programs without names': said({ [`r1.${BIND}`]: [others(null, 0.4)] }),
    'what macOS says': said({ [`r1.${BIND}`]: [condition('memory-pressure'), condition('thermal')] }),
  });
});

it('trials that were not measured don’t count', () => {
  const outcomes = { [BASE]: [800, 800, 800], [BIND]: ['LOAD_FAILED' as const, 800, 800] };
  const state = makeState({ scenarios: TWO, aaCheck: false, rounds: 3, outcomes });
  expect(noticesOf(withHost(state, { [`r1.${BIND}`]: [condition('on-battery')] })).join()).not.toContain(
    'BATTERY',
  );
});
