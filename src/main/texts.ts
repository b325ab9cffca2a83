import type { Message } from '../shared/message.ts';
import { createTranslator, messageText, type TextKey, type TextParams } from '../shared/words/i18n.ts';
import type { Language } from '../shared/model/settings.ts';

let translate = createTranslator('en');

type UiKey = TextKey extends infer K ? (K extends `ui:${infer Path}` ? Path : never) : never;

export function t(key: UiKey, params: TextParams = {}): string {
  return translate(`ui:${key}`, params);
}

export function say(message: Message): string {
  return messageText(message, translate);
}

export function speak(language: Language): void {
  translate = createTranslator(language);
}
