import { createInstance } from 'i18next';
import report from './locales/en/report.json' with { type: 'json' };
import ui from './locales/en/ui.json' with { type: 'json' };

/** Languages that the texts exist in. English is the reference: its files define the keys. */
export const LANGUAGES = ['en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Dotted paths to the texts of a locale file; the forms of a plural (`rounds_one`, `rounds_other`) are one key. */
type PathTo<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutPlural<K> : `${K}.${PathTo<T[K]>}`;
}[keyof T & string];
type WithoutPlural<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K;

/** Every text there is, with its namespace: a key that does not exist does not compile. */
export type TextKey = `report:${PathTo<typeof report>}` | `ui:${PathTo<typeof ui>}`;

/** Values for the `{{placeholders}}` of a text; `count` chooses the plural form. */
export type TextParams = Readonly<Record<string, string | number>>;

/** The text of a key in one language. */
export interface Translate {
  (key: TextKey, params?: TextParams): string;
  /** BCP 47 tag, for number and date formats. */
  readonly language: Language;
}

const RESOURCES = { en: { report, ui } } satisfies Record<Language, object>;
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
    ns: ['report', 'ui'],
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  const translate = (key: TextKey, params: TextParams = {}): string => instance.t(key, params);
  const translator = Object.assign(translate, { language });
  translators.set(language, translator);
  return translator;
}
