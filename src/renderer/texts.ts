import { createTranslator, type TextKey, type TextParams } from '../shared/i18n.ts';

/** The translator for the words that the window shares with reports: verdicts, headline, provenance. */
export const translate = createTranslator('en');

export type UiKey = TextKey extends infer K ? (K extends `ui:${infer Path}` ? Path : never) : never;

/** The window's own words. */
export function t(key: UiKey, params: TextParams = {}): string {
  return translate(`ui:${key}`, params);
}
