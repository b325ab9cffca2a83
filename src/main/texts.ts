import { createTranslator, type TextKey, type TextParams } from '../shared/words/i18n.ts';
import type { Language } from '../shared/model/settings.ts';

let translate = createTranslator('en');

type UiKey = TextKey extends infer K ? (K extends `ui:${infer Path}` ? Path : never) : never;

/** Words of menu, dialogs and notifications. */
export function t(key: UiKey, params: TextParams = {}): string {
  return translate(`ui:${key}`, params);
}

/** The language of the next words; what stands already has to be made again. */
export function speak(language: Language): void {
  translate = createTranslator(language);
}
