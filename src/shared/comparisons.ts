import type { Translate } from './i18n.ts';
import type { Analysis, ScenarioAnalysis } from './model/analysis.ts';
import { DRIVER_KINDS, type DriverKind } from './model/names.ts';

/** Scenarios that are compared with the same baseline: all of a run, or those of one regime or one driver. */
export interface Comparison {
  baselineId: string;
  /** The regime as people call it; null where a run has no regimes. */
  regime: string | null;
  /** Null where both drivers are compared with the same baseline, or there is only one. */
  driver: DriverKind | null;
  /** In the plan's order. */
  scenarios: ScenarioAnalysis[];
}

/** What the second measurement of a baseline has behind its name. */
const AGAIN = / \([^()]*\)$/;

/**
 * The comparisons of a run, in the plan's order; one where there are neither regimes nor two drivers. Driver and regime
 * are what the names of all its scenarios end with, in this order: that is how plans name them.
 */
export function comparisonsOf({ scenarios }: Pick<Analysis, 'scenarios'>): Comparison[] {
  const byBaseline = new Map<string, ScenarioAnalysis[]>();
  for (const scenario of scenarios) {
    const others = byBaseline.get(scenario.baselineId) ?? [];
    byBaseline.set(scenario.baselineId, [...others, scenario]);
  }
  const several = byBaseline.size > 1;
  return [...byBaseline].map(([baselineId, own]) => ({
    baselineId,
    ...(several ? driverAndRegime(sharedTail(own)) : { driver: null, regime: null }),
    scenarios: own,
  }));
}

/** The comparison that a scenario belongs to. */
export function comparisonOf(analysis: Pick<Analysis, 'scenarios'>, scenarioId: string): Comparison {
  const found = comparisonsOf(analysis).find(({ scenarios }) =>
    scenarios.some(({ id }) => id === scenarioId),
  );
  return found ?? { baselineId: scenarioId, regime: null, driver: null, scenarios: [] };
}

/** "in the regime “In memory” with the driver sysbench"; undefined where all is compared with one baseline. */
export function whereText(
  { regime, driver }: Pick<Comparison, 'regime' | 'driver'>,
  t: Translate,
): string | undefined {
  if (regime !== null && driver !== null) return t('report:where.both', { regime, driver });
  if (regime !== null) return t('report:where.regime', { regime });
  return driver === null ? undefined : t('report:where.driver', { driver });
}

/** A scenario's name where its regime and its driver have been said already. */
export function nameWithin({ regime, driver }: Pick<Comparison, 'regime' | 'driver'>, name: string): string {
  const tail = [driver, regime].flatMap((part) => (part === null ? [] : [`, ${part}`])).join('');
  const again = AGAIN.exec(name)?.[0] ?? '';
  const own = name.slice(0, name.length - again.length);
  return tail !== '' && own.endsWith(tail) ? own.slice(0, -tail.length) + again : name;
}

function driverAndRegime(parts: string[]): Pick<Comparison, 'regime' | 'driver'> {
  const isDriver = (part: string | undefined): part is DriverKind =>
    DRIVER_KINDS.some((kind) => kind === part);
  const place = parts.findIndex(isDriver);
  const driver = parts[place];
  const regime = parts.slice(place + 1).join(', ');
  return { driver: isDriver(driver) ? driver : null, regime: regime === '' ? null : regime };
}

/** What all names have after a comma in common. */
function sharedTail(scenarios: ScenarioAnalysis[]): string[] {
  const tails = scenarios.map(({ name, isNoiseFloor }) => {
    const parts = (isNoiseFloor ? name.replace(AGAIN, '') : name).split(', ');
    return parts.slice(1);
  });
  const [first = [], ...others] = tails;
  let shared = 0;
  const at = (parts: string[]): string | undefined => parts.at(-1 - shared);
  while (shared < first.length && others.every((parts) => at(parts) === at(first))) shared += 1;
  return shared === 0 ? [] : first.slice(-shared);
}
