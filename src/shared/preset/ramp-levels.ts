import { createTranslator, LANGUAGES, type Language } from '../words/i18n.ts';
import type { Scenario } from '../model/plan.ts';

/** Names of the levels of a ramp: what a scenario's id and its name end with. */

/** The id of a scenario at a level of a ramp: `named-volume.container-ip.c4`. */
export function withLevel(id: string, connections: number): string {
  return `${id}.c${connections}`;
}

/** The id of a scenario of a ramp without its level; undefined when it is of another level. */
export function withoutLevel(id: string, connections: number): string | undefined {
  const tail = `.c${connections}`;
  return id.endsWith(tail) ? id.slice(0, -tail.length) : undefined;
}

/** What names end with at a level: "4 connections"; English, as the core names, unless a plan was translated. */
export function levelName(connections: number, language: Language = 'en'): string {
  return createTranslator(language)('report:provenance.connections', { count: connections });
}

/** The level as a name says it, in whatever language that is. */
export function levelNameIn(name: string, connections: number): string {
  const said = LANGUAGES.map((language) => levelName(connections, language));
  return said.find((level) => name.includes(`, ${level}`)) ?? levelName(connections);
}

/** The numbers of connections that scenarios run with, rising: several in a ramp, else one. */
export function levelsOf(scenarios: readonly Pick<Scenario, 'connections'>[]): number[] {
  return [...new Set(scenarios.map(({ connections }) => connections))].sort((a, b) => a - b);
}
