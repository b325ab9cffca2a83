import { LANGUAGES, type Language } from '../model/language.ts';
import { createTranslator } from './i18n.ts';

/** What names end with at a level: "4 connections"; English, as the core names, unless a plan was translated. */
export function levelName(connections: number, language: Language = 'en'): string {
  return createTranslator(language)('report:provenance.connections', { count: connections });
}

/** The level as a name says it, in whatever language that is. */
export function levelNameIn(name: string, connections: number): string {
  const said = LANGUAGES.map((language) => levelName(connections, language));
  return said.find((level) => name.includes(`, ${level}`)) ?? levelName(connections);
}
