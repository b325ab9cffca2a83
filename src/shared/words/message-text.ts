import { ERROR_PARAMS, errorCodeOf, type ErrorData } from '../errors.ts';
import { englishOf, isKnownCode, withoutDoubleStop, type Message, type Said } from '../message.ts';
import type { Translate } from './i18n.ts';

/** Messages with unknown codes, and words of other programs, stay English. */
export function messageText(said: Said, t: Translate): string {
  if (typeof said === 'string') return said;
  const { code, params, text } = said;
  const error = /^error\.(.+)$/.exec(code)?.[1];
  if (error !== undefined) return sentenceOf(error, 'message', params, t) ?? text;
  return isKnownCode(code) ? withoutDoubleStop(t(`messages:${code}`, valuesOf(params, t))) : text;
}

export interface ErrorText {
  message: string;
  hint: string;
  evidence: string[];
}

/** Errors of other versions, which may lack values, stay English. */
export function errorText(data: ErrorData, t: Translate): ErrorText {
  const { message, hint, evidence, params } = data;
  if (t.language === 'en') return { message, hint, evidence: evidence.map(englishOf) };
  return {
    message: sentenceOf(data.code, 'message', params, t) ?? message,
    hint: hint === '' ? hint : (sentenceOf(data.code, 'hint', params, t) ?? hint),
    evidence: evidence.map((line) => messageText(line, t)),
  };
}

/** Undefined for an error of another version. */
function sentenceOf(
  errorCode: string,
  part: 'message' | 'hint',
  params: Message['params'],
  t: Translate,
): string | undefined {
  const code = errorCodeOf(errorCode);
  if (code === undefined || !ERROR_PARAMS[code].every((name) => name in params)) return undefined;
  return withoutDoubleStop(t(`errors:${code}.${part}`, valuesOf(params, t)));
}

export function valuesOf(params: Message['params'], t: Translate): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : messageText(value, t),
    ]),
  );
}
