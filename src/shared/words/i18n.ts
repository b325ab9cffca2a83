import { createInstance } from 'i18next';
import errors from './locales/en/errors.json' with { type: 'json' };
import report from './locales/en/report.json' with { type: 'json' };
import messages from './locales/en/messages.json' with { type: 'json' };
import ui from './locales/en/ui.json' with { type: 'json' };
import zhErrors from './locales/zh-CN/errors.json' with { type: 'json' };
import zhMessages from './locales/zh-CN/messages.json' with { type: 'json' };
import zhReport from './locales/zh-CN/report.json' with { type: 'json' };
import zhUi from './locales/zh-CN/ui.json' with { type: 'json' };
import type { MessageCode, PathTo } from '../message.ts';
import type { Language } from '../model/settings.ts';

/** Every text there is, with its namespace: a key that does not exist does not compile. */
export type TextKey =
  | `report:${PathTo<typeof report>}`
  | `ui:${PathTo<typeof ui>}`
  | `messages:${MessageCode}`
  | `errors:${keyof typeof errors}.${'message' | 'hint'}`;

/** Values for the `{{placeholders}}` of a text; `count` chooses the plural form. */
export type TextParams = Readonly<Record<string, string | number>>;

/** The text of a key in one language. */
export interface Translate {
  (key: TextKey, params?: TextParams): string;
  /** BCP 47 tag, for number and date formats. */
  readonly language: Language;
}

const RESOURCES = {
  en: { errors, messages, report, ui },
  'zh-CN': { errors: zhErrors, messages: zhMessages, report: zhReport, ui: zhUi },
} satisfies Record<Language, object>;
const translators = new Map<Language, Translate>();

/** The translator of a language; made once. Texts are plain: whoever puts them into HTML or SVG escapes them. */
export function createTranslator(language: Language): Translate {
  const known = translators.get(language);
  if (known !== undefined) return known;
  const instance = createInstance();
  // Everything is at hand, so that this finishes before it returns.
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

/** The language to speak: the user's choice, or the system's (a BCP 47 tag) if the texts exist in it, else English. */
export function chosenLanguage(choice: Language | 'system', systemLanguage: string): Language {
  if (choice !== 'system') return choice;
  // Traditional Chinese is another script: whoever reads that is better served by English than by ours.
  if (/^zh\b/i.test(systemLanguage) && !/\b(hant|tw|hk|mo)\b/i.test(systemLanguage)) return 'zh-CN';
  return 'en';
}

/** For logs, files, and the terminal. */
export const ENGLISH = createTranslator('en');
