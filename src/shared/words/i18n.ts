import { createInstance } from 'i18next';
import errors from '../locales/en/errors.json' with { type: 'json' };
import report from '../locales/en/report.json' with { type: 'json' };
import messages from '../locales/en/messages.json' with { type: 'json' };
import ui from '../locales/en/ui.json' with { type: 'json' };
import zhErrors from '../locales/zh-CN/errors.json' with { type: 'json' };
import zhMessages from '../locales/zh-CN/messages.json' with { type: 'json' };
import zhReport from '../locales/zh-CN/report.json' with { type: 'json' };
import zhUi from '../locales/zh-CN/ui.json' with { type: 'json' };
import {
  englishOf,
  isKnownCode,
  type Message,
  type MessageCode,
  type PathTo,
  type Said,
  withMarkedStop,
  withoutDoubleStop,
} from '../message.ts';
import type { Language } from '../model/settings.ts';
import { ERROR_PARAMS, errorCodeOf, type ErrorData } from '../errors.ts';

export type TextKey =
  | `report:${PathTo<typeof report>}`
  | `ui:${PathTo<typeof ui>}`
  | `messages:${MessageCode}`
  | `errors:${keyof typeof errors}.${'message' | 'hint'}`;

/** `count` chooses the plural form. */
export type TextParams = Readonly<Record<string, string | number>>;

export interface Translate {
  (key: TextKey, params?: TextParams): string;
  readonly language: Language;
}

const RESOURCES = {
  en: { errors, messages, report, ui },
  'zh-CN': { errors: zhErrors, messages: zhMessages, report: zhReport, ui: zhUi },
} satisfies Record<Language, object>;
const translators = new Map<Language, Translate>();

/** Texts are plain: escape them for HTML and SVG. */
export function createTranslator(language: Language): Translate {
  const known = translators.get(language);
  if (known !== undefined) return known;
  const instance = createInstance();
  // `init` is synchronous for bundled resources.
  void instance.init({
    lng: language,
    fallbackLng: 'en',
    resources: RESOURCES,
    ns: ['errors', 'messages', 'report', 'ui'],
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  const translate = (key: TextKey, params: TextParams = {}): string => instance.t(key, params);
  const translator = Object.assign(translate, { language });
  translators.set(language, translator);
  return translator;
}

export function chosenLanguage(choice: Language | 'system', systemLanguage: string): Language {
  if (choice !== 'system') return choice;
  // Readers of Traditional Chinese get English.
  if (/^zh\b/i.test(systemLanguage) && !/\b(hant|tw|hk|mo)\b/i.test(systemLanguage)) return 'zh-CN';
  return 'en';
}

export const ENGLISH = createTranslator('en');

/** Unknown codes and other programs' words stay English. */
export function messageText(said: Said, t: Translate): string {
  if (typeof said === 'string') return said;
  const { code, params, text } = said;
  const error = /^error\.(.+)$/.exec(code)?.[1];
  if (error !== undefined) return sentenceOf(error, 'message', params, t) ?? text;
  return isKnownCode(code) ? sentence(t, `messages:${code}`, params) : text;
}

export interface ErrorText {
  message: string;
  hint: string;
  evidence: string[];
}

/** Errors of other versions may lack values, so they stay English. */
export function errorText(data: ErrorData, t: Translate): ErrorText {
  const { message, hint, evidence, params } = data;
  if (t.language === 'en') return { message, hint, evidence: evidence.map(englishOf) };
  return {
    message: sentenceOf(data.code, 'message', params, t) ?? message,
    hint: hint === '' ? hint : (sentenceOf(data.code, 'hint', params, t) ?? hint),
    evidence: evidence.map((line) => messageText(line, t)),
  };
}

function sentenceOf(
  errorCode: string,
  part: 'message' | 'hint',
  params: Message['params'],
  t: Translate,
): string | undefined {
  const code = errorCodeOf(errorCode);
  if (code === undefined || !ERROR_PARAMS[code].every((name) => name in params)) return undefined;
  return sentence(t, `errors:${code}.${part}`, params);
}

function sentence(t: Translate, key: Parameters<Translate>[0], params: Message['params']): string {
  const values = Object.entries(valuesOf(params, t)).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : withMarkedStop(value),
  ]);
  return withoutDoubleStop(t(key, Object.fromEntries(values) as Record<string, string | number>));
}

function valuesOf(params: Message['params'], t: Translate): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : messageText(value, t),
    ]),
  );
}
