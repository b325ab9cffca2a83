import type { Language } from '../model/settings.ts';
import core from './locales/zh-CN/core.json' with { type: 'json' };
import presets from './locales/zh-CN/presets.json' with { type: 'json' };

/**
 * What the core says, in the window's language. The core speaks English only: its sentences go into journals, results,
 * the terminal and errors. Here the English sentence itself is the key, as in gettext, so that a text is understood
 * wherever it comes from: in a notice, among an error's evidence, in a result that an older version wrote or somebody
 * else made. What is not known stays as it is.
 */

/** English → another language; `{{name}}` stands for what differs, `{{count}}` for a number. */
type Catalogue = Readonly<Record<string, string>>;

const CATALOGUES: Partial<Record<Language, Catalogue>> = { 'zh-CN': { ...presets, ...core } };

interface Pattern {
  pattern: RegExp;
  names: string[];
  says: string;
}

const patterns = new Map<Catalogue, Pattern[]>();

/** The same in another language; English, and what is not known, as it is. */
export function spoken(text: string, language: Language): string {
  const catalogue = CATALOGUES[language];
  return catalogue === undefined ? text : spokenFrom(catalogue, text);
}

function spokenFrom(catalogue: Catalogue, text: string): string {
  const exact = Object.hasOwn(catalogue, text) ? catalogue[text] : undefined;
  if (exact !== undefined) return exact;
  for (const { pattern, names, says } of patternsOf(catalogue)) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const values = new Map(names.map((name, index) => [name, found[index + 1] ?? '']));
    return says.replace(PLACEHOLDER, (_, name: string) => spokenFrom(catalogue, values.get(name) ?? ''));
  }
  return text;
}

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Those with the most fixed words first: they leave the least open. */
function patternsOf(catalogue: Catalogue): Pattern[] {
  const known = patterns.get(catalogue);
  if (known !== undefined) return known;
  const made = Object.entries(catalogue)
    .filter(([english]) => english.includes('{{'))
    .sort(([one], [other]) => fixedLength(other) - fixedLength(one))
    .map(([english, says]) => ({
      pattern: new RegExp(`^${english.split(PLACEHOLDER).map(asPattern).join('')}$`, 's'),
      names: [...english.matchAll(PLACEHOLDER)].map(([, name = '']) => name),
      says,
    }));
  patterns.set(catalogue, made);
  return made;
}

function fixedLength(english: string): number {
  return english.replace(PLACEHOLDER, '').length;
}

/** `split` gives fixed words and names of placeholders in turns. */
function asPattern(part: string, index: number): string {
  if (index % 2 === 1) return part === 'count' ? '([\\d.,]+)' : '(.+?)';
  return part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
