import * as z from 'zod';
import { fill, mapSaid, saidSchema, type Said, type Message } from './message.ts';
import texts from './locales/en/errors.json' with { type: 'json' };

export type ErrorCode = keyof typeof texts;
const ERROR_CODES = Object.keys(texts) as [ErrorCode, ...ErrorCode[]];
export const ERROR_PARAMS = Object.fromEntries(
  ERROR_CODES.map((code) => {
    const { message, hint } = texts[code];
    return [code, [...`${message}${hint}`.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)];
  }),
) as Record<ErrorCode, string[]>;

export function errorCodeOf(code: string): ErrorCode | undefined {
  return ERROR_CODES.find((known) => known === code);
}

export const errorDataSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  /** Log tail, attempts, and field errors behind the message. */
  evidence: z.array(saidSchema),
  params: z.record(z.string(), saidSchema),
});
export type ErrorData = z.infer<typeof errorDataSchema>;

/** Passwords in addresses, even if not percent-encoded, except Whalemark's examples. */
const PASSWORD_IN_DSN = /\b((?:mysql|mariadb):\/\/[^\s:@/]*):(?!password@)\S{1,500}@/gi;
const PASSWORD_IN_URL = /(:\/\/[^\s/:@]*):(?!password@|<password>@)[^\s/@]+@/g;

export function withoutUrlPasswords(text: string): string {
  return text.replace(PASSWORD_IN_DSN, '$1:<password>@').replace(PASSWORD_IN_URL, '$1:<password>@');
}

/** The only error that reaches users; its addresses have no passwords. */
export class BenchmarkError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly evidence: Said[];
  readonly params: Record<string, Said>;

  constructor(
    code: ErrorCode,
    params: Record<string, Said> = {},
    options: { evidence?: Said[]; cause?: unknown } = {},
  ) {
    const safe = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, mapSaid(value, withoutUrlPasswords)]),
    );
    super(
      fill(texts[code].message, safe),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'BenchmarkError';
    this.code = code;
    this.hint = fill(texts[code].hint, safe);
    this.evidence = (options.evidence ?? []).map((line) => mapSaid(line, withoutUrlPasswords));
    this.params = safe;
  }

  static fromData(data: ErrorData): BenchmarkError {
    const code = errorCodeOf(data.code);
    return code === undefined
      ? new BenchmarkError('INTERNAL', { reason: data.message }, { evidence: data.evidence })
      : new BenchmarkError(code, data.params, { evidence: data.evidence });
  }

  toData(): ErrorData {
    return {
      code: this.code,
      message: this.message,
      hint: this.hint,
      evidence: this.evidence,
      params: this.params,
    };
  }
}

export function errorMessage({ code, params, message }: ErrorData): Message {
  return { code: `error.${code}`, params, text: message };
}

export function mapError(error: ErrorData, change: (text: string) => string): ErrorData {
  const said = (one: Said): Said => mapSaid(one, change);
  return {
    ...error,
    message: change(error.message),
    hint: change(error.hint),
    evidence: error.evidence.map(said),
    params: Object.fromEntries(
      Object.entries(error.params).map(([name, value]) => [name, mapSaid(value, change)]),
    ),
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Unexpected values become `INTERNAL` with their stack as evidence. */
export function toErrorData(error: unknown): ErrorData {
  if (error instanceof BenchmarkError) return error.toData();
  const reason = messageOf(error);
  const stack =
    error instanceof Error && error.stack !== undefined ? error.stack.split('\n').slice(0, 8) : [];
  return new BenchmarkError('INTERNAL', { reason }, { evidence: stack }).toData();
}
