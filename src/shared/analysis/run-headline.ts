import { comparisonOf } from './comparisons.ts';
import type { Analysis } from './analysis.ts';
import type { RunHeadline } from '../model/history-entry.ts';

export function runHeadlineOf(analysis: Analysis): RunHeadline {
  const { headline, scenarios } = analysis;
  const labelOf = (id: string) => scenarios.find((one) => one.id === id)?.label;
  if (headline.kind === 'findings') return headline;
  if (headline.kind === 'difference') {
    const { baselineId, server, loadGenerator, connections } = comparisonOf(analysis, headline.scenarioId);
    const [scenario, baseline] = [labelOf(headline.scenarioId), labelOf(baselineId)];
    if (scenario === undefined || baseline === undefined) return { kind: 'inconclusive' };
    const { verdict, ratio } = headline;
    return {
      kind: 'difference',
      verdict,
      scenario,
      baseline,
      said: { server, loadGenerator, connections },
      ratio,
    };
  }
  const baselines = scenarios.filter(({ isBaseline, measured }) => isBaseline && measured > 0);
  const others = scenarios.some((one) => !one.isBaseline && one.measured > 0);
  const [baseline] = baselines;
  if (headline.kind === 'inconclusive' && baseline !== undefined && !others) {
    return baselines.length > 1
      ? { kind: 'onlyBaselines' }
      : { kind: 'onlyBaseline', tps: baseline.tps, isTask: baseline.isTask };
  }
  return { kind: headline.kind };
}
