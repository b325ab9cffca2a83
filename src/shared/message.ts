import * as z from 'zod';
import texts from './locales/en/messages.json' with { type: 'json' };

/** Dotted paths in a locale file; plural forms are one key. */
export type PathTo<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutPlural<K> : `${K}.${PathTo<T[K]>}`;
}[keyof T & string];
type WithoutPlural<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K;

export type MessageCode = PathTo<typeof texts>;

export interface Message {
  code: string;
  params: Record<string, string | number | Message>;
  /** English, for scripts and for versions without the code. */
  text: string;
}

export const messageSchema: z.ZodType<Message> = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.lazy(() => messageSchema)])),
  text: z.string(),
});

export type Said = Message | string;
export const saidSchema = z.union([messageSchema, z.string()]);

/** `count` chooses the plural form. */
export function msg(code: MessageCode, params: Message['params'] = {}): Message {
  const form = params['count'] === 1 ? 'one' : 'other';
  const text = templateOf(code) ?? templateOf(`${code}_${form}`) ?? code;
  return { code, params, text: fill(text, params) };
}

export function listOf([first, ...rest]: readonly Said[], code: MessageCode = 'list.items'): Said {
  if (first === undefined) return '';
  return rest.length === 0 ? first : msg(code, { first, rest: listOf(rest, code) });
}

export function fill(template: string, params: Message['params']): string {
  const filled = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    return withMarkedStop(typeof value === 'object' ? value.text : String(value));
  });
  return withoutDoubleStop(filled);
}

const END = '\u{F8FF}';

/** `withoutDoubleStop` removes the mark. */
export function withMarkedStop(value: string): string {
  return value.replace(/(?<![.。])[.。]$/, `$&${END}`);
}

/** All marks go, and the stop of an embedded sentence before the text's own. */
export function withoutDoubleStop(text: string): string {
  return text.replace(/[.。]\u{F8FF}+(?=[.。](?![.。]))/gu, '').replaceAll(END, '');
}

export function englishOf(said: Said): string {
  return typeof said === 'string' ? said : said.text;
}

export function isKnownCode(code: string): code is MessageCode {
  return templateOf(code) !== undefined || templateOf(`${code}_other`) !== undefined;
}

function templateOf(code: string): string | undefined {
  let at: unknown = texts;
  for (const key of code.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return typeof at === 'string' ? at : undefined;
}

function mapMessage(message: Message, change: (text: string) => string): Message {
  const params = Object.entries(message.params).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : mapSaid(value, change),
  ]);
  return { ...message, params: Object.fromEntries(params) as Message['params'], text: change(message.text) };
}

export function mapSaid<S extends Said>(said: S, change: (text: string) => string): S;
export function mapSaid(said: Said, change: (text: string) => string): Said {
  return typeof said === 'string' ? change(said) : mapMessage(said, change);
}
