import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { HostCondition } from '../../../../src/shared/model/evidence.ts';
import { makeState, withHost, type ScenarioShape } from '../../builders.ts';
import { BASE, BIND, TWO } from '../analysis/analysis-helpers.ts';

const condition = (kind: HostCondition['kind'], fields: Partial<HostCondition> = {}): HostCondition => ({
  kind,
  windows: null,
  value: null,
  name: null,
  ...fields,
});

/**
 * Texts of the notices about a run of two scenarios in three rounds of five seconds, by the conditions of each trial.
 */
function said(conditions: Record<string, HostCondition[]>, scenarios: ScenarioShape[] = TWO) {
  const state = makeState({ scenarios, aaCheck: false, rounds: 3 });
  return analyze(withHost(state, conditions)).notices.map((one) => ({ ...one, message: one.message.text }));
}

describe('what else went on', () => {
  it('is said of a scenario and a kind once, with the windows it touches and the worst', () => {
    const notices = said({
      [`r1.${BIND}`]: [condition('steal', { windows: [0, 3], value: 0.08 })],
      [`r3.${BIND}`]: [
        condition('steal', { windows: [1], value: 0.126 }),
        condition('swapping', { windows: [4], value: 1234.4 }),
      ],
    });
    expect(notices).toEqual([
      {
        code: 'HOST_STEAL',
        scenarioId: BIND,
        message:
          'Other virtual machines took CPU time from this one in 3 of 15 measured seconds (2 of 3 trials): 12.6% in the worst second.',
      },
      {
        code: 'HOST_SWAPPING',
        scenarioId: BIND,
        message:
          'The machine was swapping memory in 1 of 15 measured seconds (1 of 3 trials): 1,234 pages in the worst second.',
      },
    ]);
  });

  it('is said once for the run where it met every scenario', () => {
    const low = condition('memory-pressure', { windows: [2], value: 0.97 });
    const notices = said({ [`r1.${BASE}`]: [low], [`r2.${BIND}`]: [low] });
    expect(notices).toEqual([
      expect.objectContaining({
        code: 'HOST_MEMORY_PRESSURE',
        message: expect.stringMatching(/ in 2 of 30 measured seconds \(2 of 6 trials\): .* 97% /),
      }),
    ]);
    expect(notices[0]?.scenarioId).toBeUndefined();
  });

  it('is said once for the run where it met more than half of the scenarios', () => {
    const layer = { storage: 'container-layer', path: 'published-port' } as const;
    const busy = (value: number) => [condition('others-busy', { value })];
    const notices = said({ [`r1.${BASE}`]: busy(0.3), [`r2.${BIND}`]: busy(0.7) }, [...TWO, layer]);
    expect(notices.filter(({ code }) => code === 'HOST_OTHERS_BUSY')).toEqual([
      {
        code: 'HOST_OTHERS_BUSY',
        message: 'Other programs used the processor in 2 of 9 trials: 0.70 cores in the worst second.',
      },
    ]);
  });

  it('is said of the run where it is the machine’s power, even if it met one scenario only', () => {
    const notices = said({ [`r2.${BIND}`]: [condition('on-battery'), condition('low-power')] });
    expect(notices.map(({ code, scenarioId }) => [code, scenarioId])).toEqual([
      ['HOST_ON_BATTERY', undefined],
      ['HOST_LOW_POWER', undefined],
    ]);
    expect(notices[0]?.message).toContain('in 1 of 6 trials');
  });

  it('names the containers, each at its busiest', () => {
    const busy = (name: string | null, value: number) => condition('container-busy', { name, value });
    const [notice] = said({
      [`r1.${BIND}`]: [busy('web', 0.2), busy('build', 0.9)],
      [`r2.${BIND}`]: [busy('web', 0.314), busy(null, 0.1)],
    });
    expect(notice).toEqual({
      code: 'HOST_CONTAINER_BUSY',
      scenarioId: BIND,
      message:
        'Containers that aren’t part of this run used the processor in 2 of 3 trials. The busiest: “build” 0.90 cores, “web” 0.31 cores, another container 0.10 cores.',
    });
  });

  it('names three of many containers, and counts the others', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const [notice] = said({
      [`r1.${BIND}`]: names.map((name, index) =>
        condition('container-busy', { name, value: 0.1 * (index + 1) }),
      ),
    });
    expect(notice?.message).toMatch(/“e”.*“d”.*“c”.*\b2\b/);
    expect(notice?.message).not.toMatch(/“[ab]”/);
  });

  it('names the busiest of the other programs, if it may', () => {
    const busy = (name: string | null, value: number) => condition('others-busy', { name, value });
    const named = said({ [`r1.${BIND}`]: [busy('make', 0.4)], [`r2.${BIND}`]: [busy('chrome', 0.8)] });
    expect(named[0]?.message).toBe(
      'Other programs used the processor in 2 of 3 trials: 0.80 cores in the worst second, “chrome” the most.',
    );
    const nameless = said({ [`r1.${BIND}`]: [busy(null, 0.4)] });
    expect(nameless[0]?.message).toMatch(/: 0\.40 cores in the worst second\.$/);
  });

  it('says of macOS what macOS says', () => {
    const notices = said({ [`r1.${BIND}`]: [condition('memory-pressure'), condition('thermal')] });
    expect(notices.map(({ message }) => message)).toEqual([
      'The machine was short of memory in 1 of 3 trials, according to the operating system.',
      'The processor was throttled because of heat in 1 of 3 trials.',
    ]);
  });

  it('does not count trials that were not measured', () => {
    const outcomes = { [BASE]: [800, 800, 800], [BIND]: ['LOAD_FAILED' as const, 800, 800] };
    const state = makeState({ scenarios: TWO, aaCheck: false, rounds: 3, outcomes });
    const { notices } = analyze(withHost(state, { [`r1.${BIND}`]: [condition('on-battery')] }));
    expect(notices.map(({ code }) => code)).not.toContain('HOST_ON_BATTERY');
  });
});
