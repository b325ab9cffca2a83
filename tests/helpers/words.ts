import type { Language } from '../../src/shared/model/settings.ts';
import { createTranslator, type TextKey, type TextParams } from '../../src/shared/words/i18n.ts';
import ui from '../../src/shared/locales/en/ui.json' with { type: 'json' };
import zhUi from '../../src/shared/locales/zh-CN/ui.json' with { type: 'json' };
import { givenText } from '../../src/shared/words/labels.ts';

/** Key of a text of the window, without its namespace. */
export type UiKey = TextKey extends infer K ? (K extends `ui:${infer Path}` ? Path : never) : never;

const MESSAGES: Record<Language, object> = { en: ui, 'zh-CN': zhUi };

/** The window's text for a key. */
export function t(key: UiKey, params: TextParams = {}, language: Language = 'en'): string {
  const text = createTranslator(language)(`ui:${key}`, params);
  // i18next leaves what it is not given as it is, and a test would look for it in vain.
  if (text.includes('{{')) throw new Error(`${key} needs more values: ${text}`);
  return text;
}

/** A name in a built-in preset, as the window says it in a language. */
export function say(english: string, language: Language): string {
  return givenText(english, language);
}

/** Finds what the window says for a key in a text; placeholders without a value are anything, plurals either form. */
export function pattern(key: UiKey, params: TextParams = {}, language: Language = 'en'): RegExp {
  const forms = ['', '_one', '_other'].flatMap(
    (form) => messageAt(MESSAGES[language], `${key}${form}`) ?? [],
  );
  if (forms.length === 0) throw new Error(`no message ${key}`);
  return new RegExp(forms.map((form) => asPattern(form, params)).join('|'));
}

function messageAt(messages: object, key: string): string | undefined {
  let at: unknown = messages;
  for (const part of key.split('.')) at = (at as Record<string, unknown> | undefined)?.[part];
  return typeof at === 'string' ? at : undefined;
}

function asPattern(message: string, params: TextParams): string {
  return message
    .split(/\{\{(\w+)\}\}/)
    .map((part, index) => {
      if (index % 2 === 0) return escaped(part);
      return part in params ? escaped(String(params[part])) : '.+?';
    })
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
