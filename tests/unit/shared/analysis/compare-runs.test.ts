import { describe, expect, it } from 'vitest';
import {
  compareRuns,
  type MatchedScenario,
  type RunsComparison,
} from '../../../../src/shared/analysis/compare-runs.ts';
import {
  comparedRuns,
  type ComparedRuns,
  compareFindings,
  compareWarnings,
} from '../../../../src/shared/words/compare-wording.ts';
import { studentTQuantile } from '../../../../src/shared/statistics/student-t.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { runConditions } from '../../../../src/shared/words/facts.ts';
import {
  DEMO_FACTORS,
  demoOutcomes,
  demoState,
  makeState,
  withHost,
  type StateShape,
} from '../../builders.ts';
import { sampled } from '../../../helpers/tier.ts';
import { labelText } from '../../../../src/shared/words/labels.ts';

const t = createTranslator('en');
const BIND = 'bind-mount.published-port';
const LAYER = 'container-layer.published-port';

/** A run with other factors; another seed makes other noise. */
function run(factors: Record<string, number> = {}, seed = 7, shape: StateShape = {}): RunState {
  const outcomes = demoOutcomes({ ...DEMO_FACTORS, ...factors }, { seed, noise: 0.02 });
  return demoState({ outcomes, runId: `20260601-09300${seed}-a1b2`, ...shape });
}

function scenario(comparison: RunsComparison, part: string): MatchedScenario {
  const found = comparison.scenarios.find(({ label }) => labelText(label, t).startsWith(part));
  if (found === undefined) throw new Error(`no scenario ${part}`);
  return found;
}

function changesIn({ scenarios }: RunsComparison): number {
  return scenarios.flatMap(({ changes }) => changes).filter((change) => (change?.relative ?? null) !== null)
    .length;
}

const compared = (runs: readonly RunState[]): ComparedRuns =>
  comparedRuns(
    runs.map((run, at) => ({ name: ['ana', 'ben', 'kim', 'lee', 'zoe'][at] ?? null, run })),
    t,
    String,
  );

const codes = (runs: RunState[]): string[] => compareWarnings(compared(runs), t).map(({ code }) => code);

describe('compareRuns', () => {
  it('tells what became of each ratio, whatever the other machine’s own speed is', () => {
    const slowMachine = Object.fromEntries(Object.entries(DEMO_FACTORS).map(([id, one]) => [id, one / 2]));
    const other = run({ ...slowMachine, [LAYER]: 0.5 * 0.55 * 0.7 }, 9);
    const comparison = compareRuns([run(), other]);
    const layer = scenario(comparison, 'container layer via published');
    expect(layer.changes[0]).toBeNull();
    expect(layer.changes[1]?.relative?.value).toBeCloseTo(0.7, 1);
    expect(layer.changes[1]?.verdict).toBe('slower');
    expect(layer.changes[1]?.absolute?.value).toBeCloseTo(0.35, 1);
    const bind = scenario(comparison, 'bind mount via published').changes[1];
    expect(bind?.relative?.value).toBeCloseTo(1, 1);
    expect(['same', 'inconclusive']).toContain(bind?.verdict);
    expect(bind?.absolute?.value).toBeCloseTo(0.5, 1);
  });

  it('is the interval of the difference of the mean log ratios', () => {
    const [from, to] = [run(), run({}, 8)];
    const { scenarios } = compareRuns([from, to]);
    const { cells, changes } = scenario({ scenarios } as RunsComparison, 'container layer via published');
    const [one, two] = cells.map((cell) => cell?.ratio);
    const relative = changes[1]?.relative;
    if (!one || !two || !relative) throw new Error('there are intervals');
    expect(relative.value).toBeCloseTo(two.value / one.value, 12);
    expect(relative.standardError).toBeCloseTo(
      Math.hypot(one.standardError ?? 0, two.standardError ?? 0),
      12,
    );
    const t = studentTQuantile(0.975, Math.min(one.degrees, two.degrees));
    expect(Math.log(relative.high / relative.value)).toBeCloseTo(t * relative.standardError, 12);
    expect(relative.high * relative.low).toBeCloseTo(relative.value ** 2, 12);
  });

  it('gives the baseline no change, and leaves the A/A pair out', () => {
    const comparison = compareRuns([run(), run({}, 8)]);
    const { scenarios } = comparison;
    expect(scenarios).toHaveLength(9);
    expect(changesIn(comparison)).toBe(8);
    expect(scenarios[0]?.changes[1]?.relative).toBeNull();
    expect(scenarios[0]?.changes[1]?.absolute).not.toBeNull();
  });

  it('lists what only one run has', () => {
    const grid = [
      { storage: 'named-volume', path: 'published-port' },
      { storage: 'tmpfs', path: 'published-port' },
      { storage: 'container-layer', path: 'published-port' },
    ] as const;
    const { scenarios, unmatched } = compareRuns([run(), makeState({ scenarios: [...grid] })]);
    expect(scenarios.map(({ key }) => key)).toHaveLength(2);
    expect(unmatched.filter((one) => one.run === 1).map(({ label }) => label.storage)).toEqual(['tmpfs']);
    expect(unmatched.filter((one) => one.run === 0)).toHaveLength(7);
  });

  it('takes the first run’s baseline where the other run has it', () => {
    const other = run({}, 8, { baselineId: LAYER });
    const comparison = compareRuns([run(), other]);
    expect(comparison.sameBaseline).toEqual([true, true]);
    expect(comparison.analyses[1]?.baselineId).toBe('named-volume.published-port');
    expect(changesIn(comparison)).toBe(8);
  });

  it('gives no change where the baselines have nothing in common', () => {
    const other = makeState({
      scenarios: [
        { storage: 'container-layer', path: 'published-port' },
        { storage: 'bind-mount', path: 'published-port' },
      ],
    });
    const comparison = compareRuns([run(), other]);
    expect(comparison.sameBaseline).toEqual([true, false]);
    expect(changesIn(comparison)).toBe(0);
    expect(scenario(comparison, 'bind mount').changes[1]?.absolute).not.toBeNull();
    expect(codes([run(), other])).toContain('baseline');
  });
});

describe('several machines', () => {
  const faster = (factor: number): Record<string, number> =>
    Object.fromEntries(Object.entries(DEMO_FACTORS).map(([id, one]) => [id, one * factor]));
  const texts = (runs: readonly RunState[]): string[] =>
    compareFindings(compared(runs), t).flatMap(({ text, detail }) => [text, detail]);

  it('are not compared by speed where they did other work, and by choice only where they have it', () => {
    const other = run(faster(3), 8, { workload: { kind: 'oltp_read_write', tables: 4, tableSize: 1000 } });
    const mixed = compared([other, run(), run(faster(1.5), 9)]);
    expect(mixed.comparison.speeds?.runs[0]).toBeNull();
    expect(mixed.comparison.speeds?.fastest).toBe(2);
    expect(compareWarnings(mixed, t)[0]?.message.text).toMatch(/^ana measured different work \(Data/);
    expect(texts([run(), other])[0]).toBe('Their speeds can’t be compared');
    const volumeOnly = makeState({ scenarios: [{ storage: 'named-volume', path: 'published-port' }] });
    expect(texts([run(), volumeOnly])[2]).toBe('These results have no choice in common');
  });

  it('are the same or not sure yet, and never one of them an outlier by chance', () => {
    for (const seed of sampled([1, 2, 3, 4, 5], 2)) {
      const runs = [0, 1, 2, 3].map((at) => run({}, 10 * seed + at));
      expect(compared(runs).comparison.choices.map(({ outlier }) => outlier)).toEqual([
        null,
        null,
        null,
        null,
      ]);
    }
  });

  it('have names that tell them apart', () => {
    const mac = run({}, 8, { runtime: { name: 'OrbStack 2' } });
    const named = [mac, run(), run({}, 9)].map((one) => ({ name: null, run: one }));
    const { names } = comparedRuns(named, t, () => 'today');
    expect(names[0]).toBe('OrbStack 2');
    expect(new Set(names).size).toBe(3);
  });
});

describe('conditions of runs', () => {
  const differing = (runs: RunState[]): string[] =>
    runConditions(runs, t).flatMap(({ differs, label }) => (differs ? [label] : []));

  it('tells which differ', () => {
    expect(differing([run(), run({}, 8)])).toEqual([]);
    const other = run({}, 8, {
      runtime: { name: 'OrbStack 2', vm: true, cpus: 4, memoryBytes: 8 * 2 ** 30, fileSharing: 'virtiofs' },
      image: { used: 'mysql:8.0', version: '8.0.42' },
      workload: { kind: 'oltp_read_write', tables: 4, tableSize: 1000 },
    });
    for (const label of [
      'Data',
      'Server',
      'Docker engine',
      'Runs in',
      'CPUs for containers',
      'Memory for containers',
    ]) {
      expect(differing([run(), other]), label).toContain(label);
    }
    expect(codes([run(), other])).toEqual(expect.arrayContaining(['workload', 'server', 'notInterleaved']));
    expect(codes([run(), run({}, 8)])).toEqual(['notInterleaved']);
  });

  it('tells power and neighbors, and a dash where nobody watched', () => {
    const battery = { kind: 'on-battery' as const, windows: null, value: null, name: null };
    const watched = withHost(run(), { [`r1.${BIND}`]: [battery], [`r2.${BIND}`]: [battery] });
    const power = runConditions([watched, run()], t).find(({ label }) => label === 'Power');
    expect(power?.values).toEqual(['on battery in 2 trials', '–']);
  });
});
