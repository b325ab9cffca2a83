import { isContainerStorage } from '../kinds/storages.ts';
import type { Scenario } from './plan.ts';

export const FACTORS = ['engine', 'storage', 'path', 'server', 'loadGenerator'] as const;
export type Factor = (typeof FACTORS)[number];
export const DEPENDS_ON = [...FACTORS, 'connections'] as const;
export type DependsOn = (typeof DEPENDS_ON)[number];

export type Leveled = Pick<
  Scenario,
  'engine' | 'storageId' | 'path' | 'server' | 'loadGenerator' | 'connections'
>;

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

/** Keys of an A/A repeat and its baseline differ. */
export function keyWithout(
  scenario: Leveled & { isAaRepeat?: boolean },
  ...factors: readonly DependsOn[]
): string {
  const others = DEPENDS_ON.filter((one) => !factors.includes(one));
  return JSON.stringify([scenario.isAaRepeat ?? false, ...others.map((one) => levelOf(scenario, one))]);
}

/** The given scenario, or the first in a container if that is in none. */
export function referenceOf<S extends Pick<Scenario, 'id' | 'storage'>>(
  scenarios: readonly S[],
  referenceId: string,
): S | undefined {
  const wanted = scenarios.find(({ id }) => id === referenceId);
  if (wanted !== undefined && isContainerStorage(wanted.storage.kind)) return wanted;
  return scenarios.find(({ storage }) => isContainerStorage(storage.kind)) ?? wanted;
}
