import { comparisonOf, nameWithin } from '../analysis/comparisons.ts';
import type { Analysis } from '../model/analysis.ts';
import type { RunHeadline } from '../model/run-headline.ts';

/** What an analysis says in one sentence, with the names that the sentence needs. */
export function runHeadlineOf(analysis: Analysis): RunHeadline {
  const { headline, scenarios } = analysis;
  if (headline.kind === 'difference') {
    const { regime, driver, connections, baselineId } = comparisonOf(analysis, headline.scenarioId);
    const nameOf = (id: string): string =>
      nameWithin({ regime, driver, connections }, scenarios.find((one) => one.id === id)?.name ?? id);
    return {
      kind: 'difference',
      verdict: headline.verdict,
      name: nameOf(headline.scenarioId),
      baseline: nameOf(baselineId),
      regime,
      driver,
      connections,
      ratio: headline.ratio,
    };
  }
  const baselines = scenarios.filter(({ isBaseline, measured }) => isBaseline && measured > 0);
  const others = scenarios.some((one) => !one.isBaseline && !one.isNoiseFloor && one.measured > 0);
  const [baseline] = baselines;
  if (headline.kind === 'unsettled' && baseline !== undefined && !others) {
    return baselines.length > 1 ? { kind: 'onlyBaselines' } : { kind: 'onlyBaseline', tps: baseline.tps };
  }
  return { kind: headline.kind };
}
