import { describe, expect, it } from 'vitest';
import {
  changeConditions,
  checkLevels,
  conditionLines,
  conditionSummary,
  exitCodeOfConditions,
  judgeChanges,
  judgeLevels,
  levelConditions,
  type ConditionOutcome,
} from '../../../src/cli/conditions.ts';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { compareRuns } from '../../../src/shared/analysis/compare-runs.ts';
import { BenchmarkError } from '../../../src/shared/errors.ts';
import { DEMO_FACTORS, demoOutcomes, demoState, makePlan, makeState } from '../builders.ts';

const VOLUME = 'named-volume.published-port';
const LAYER = 'container-layer.published-port';
const TWO = [
  { storage: 'named-volume', path: 'published-port' },
  { storage: 'container-layer', path: 'published-port' },
] as const;

/** Judges a condition with the container layer's TPS by round; the reference has 1000. */
function judge(condition: string, rates: number[]) {
  const state = makeState({
    scenarios: [...TWO],
    aaCheck: false,
    rounds: rates.length,
    outcomes: { [VOLUME]: rates.map(() => 1000), [LAYER]: rates },
  });
  const [found] = judgeLevels(levelConditions(condition), analyze(state));
  if (found === undefined) throw new Error('one condition');
  return found;
}

describe('a condition about a level', () => {
  it('is read, with spaces and names with dots, and collected', () => {
    const first = levelConditions('storage.bind-mount>1.3');
    expect(levelConditions(' path.a.b-c > 2 ', first)).toEqual([
      { text: 'storage.bind-mount>1.3', factor: 'storage', level: 'bind-mount', limit: 1.3 },
      { text: ' path.a.b-c > 2 ', factor: 'path', level: 'a.b-c', limit: 2 },
    ]);
  });

  it.each([
    ...['', 'storage', 'storage>1', 'storage.>1', 'disk.x>1', 'storage.x', 'storage.x<1', 'storage.x>'],
    ...['storage.x>0', 'storage.x>-1', 'storage.x>1e3', 'storage.x>1>2', 'storage.x>=1', 'storage.x>NaN'],
  ])('%j is refused', (text) => {
    expect(() => levelConditions(text)).toThrow(/FACTOR\.LEVEL>N.*storage, path, server/);
  });

  it.each([[[200]], [[500, 0, 500]]])('is inconclusive without an interval, as with %j', (rates) => {
    expect(judge('storage.container-layer>1.3', rates).outcome).toBe('inconclusive');
  });

  it('is judged at the interval’s ends, not by its own value', () => {
    const { speed } = judge('storage.container-layer>1', [480, 500, 520]);
    const [least, most] = [1 / (speed?.high ?? 0), 1 / (speed?.low ?? 0)];
    for (const [limit, outcome] of [
      [least - 0.001, 'true'],
      [least + 0.001, 'inconclusive'],
      [most - 0.001, 'inconclusive'],
      [most + 0.001, 'false'],
    ] as const) {
      expect(judge(`storage.container-layer>${limit.toFixed(6)}`, [480, 500, 520]).outcome).toBe(outcome);
    }
  });

  it('of the reference is true if any other level is faster by that much', () => {
    const analysis = analyze(demoState());
    const [path, storage] = judgeLevels(
      levelConditions('storage.named-volume>1.1', levelConditions('path.published-port>1.1')),
      analysis,
    );
    expect(path).toMatchObject({ outcome: 'true', level: 'published-port', reference: 'host-network' });
    expect(path?.speed?.value).toBeCloseTo(1 / 1.16, 1);
    expect(path?.speed?.low).toBeLessThan(path?.speed?.value ?? 0);
    expect(storage).toMatchObject({ outcome: 'false', reference: 'bind-mount' });
  });

  it('names what decided it', () => {
    const conditions = [judge('storage.container-layer>1.3', [480, 500, 520])];
    expect(conditionLines(conditions)).toMatch(
      /^\n--fail-if storage\.container-layer>1\.3 is true: container-layer is 0\.50× as fast as named-volume \(95% CI 0\.45–0\.55\)$/,
    );
    expect(conditionSummary(conditions)).toEqual([
      {
        condition: 'storage.container-layer>1.3',
        outcome: 'true',
        factor: 'storage',
        level: 'container-layer',
        reference: 'named-volume',
        scenario: null,
        ratio: expect.closeTo(0.5, 2) as number,
        low: expect.any(Number) as number,
        high: expect.any(Number) as number,
      },
    ]);
  });
});

describe('the levels of a plan', () => {
  const refused = (condition: string, plan = makePlan()): BenchmarkError => {
    try {
      checkLevels(levelConditions(condition), plan, 'run');
    } catch (error) {
      if (error instanceof BenchmarkError) return error;
    }
    throw new Error('not refused');
  };

  it('are those that its scenarios compare, with the reference', () => {
    const all = ['storage.named-volume', 'storage.bind-mount', 'path.published-port', 'path.host-network'];
    for (const one of all)
      expect(() => checkLevels(levelConditions(`${one}>1`), makePlan(), 'run')).not.toThrow();
    expect(() => checkLevels(undefined, makePlan(), 'run')).not.toThrow();
  });

  it('are listed when a condition has another', () => {
    expect(refused('storage.tmpfs>1')).toMatchObject({
      code: 'USAGE',
      message: '--fail-if storage.tmpfs>1: no scenarios are compared by storage.tmpfs.',
      hint: 'Allowed: storage.named-volume, storage.bind-mount, storage.container-layer.',
    });
    expect(refused('server.eight>1').hint).toMatch(/storage\.bind-mount.*path\.user-bridge/);
    const single = makePlan({ scenarios: TWO.slice(0, 1), aaCheck: false });
    expect(refused('storage.named-volume>1', single).hint).toBe('Choose a preset that compares levels.');
  });

  it('leave out a level whose scenarios differ from the baseline in another factor too', () => {
    const plan = makePlan({
      scenarios: [TWO[0], { storage: 'bind-mount', path: 'host-network' }],
      aaCheck: false,
    });
    expect(refused('storage.bind-mount>1', plan).code).toBe('USAGE');
  });
});

describe('a condition about the change between runs', () => {
  const first = demoState();
  const other = (factors = {}, seed = 4) =>
    demoState({ outcomes: demoOutcomes({ ...DEMO_FACTORS, ...factors }, { seed }) });
  const outcome = (condition: string, ...others: ReturnType<typeof other>[]) =>
    judgeChanges(changeConditions(condition), compareRuns([first, ...others]), ['A', 'B', 'C'])[0];

  it.each(['', 'slower', 'faster>1', 'slower>x', 'slower>0', 'storage.bind-mount>1'])(
    '%j is refused',
    (text) => {
      expect(() => changeConditions(text)).toThrow(/slower>N/);
    },
  );

  it('is true if a scenario became slower by that much, in any run', () => {
    const slow = other({ [LAYER]: 0.3 });
    const expected = { outcome: 'true', factor: null, scenario: 'container layer via published port in B' };
    expect(outcome('slower>1.3', slow)).toMatchObject(expected);
    expect(outcome('slower>1.3', other(), slow)).toMatchObject({
      ...expected,
      scenario: 'container layer via published port in C',
    });
  });

  it('is false if none did, and inconclusive in between', () => {
    expect(outcome('slower>1.3', other())?.outcome).toBe('false');
    expect(outcome('slower>1.83', other({ [LAYER]: 0.3 }))?.outcome).toBe('inconclusive');
  });

  it('is inconclusive without anything that can be compared', () => {
    const elsewhere = makeState({ scenarios: [{ storage: 'tmpfs', path: 'container-ip' }], aaCheck: false });
    const [found] = judgeChanges(changeConditions('slower>1'), compareRuns([first, elsewhere]), ['A', 'B']);
    expect(found).toMatchObject({ outcome: 'inconclusive', scenario: null, speed: null });
    expect(conditionLines(found === undefined ? [] : [found])).toContain('no scenario could be compared');
  });
});

describe('the exit code of conditions', () => {
  it.each<[ConditionOutcome[], number]>([
    [[], 0],
    [['false', 'false'], 0],
    [['false', 'inconclusive'], 7],
    [['inconclusive', 'true', 'false'], 6],
  ])('%j is %d', (outcomes, expected) => {
    expect(exitCodeOfConditions(outcomes.map((outcome) => ({ outcome })))).toBe(expected);
  });
});
