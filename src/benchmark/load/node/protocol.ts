import * as z from 'zod';
import { errorDataSchema } from '../../../shared/errors.ts';
import { totalsSchema, windowSchema } from '../../../shared/model/measurements.ts';
import { workloadSchema } from '../../../shared/model/preset.ts';

/** What the load client is told and what it tells, one JSON object a line over stdin and stdout. */

export const targetSchema = z.object({
  host: z.string(),
  port: z.number().int(),
  user: z.string(),
  password: z.string(),
  database: z.string(),
});

export const specSchema = z.object({
  target: targetSchema,
  workload: workloadSchema,
  connections: z.number().int(),
  warmupMs: z.number(),
  durationMs: z.number(),
  seed: z.number().int(),
});

const id = z.number().int();

export const commandSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), id, spec: specSchema }),
  z.object({
    type: z.literal('check'),
    id,
    target: targetSchema,
    path: z.string(),
    budgetMs: z.number(),
    times: z.number().int(),
  }),
  z.object({ type: z.literal('stop'), id }),
]);
export type Command = z.infer<typeof commandSchema>;

export const checkedSchema = z.object({ connectUs: z.number(), roundTripUs: z.number() });

export const answerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('phase'), id, phase: z.enum(['connect', 'warmup', 'measure']) }),
  z.object({ type: z.literal('window'), id, window: windowSchema }),
  z.object({ type: z.literal('done'), id, totals: totalsSchema }),
  z.object({ type: z.literal('checked'), id, checked: checkedSchema }),
  z.object({ type: z.literal('failed'), id, error: errorDataSchema }),
]);
export type ClientAnswer = z.infer<typeof answerSchema>;

/** A line as a message of the given kind; undefined for anything else. */
export function parseLine<T>(schema: z.ZodType<T>, line: string): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
