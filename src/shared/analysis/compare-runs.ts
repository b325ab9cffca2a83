import { analyze } from './analyze.ts';
import { CONFIDENCE, levelOfRun } from './speeds.ts';
import type { Analysis, Effect, ScenarioAnalysis } from './analysis.ts';
import { tps } from '../model/measurements.ts';
import type { Verdict } from '../model/names.ts';
import type { RunState } from '../model/run-state.ts';
import { claimsOf, isDifference, type ToClaim } from '../statistics/claims.ts';
import { logDifference, logMean, type ChangeEstimate, type LogMean } from '../statistics/paired-ratio.ts';
import { studentEstimate } from '../statistics/estimate.ts';
import { keyWithout } from '../model/factors.ts';
import { levelsOf, type Plan, type Scenario, type ScenarioLabel } from '../model/plan.ts';
import type { LevelOf } from '../statistics/spending.ts';

export interface RunChange {
  /** Ratio of both runs' ratios, in which machine and time cancel out. */
  relative: ChangeEstimate | null;
  verdict: Verdict;
  /** Ratio of speeds; it only describes, as it includes machine and time. */
  absolute: ChangeEstimate | null;
}

export interface MatchedScenario {
  key: string;
  label: ScenarioLabel;
  cells: (ScenarioAnalysis | null)[];
  changes: (RunChange | null)[];
}

export interface ComparedChoice {
  effects: (Effect | null)[];
  verdict: 'same' | 'different' | 'inconclusive';
  /** The run that differs from each other one, by more than those differ. */
  outlier: number | null;
}

/** Baselines relative to the slowest run with the same work. */
export interface ComparedSpeeds {
  slowest: number;
  fastest: number;
  /** Null for runs that aren't comparable. */
  runs: ({ tps: number; ratio: number; change: ChangeEstimate | null; verdict: Verdict } | null)[];
}

export interface RunsComparison {
  confidence: number;
  equivalence: number;
  analyses: Analysis[];
  sameBaseline: boolean[];
  scenarios: MatchedScenario[];
  choices: ComparedChoice[];
  speeds: ComparedSpeeds | null;
  unmatched: { run: number; label: ScenarioLabel }[];
}

interface Found {
  key: string;
  scenario: ScenarioAnalysis;
}

/** Runs are not interleaved. Only speeds of `isSameWork` compare. Formulas: docs/explanation/method.md. */
export function compareRuns(
  runs: readonly RunState[],
  isSameWork: readonly boolean[] = runs.map(() => true),
): RunsComparison {
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
  // Each look of one run at each of the other is another chance of a false verdict.
  const [ownLevelOf, ...otherLevels] = runs.map(levelOfRun);
  const levelOf = (alpha: number): number =>
    ownLevelOf?.(Math.min(alpha, ...otherLevels.map((one) => one(alpha)))) ?? alpha;
  const level = 1 - levelOf(1 - CONFIDENCE);
  const claimed: Claimed = { equivalence: first.plan.equivalence, level, levelOf };
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
        cells: own.map((one) => one ?? null),
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
    changes.map(({ relative }) => toClaim(relative, equivalence)),
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
    choices: choicesOf(runs, analyses, claimed),
    speeds: speedsOf(
      runs.map((_, run) => (isSameWork[run] === true ? baselineOf(found[run], baselineKey) : undefined)),
      runs,
      claimed,
    ),
    unmatched: found.flatMap((one, run) =>
      one.flatMap(({ key, scenario }) => (matched.includes(key) ? [] : [{ run, label: scenario.label }])),
    ),
  };
}

interface Claimed {
  equivalence: number;
  level: number;
  levelOf: LevelOf;
}

function toClaim(change: ChangeEstimate | null, margin: number): ToClaim {
  return { estimate: change && studentEstimate({ ...change, samples: 0, pairedRounds: 0 }), margin };
}

/** Choices that at most one run lacks. */
function choicesOf(
  runs: readonly RunState[],
  analyses: readonly Analysis[],
  { level, levelOf }: Claimed,
): ComparedChoice[] {
  const found = analyses.map(
    ({ effects }, run) =>
      new Map(effects.flatMap((one) => (one.ratio === null ? [] : [[effectKey(one, runs[run]), one]]))),
  );
  const keys = [...new Set(found.flatMap((own) => [...own.keys()]))];
  const all = keys
    .map((key) => found.map((own) => own.get(key) ?? null))
    .filter((effects) => effects.filter((one) => one !== null).length > 1);
  const pairs = all.flatMap((effects, choice) =>
    effects.flatMap((from, one) =>
      effects.flatMap((to, other) => {
        if (from === null || to === null || other <= one) return [];
        const claim = toClaim(changeOf(ratioMean(from), ratioMean(to), level), from.margin);
        return [{ choice, one, other, claim }];
      }),
    ),
  );
  const claims = claimsOf(
    pairs.map(({ claim }) => claim),
    { alpha: 1 - CONFIDENCE, levelOf },
  );
  return all.map((effects, choice) => {
    const own = pairs.flatMap((pair, index) => {
      const verdict = claims[index]?.verdict ?? 'inconclusive';
      return pair.choice === choice ? [{ ...pair, verdict }] : [];
    });
    const isDifferent = ({ verdict }: { verdict: Verdict }): boolean => isDifference(verdict);
    const alone = effects.flatMap((_, run) => {
      const ofRun = own.filter(({ one, other }) => one === run || other === run);
      return ofRun.length > 0 && ofRun.every(isDifferent) ? [run] : [];
    });
    return {
      effects,
      verdict: own.some(isDifferent)
        ? 'different'
        : own.every(({ verdict }) => verdict === 'same')
          ? 'same'
          : 'inconclusive',
      outlier: farthestOf(effects, alone),
    };
  });
}

/** The slower of two runs that differ; of several, the farthest from the others. */
function farthestOf(effects: readonly (Effect | null)[], candidates: readonly number[]): number | null {
  const logOf = (effect: Effect | null): number[] =>
    effect === null || effect.ratio === null ? [] : [Math.log(effect.ratio.value)];
  const far = candidates.flatMap((run) => {
    const [own = 0] = logOf(effects[run] ?? null);
    const others = effects.flatMap((one, other) => (other === run ? [] : logOf(one)));
    const gap = Math.min(...others.map((one) => Math.abs(one - own)));
    return gap > Math.max(...others) - Math.min(...others) ? [{ run, own, gap }] : [];
  });
  return far.sort((a, b) => b.gap - a.gap || a.own - b.own)[0]?.run ?? null;
}

function effectKey({ factor, level, reference, pairs: [pair] }: Effect, run: RunState | undefined): string {
  const nameOf = (id: string | undefined, name: string): unknown => {
    const storage = run?.plan.scenarios.find((one) => one.id === id)?.storage;
    return factor === 'storage' && storage !== undefined ? [storage.kind, storage.name ?? null] : name;
  };
  return JSON.stringify([factor, nameOf(pair?.scenarioId, level), nameOf(pair?.referenceId, reference)]);
}

function baselineOf(found: readonly Found[] = [], key: string | undefined): ScenarioAnalysis | undefined {
  return found.find((one) => one.key === key)?.scenario;
}

function speedsOf(
  baselines: readonly (ScenarioAnalysis | undefined)[],
  runs: readonly RunState[],
  { equivalence, level, levelOf }: Claimed,
): ComparedSpeeds | null {
  const known = baselines.flatMap((one, run) =>
    one === undefined || one.tps === null || one.tps <= 0 ? [] : [{ run, id: one.id, tps: one.tps }],
  );
  const [slowest, ...others] = known.sort((a, b) => a.tps - b.tps);
  const fastest = others.at(-1);
  if (slowest === undefined || fastest === undefined) return null;
  const meanOf = ({ run, id }: { run: number; id: string }): LogMean | null => {
    const state = runs[run];
    return state === undefined ? null : speedMean(state, id);
  };
  const changes = others.map((one) => changeOf(meanOf(slowest), meanOf(one), level));
  // Any two could have been the slowest and the fastest.
  const claims = claimsOf(
    changes.map((change) => toClaim(change, equivalence)),
    { alpha: (2 * (1 - CONFIDENCE)) / known.length, levelOf },
  );
  return {
    slowest: slowest.run,
    fastest: fastest.run,
    runs: runs.map((_, run) => {
      if (run === slowest.run) return { tps: slowest.tps, ratio: 1, change: null, verdict: 'same' };
      const at = others.findIndex((one) => one.run === run);
      const tps = others[at]?.tps;
      if (tps === undefined) return null;
      const ratio = tps / slowest.tps;
      return { tps, ratio, change: changes[at] ?? null, verdict: claims[at]?.verdict ?? 'inconclusive' };
    }),
  };
}

function ratioMean({ ratio }: Pick<ScenarioAnalysis, 'ratio'>): LogMean | null {
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

/** The stated confidence holds over all interim checks. */
function changeOf(from: LogMean | null, to: LogMean | null, level: number): ChangeEstimate | null {
  return from === null || to === null ? null : { ...logDifference(from, to, level), confidence: CONFIDENCE };
}

type Matched = Pick<Plan, 'scenarios'>;

/** Equal keys are the same scenario; settings and data don't count. */
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
