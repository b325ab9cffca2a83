import type { ScenarioSteadiness, SteadinessVerdict } from './analysis.ts';
import type { RatioEstimate } from '../statistics/estimate.ts';
import type { Verdict } from '../model/names.ts';
import type { Amount } from '../model/measurements.ts';
import type { Scenario } from '../model/plan.ts';
import type { Steadiness } from '../model/run-state.ts';
import { amountAt, geometricMean, pooledSpeeds, repeatsOf, sampleOf } from './samples.ts';
import { compareSpeeds } from './speeds.ts';

const STEADINESS_MARGIN = 0.25;

interface Trial {
  scenarioId: string;
  round: number;
  steadiness: Steadiness | null;
}

/** Verdicts hold for all scenarios together. */
export function compareSteadiness<S extends Pick<Scenario, 'id' | 'isAaRepeat' | 'baselineId' | 'serverId'>>(
  scenarios: readonly S[],
  trials: readonly Trial[],
  options: { confidence: number; baselineOf: (scenario: S) => string },
): Map<string, ScenarioSteadiness> {
  const variations = new Map<string, Map<number, Amount>>();
  const known = new Map<string, Steadiness[]>();
  for (const { scenarioId, round, steadiness } of trials) {
    if (steadiness === null) continue;
    known.set(scenarioId, [...(known.get(scenarioId) ?? []), steadiness]);
    const rounds = variations.get(scenarioId) ?? new Map<number, Amount>();
    variations.set(scenarioId, rounds.set(sampleOf(round), amountAt(steadiness.variation)));
  }
  const pooled = pooledSpeeds(scenarios, variations);
  const compared = compareSpeeds(scenarios, pooled, { ...options, marginOf: () => STEADINESS_MARGIN });
  return new Map(
    scenarios.flatMap((scenario) => {
      const own = [scenario, ...repeatsOf(scenario, scenarios)].flatMap(({ id }) => known.get(id) ?? []);
      const found = compared.get(scenario.id);
      if (own.length === 0 || found === undefined) return [];
      const sum = (of: (one: Steadiness) => number): number => own.reduce((all, one) => all + of(one), 0);
      return [
        [
          scenario.id,
          {
            variation: geometricMean(own.map(({ variation }) => variation)),
            stalledShare: sum(({ stalledSeconds }) => stalledSeconds) / sum(({ seconds }) => seconds),
            ratio: found.ratio,
            verdict: verdictOf(found.verdict, found.ratio),
          },
        ],
      ];
    }),
  );
}

/** "Faster" is a greater variation. */
function verdictOf(verdict: Verdict, ratio: RatioEstimate | null): SteadinessVerdict {
  if (ratio === null) return 'inconclusive';
  if (verdict === 'faster') return 'less-steady';
  return verdict === 'slower' ? 'steadier' : verdict;
}
