import { createTranslator, type TextKey } from '../shared/i18n.ts';

const translate = createTranslator('en');

type UiKey = TextKey extends infer K ? (K extends `ui:${infer Path}` ? Path : never) : never;

/** Words of menu and dialogs. */
export function t(key: UiKey): string {
  return translate(`ui:${key}`);
}
