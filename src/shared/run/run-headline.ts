import { comparisonOf } from '../analysis/comparisons.ts';
import type { Analysis } from '../model/analysis.ts';
import type { RunHeadline } from '../model/run-headline.ts';

/** What an analysis says in one sentence, with the names that the sentence needs. */
export function runHeadlineOf(analysis: Analysis): RunHeadline {
  const { headline, scenarios } = analysis;
  if (headline.kind === 'difference') {
    const { baselineId, driver, regime, connections } = comparisonOf(analysis, headline.scenarioId);
    const labelOf = (id: string) => scenarios.find((one) => one.id === id)?.label;
    const [scenario, baseline] = [labelOf(headline.scenarioId), labelOf(baselineId)];
    if (scenario === undefined || baseline === undefined) return { kind: 'unsettled' };
    const { verdict, ratio } = headline;
    return { kind: 'difference', verdict, scenario, baseline, said: { driver, regime, connections }, ratio };
  }
  const baselines = scenarios.filter(({ isBaseline, measured }) => isBaseline && measured > 0);
  const others = scenarios.some((one) => !one.isBaseline && !one.isNoiseFloor && one.measured > 0);
  const [baseline] = baselines;
  if (headline.kind === 'unsettled' && baseline !== undefined && !others) {
    return baselines.length > 1 ? { kind: 'onlyBaselines' } : { kind: 'onlyBaseline', tps: baseline.tps };
  }
  return { kind: headline.kind };
}
