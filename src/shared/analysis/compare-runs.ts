import { analyze } from './analyze.ts';
import { CONFIDENCE, levelOfRun } from './speeds.ts';
import type { Analysis, ScenarioAnalysis } from './analysis.ts';
import { tps } from '../model/measurements.ts';
import type { Verdict } from '../model/names.ts';
import type { RunState } from '../model/run-state.ts';
import { claimsOf } from '../statistics/claims.ts';
import { logDifference, logMean, type ChangeEstimate, type LogMean } from '../statistics/paired-ratio.ts';
import { type RatioEstimate, studentEstimate } from '../statistics/estimate.ts';
import { keyWithout } from '../model/factors.ts';
import { levelsOf, type Plan, type Scenario, type ScenarioLabel } from '../model/plan.ts';

export interface ComparedCell {
  scenarioId: string;
  isBaseline: boolean;
  tps: number | null;
  p95Us: number | null;
  ratio: RatioEstimate | null;
}

export interface RunChange {
  /** The ratio of both runs' ratios to their baselines, in which machine and time cancel out. */
  relative: ChangeEstimate | null;
  verdict: Verdict;
  /** Ratio of speeds; includes machine and time, so it only describes. */
  absolute: ChangeEstimate | null;
}

export interface MatchedScenario {
  key: string;
  label: ScenarioLabel;
  cells: (ComparedCell | null)[];
  changes: (RunChange | null)[];
}

export interface RunsComparison {
  confidence: number;
  equivalence: number;
  analyses: Analysis[];
  sameBaseline: boolean[];
  scenarios: MatchedScenario[];
  unmatched: { run: number; label: ScenarioLabel }[];
}

interface Found {
  key: string;
  scenario: ScenarioAnalysis;
}

/** Each run with the first; they are not interleaved. Formulas: docs/explanation/method.md. */
export function compareRuns(runs: readonly RunState[]): RunsComparison {
  const [first] = runs;
  if (first === undefined) throw new RangeError('no runs to compare');
  const keys = matchKeys(runs.map(({ plan }) => plan));
  const baselineKey = keys[0]?.get(first.plan.baselineId);
  const analyses = runs.map((run, index) => {
    const own = [...(keys[index] ?? [])].find(([, key]) => key === baselineKey)?.[0];
    return analyze(run, own === undefined ? {} : { baselineId: own });
  });
  const found = analyses.map((analysis, index): Found[] =>
    analysis.scenarios.flatMap((scenario) => {
      const key = keys[index]?.get(scenario.id);
      return key === undefined ? [] : [{ key, scenario }];
    }),
  );
  // Each look of one run, at each look of the other, is another chance of a false verdict.
  const [ownLevelOf, ...otherLevels] = runs.map(levelOfRun);
  const levelOf = (alpha: number): number =>
    ownLevelOf?.(Math.min(alpha, ...otherLevels.map((one) => one(alpha)))) ?? alpha;
  const level = 1 - levelOf(1 - CONFIDENCE);
  const all = [...new Set(found.flatMap((one) => one.map(({ key }) => key)))];
  const matched = all.filter(
    (key) => found.filter((one) => one.some((other) => other.key === key)).length > 1,
  );

  const scenarios = matched.flatMap((key): MatchedScenario[] => {
    const own = found.map((one) => one.find((other) => other.key === key)?.scenario);
    const [reference] = own;
    const label = own.find((one) => one !== undefined)?.label;
    if (label === undefined) return [];
    return [
      {
        key,
        label,
        cells: own.map((one) => (one === undefined ? null : cellOf(one))),
        changes: own.map((one, run): RunChange | null => {
          const other = runs[run];
          if (run === 0 || reference === undefined || one === undefined || other === undefined) return null;
          const comparable =
            keys[0]?.get(reference.baselineId) === keys[run]?.get(one.baselineId) && !reference.isBaseline;
          return {
            relative: comparable ? changeOf(ratioMean(reference), ratioMean(one), level) : null,
            verdict: 'inconclusive',
            absolute: changeOf(speedMean(first, reference.id), speedMean(other, one.id), level),
          };
        }),
      },
    ];
  });
  const changes = scenarios.flatMap((one) => one.changes.flatMap((change) => change ?? []));
  const { equivalence } = first.plan;
  const claims = claimsOf(
    changes.map(({ relative }) => ({
      estimate: relative && studentEstimate({ ...relative, samples: 0, pairedRounds: 0 }),
      margin: equivalence,
    })),
    { alpha: 1 - CONFIDENCE, levelOf },
  );
  for (const [index, change] of changes.entries()) change.verdict = claims[index]?.verdict ?? 'inconclusive';
  return {
    confidence: CONFIDENCE,
    equivalence,
    analyses,
    sameBaseline: analyses.map(
      ({ baselineId }, run) => baselineKey !== undefined && keys[run]?.get(baselineId) === baselineKey,
    ),
    scenarios,
    unmatched: found.flatMap((one, run) =>
      one.flatMap(({ key, scenario }) => (matched.includes(key) ? [] : [{ run, label: scenario.label }])),
    ),
  };
}

function cellOf({ id, isBaseline, tps, latency, ratio }: ScenarioAnalysis): ComparedCell {
  return { scenarioId: id, isBaseline, tps, p95Us: latency?.p95Us ?? null, ratio };
}

function ratioMean({ ratio }: ScenarioAnalysis): LogMean | null {
  if (ratio === null || ratio.standardError === null) return null;
  return {
    mean: Math.log(ratio.value),
    standardError: ratio.standardError,
    degrees: ratio.degrees,
  };
}

function speedMean({ trials }: RunState, id: string): LogMean | null {
  return logMean(
    trials.flatMap(({ scenarioId, totals }) => (scenarioId === id && totals !== null ? [tps(totals)] : [])),
  );
}

/** An interval that holds at all interim checks is named by the confidence it keeps over all of them. */
function changeOf(from: LogMean | null, to: LogMean | null, level: number): ChangeEstimate | null {
  return from === null || to === null ? null : { ...logDifference(from, to, level), confidence: CONFIDENCE };
}

type Matched = Pick<Plan, 'scenarios'>;

/** Equal keys are the same scenario of another run; settings and data are conditions of runs. */
function matchKeys(plans: readonly Matched[]): Map<string, string>[] {
  const isSweep = plans.some(({ scenarios }) => levelsOf(scenarios).length > 1);
  return plans.map(({ scenarios }) => {
    const keys = new Map(scenarios.map((one) => [one.id, keyOf(one, isSweep)]));
    const counts = new Map<string, number>();
    for (const key of keys.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
    return new Map([...keys].map(([id, key]) => [id, (counts.get(key) ?? 0) > 1 ? `${key} ${id}` : key]));
  });
}

function keyOf(scenario: Scenario, isSweep: boolean): string {
  const { kind, name = null } = scenario.storage;
  const own = { ...scenario, storageId: JSON.stringify([kind, name]) };
  return isSweep ? keyWithout(own, 'engine') : keyWithout(own, 'engine', 'connections');
}
