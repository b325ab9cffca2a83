import type { Scenario } from './plan.ts';

/** The id of a scenario at a level of a ramp: `named-volume.container-ip.c4`. */
export function withLevel(id: string, connections: number): string {
  return `${id}.c${connections}`;
}

/** The id of a scenario of a ramp without its level; undefined when it is of another level. */
export function withoutLevel(id: string, connections: number): string | undefined {
  const tail = `.c${connections}`;
  return id.endsWith(tail) ? id.slice(0, -tail.length) : undefined;
}

/** The numbers of connections that scenarios run with, rising: several in a ramp, else one. */
export function levelsOf(scenarios: readonly Pick<Scenario, 'connections'>[]): number[] {
  return [...new Set(scenarios.map(({ connections }) => connections))].sort((a, b) => a - b);
}
