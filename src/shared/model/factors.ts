import { isContainerStorage } from '../kinds/storages.ts';
import type { Scenario } from './plan.ts';

/** The properties in which scenarios differ. The effect of each of their levels is measured. */
export const FACTORS = ['engine', 'storage', 'path', 'server', 'loadGenerator'] as const;
export type Factor = (typeof FACTORS)[number];
/** The properties on which an effect may depend. */
export const DEPENDS_ON = [...FACTORS, 'connections'] as const;
export type DependsOn = (typeof DEPENDS_ON)[number];

export type Leveled = Pick<
  Scenario,
  'engine' | 'storageId' | 'path' | 'server' | 'loadGenerator' | 'connections'
>;

/** Levels as IDs; `levelName` has their names. */
const LEVELS: Record<DependsOn, (scenario: Leveled) => string> = {
  engine: ({ engine }) => engine,
  storage: ({ storageId }) => storageId,
  // A native server's loopback is what a container on the host's network uses.
  path: ({ path }) => (path === 'loopback' ? 'host-network' : path),
  server: ({ server }) => server ?? '',
  loadGenerator: ({ loadGenerator }) => loadGenerator,
  connections: ({ connections }) => String(connections),
};

export function levelOf(scenario: Leveled, factor: DependsOn): string {
  return LEVELS[factor](scenario);
}

/** A key that is equal for scenarios that differ only in these factors; an A/A repeat differs from its baseline. */
export function keyWithout(
  scenario: Leveled & { isAaRepeat?: boolean },
  ...factors: readonly DependsOn[]
): string {
  const others = DEPENDS_ON.filter((one) => !factors.includes(one));
  return JSON.stringify([scenario.isAaRepeat ?? false, ...others.map((one) => levelOf(scenario, one))]);
}

/** The scenario whose levels others are compared with: the given one, or the first in a container if it is in none. */
export function referenceOf<S extends Pick<Scenario, 'id' | 'storage'>>(
  scenarios: readonly S[],
  referenceId: string,
): S | undefined {
  const wanted = scenarios.find(({ id }) => id === referenceId);
  if (wanted !== undefined && isContainerStorage(wanted.storage.kind)) return wanted;
  return scenarios.find(({ storage }) => isContainerStorage(storage.kind)) ?? wanted;
}
