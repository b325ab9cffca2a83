import * as z from 'zod';
import { allRequests, type AnyRequestName } from '../../../../../src/shared/contract/ipc.ts';
import { SAMPLES } from './samples.ts';

/** Parameters that have to be refused, and their fault. */
export interface Wrong {
  what: string;
  params: unknown;
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  maxLength?: number;
  maxItems?: number;
}

/** Names of an object's own properties, which JSON can have as keys. */
const POISON = ['__proto__', 'constructor', 'prototype', 'toString'];
/** A value of every type. */
const OF_TYPES: Record<string, unknown> = {
  string: 'whalemark-no-such-thing',
  number: 7,
  boolean: true,
  null: null,
  object: { whalemark: 'no such thing' },
  array: [{ whalemark: 'no such thing' }],
};

/** The schema of a request's parameters as they come in. */
export function schemaOf(name: AnyRequestName): Schema {
  return z.toJSONSchema(allRequests[name].params, { io: 'input', unrepresentable: 'any' }) as Schema;
}

/** Wrong parameters for a request: each is its sample with one fault, at every place that the schema has. */
export function wrongParams(name: AnyRequestName): Wrong[] {
  const whole: Wrong[] = [undefined, null, 7, 'text', true, [], [SAMPLES[name]]].map((params) => ({
    what: `${JSON.stringify(params) ?? 'undefined'} for all`,
    params,
  }));
  return [...whole, ...faults(schemaOf(name), SAMPLES[name], '')];
}

function faults(schema: Schema, sample: unknown, at: string): Wrong[] {
  const type = typeOf(sample);
  const own = schema.anyOf?.find((one) => one.type === type) ?? schema;
  const allowed = new Set((schema.anyOf ?? [schema]).map((one) => one.type));
  if (allowed.has('integer')) allowed.add('number');
  const found: Wrong[] = Object.entries(OF_TYPES)
    .filter(([one]) => !allowed.has(one) || (one === 'string' && own.enum !== undefined))
    .map(([one, params]) => ({ what: `${one} at ${at}`, params }));
  if (type === 'number') found.push({ what: `NaN at ${at}`, params: Number.NaN });
  if (own.maxLength !== undefined) {
    found.push({ what: `too long at ${at}`, params: 'x'.repeat(own.maxLength + 1) });
  }
  if (Array.isArray(sample)) {
    const [first] = sample as unknown[];
    const items = faults(own.items ?? {}, first, `${at}[]`);
    found.push(...items.map(({ what, params }) => ({ what, params: [params] })));
    const many = Array.from({ length: (own.maxItems ?? 0) + 1 }, () => first);
    if (own.maxItems !== undefined) found.push({ what: `too many at ${at}`, params: many });
  } else if (isRecord(sample)) {
    for (const [key, value] of Object.entries(sample)) {
      const below = faults(own.properties?.[key] ?? {}, value, `${at}.${key}`);
      found.push(...below.map(({ what, params }) => ({ what, params: { ...sample, [key]: params } })));
    }
    for (const key of own.required ?? []) {
      const rest = Object.fromEntries(Object.entries(sample).filter(([one]) => one !== key));
      found.push({ what: `no ${at}.${key}`, params: rest });
    }
    for (const key of ['whalemarkExtra', ...POISON]) {
      found.push({ what: `${at}.${key} more`, params: withOwn(sample, key, { polluted: 'yes' }) });
    }
  }
  return found;
}

/** All strings and arrays that a request may have in it, with their limits. */
export function limitsOf(schema: Schema, at = ''): { at: string; limit: number | undefined }[] {
  const here =
    schema.type === 'string' && schema.enum === undefined
      ? [{ at, limit: schema.maxLength }]
      : schema.type === 'array'
        ? [{ at, limit: schema.maxItems }]
        : [];
  return [
    ...here,
    ...(schema.anyOf ?? []).flatMap((one) => limitsOf(one, at)),
    ...(schema.items === undefined ? [] : limitsOf(schema.items, `${at}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => limitsOf(one, `${at}.${key}`)),
  ];
}

/** A copy with this key, whatever its name. */
function withOwn(sample: object, key: string, value: unknown): object {
  return Object.defineProperty({ ...sample }, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeOf(value) === 'object';
}
