import type { Translate } from './i18n.ts';
import type { Analysis, ScenarioAnalysis } from '../model/analysis.ts';
import { scenarioKey, type NoticeText, type Plan, type Scenario } from '../model/plan.ts';
import { equivalenceZone, pairedRatio } from '../statistics/paired-ratio.ts';
import { formatRate, formatRatio } from './units.ts';
import { ratioIntervalText, roundsText } from './wording.ts';

/**
 * Where both drivers measured the same and one is surely faster, by more than the zone of equivalence: the interval of
 * their ratio, paired within rounds, lies wholly outside of it. Each stands with the scenario that sysbench measured.
 */
export function driverNotices(plan: Pick<Plan, 'scenarios'>, analysis: Analysis, t: Translate): NoticeText[] {
  const byId = new Map(analysis.scenarios.map((one) => [one.id, one]));
  const counted = plan.scenarios.filter(({ isNoiseFloor }) => !isNoiseFloor);
  return counted.flatMap((scenario): NoticeText[] => {
    if (scenario.driver !== 'sysbench') return [];
    const twin = counted.find((other) => other.driver === 'node' && sameBut(other) === sameBut(scenario));
    const [sysbench, node] = [byId.get(scenario.id), twin && byId.get(twin.id)];
    if (sysbench === undefined || node === undefined) return [];
    const message = disagreement(sysbench, node, analysis, t);
    return message === undefined ? [] : [{ code: 'DRIVERS_DISAGREE', scenarioId: scenario.id, message }];
  });
}

/** All that makes a scenario but its driver. */
const sameBut = (scenario: Scenario): string =>
  scenarioKey(scenario, ['storage', 'path', 'setupId', 'connections', 'clientNode']);

function disagreement(
  sysbench: ScenarioAnalysis,
  node: ScenarioAnalysis,
  { confidence, equivalence }: Analysis,
  t: Translate,
): string | undefined {
  const rates = new Map(node.rounds.map(({ round, tps }) => [round, tps]));
  const pairs = sysbench.rounds.flatMap(({ round, tps }) => {
    const baseline = rates.get(round);
    return baseline === undefined ? [] : [{ scenario: tps, baseline }];
  });
  const ratio = pairedRatio(pairs, confidence);
  if (ratio === null || ratio.low === null || ratio.high === null) return undefined;
  const [least, most] = equivalenceZone(equivalence);
  if (ratio.high >= least && ratio.low <= most) return undefined;
  return t('report:notice.DRIVERS_DISAGREE', {
    sysbench: formatRate(sysbench.tps, t.language),
    node: formatRate(node.tps, t.language),
    ratio: formatRatio(ratio.value, t.language),
    interval: ratioIntervalText(ratio, t),
    rounds: roundsText(ratio.pairedRounds, t),
  });
}
