import type { Translate } from '../words/i18n.ts';
import type { Analysis, ScenarioAnalysis } from '../model/analysis.ts';
import { DRIVER_KINDS, type DriverKind } from '../model/names.ts';
import { levelNameIn, levelsOf } from '../preset/ramp-levels.ts';

/** Scenarios that are compared with the same baseline: all of a run, or those of one regime, driver or level of a ramp. */
export interface Comparison {
  baselineId: string;
  /** The regime as people call it; null where a run has no regimes. */
  regime: string | null;
  /** Null where both drivers are compared with the same baseline, or there is only one. */
  driver: DriverKind | null;
  /** The level; null where a run has no ramp. */
  connections: number | null;
  /** In the plan's order. */
  scenarios: ScenarioAnalysis[];
}

/** What sets a comparison apart from the others of its run. */
type Part = Pick<Comparison, 'regime' | 'driver' | 'connections'>;

/** What the second measurement of a baseline has behind its name. */
const AGAIN = / \([^()]*\)$/;

/**
 * The comparisons of a run, in the plan's order; one where there are neither regimes nor two drivers nor a ramp. Driver,
 * regime and level are what the names of all its scenarios end with, in this order: that is how plans name them.
 */
export function comparisonsOf({ scenarios }: Pick<Analysis, 'scenarios'>): Comparison[] {
  const byBaseline = new Map<string, ScenarioAnalysis[]>();
  for (const scenario of scenarios) {
    const others = byBaseline.get(scenario.baselineId) ?? [];
    byBaseline.set(scenario.baselineId, [...others, scenario]);
  }
  const several = byBaseline.size > 1;
  const isRamp = levelsOf(scenarios).length > 1;
  return [...byBaseline].map(([baselineId, own]) => {
    const tail = sharedTail(own);
    return {
      baselineId,
      ...(several ? driverAndRegime(isRamp ? tail.slice(0, -1) : tail) : { driver: null, regime: null }),
      connections: isRamp ? (own[0]?.connections ?? null) : null,
      scenarios: own,
    };
  });
}

/** The comparison that a scenario belongs to. */
export function comparisonOf(analysis: Pick<Analysis, 'scenarios'>, scenarioId: string): Comparison {
  const found = comparisonsOf(analysis).find(({ scenarios }) =>
    scenarios.some(({ id }) => id === scenarioId),
  );
  return found ?? { baselineId: scenarioId, regime: null, driver: null, connections: null, scenarios: [] };
}

/**
 * "in the regime “In memory” with the driver sysbench, with 8 connections"; undefined where all is compared with one
 * baseline.
 */
export function whereText({ regime, driver, connections }: Part, t: Translate): string | undefined {
  const where = setupText({ regime, driver }, t);
  if (connections === null) return where;
  const level = t('report:where.connections', { count: connections });
  return where === undefined ? level : t('report:where.withConnections', { where, level });
}

function setupText({ regime, driver }: Omit<Part, 'connections'>, t: Translate): string | undefined {
  if (regime !== null && driver !== null) return t('report:where.both', { regime, driver });
  if (regime !== null) return t('report:where.regime', { regime });
  return driver === null ? undefined : t('report:where.driver', { driver });
}

/** A scenario's name where its regime, its driver and its level have been said already. */
export function nameWithin({ regime, driver, connections }: Part, name: string): string {
  const level = connections === null ? null : levelNameIn(name, connections);
  const tail = [driver, regime, level].flatMap((part) => (part === null ? [] : [`, ${part}`])).join('');
  const again = AGAIN.exec(name)?.[0] ?? '';
  const own = name.slice(0, name.length - again.length);
  return tail !== '' && own.endsWith(tail) ? own.slice(0, -tail.length) + again : name;
}

function driverAndRegime(parts: string[]): Omit<Part, 'connections'> {
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
