import { createTranslator, type TextKey, type TextParams, type Translate } from '../shared/i18n.ts';
import { settings } from './state/settings.svelte.ts';

/**
 * The translator for the words that the window shares with reports: verdicts, headline, provenance. It speaks the
 * language of the settings, and whatever shows its words changes with it.
 */
export const translate: Translate = Object.defineProperty(
  (key: TextKey, params: TextParams = {}): string => createTranslator(settings.language)(key, params),
  'language',
  { get: () => settings.language },
) as Translate;

export type UiKey = TextKey extends infer K ? (K extends `ui:${infer Path}` ? Path : never) : never;

/** The window's own words. */
export function t(key: UiKey, params: TextParams = {}): string {
  return translate(`ui:${key}`, params);
}
