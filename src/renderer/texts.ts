import type { ErrorData } from '../shared/errors.ts';
import type { Said } from '../shared/message.ts';
import {
  createTranslator,
  errorText,
  type ErrorText,
  messageText,
  type TextKey,
  type TextParams,
  type Translate,
} from '../shared/words/i18n.ts';
import { settings } from './state/settings.svelte.ts';

export const translate: Translate = Object.defineProperty(
  (key: TextKey, params: TextParams = {}): string => createTranslator(settings.language)(key, params),
  'language',
  { get: () => settings.language },
) as Translate;

export function say(said: Said): string {
  return messageText(said, translate);
}

export function sayError(error: ErrorData): ErrorText {
  return errorText(error, translate);
}

export function listed(items: readonly string[]): string {
  return items.join(translate('report:list.items'));
}

export type UiKey = TextKey extends infer K ? (K extends `ui:${infer Path}` ? Path : never) : never;

export function t(key: UiKey, params: TextParams = {}): string {
  return translate(`ui:${key}`, params);
}
