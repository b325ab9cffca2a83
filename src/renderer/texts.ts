import type { ErrorData } from '../shared/errors.ts';
import { createTranslator, type TextKey, type TextParams, type Translate } from '../shared/words/i18n.ts';
import { errorText, spoken } from '../shared/words/spoken.ts';
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

/** What the core said in English. */
export function say(text: string): string {
  return spoken(text, settings.language);
}

export function sayError(error: ErrorData): ReturnType<typeof errorText> {
  return errorText(error, translate);
}

export function listed(items: readonly string[]): string {
  return items.join(translate('report:list.items'));
}

export type UiKey = TextKey extends infer K ? (K extends `ui:${infer Path}` ? Path : never) : never;

export function t(key: UiKey, params: TextParams = {}): string {
  return translate(`ui:${key}`, params);
}
