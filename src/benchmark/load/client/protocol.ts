import * as z from 'zod';
import { saidSchema } from '../../../shared/message.ts';
import { errorDataSchema } from '../../../shared/errors.ts';
import { checkedTotalsSchema, windowSchema } from '../../../shared/model/measurements.ts';
import { workloadSchema } from '../../../shared/model/workload.ts';
import { jsonOf } from '../../files/json.ts';
import { checkedSchema, openSpecSchema, targetSchema, timingSchema } from '../load-client.ts';

/** Both ends come from one build. */

const id = z.number().int();

export const commandSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('open'), id, spec: openSpecSchema }),
  z.object({ type: z.literal('slice'), id, load: id, timing: timingSchema }),
  z.object({ type: z.literal('close'), id, load: id }),
  z.object({
    type: z.literal('check'),
    id,
    target: targetSchema,
    path: saidSchema,
    budgetMs: z.number(),
    times: z.number().int(),
  }),
  z.object({
    type: z.literal('prepare'),
    id,
    target: targetSchema,
    workload: workloadSchema,
    seed: z.number().int(),
  }),
  z.object({ type: z.literal('query'), id, target: targetSchema, sql: z.string() }),
  z.object({ type: z.literal('script'), id, target: targetSchema, statements: z.array(z.string()) }),
  z.object({ type: z.literal('stop'), id }),
]);
export type Command = z.infer<typeof commandSchema>;

export const answerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('opened'), id }),
  z.object({ type: z.literal('closed'), id }),
  z.object({ type: z.literal('phase'), id, phase: z.enum(['connect', 'warmup', 'measure']) }),
  z.object({ type: z.literal('window'), id, window: windowSchema }),
  z.object({ type: z.literal('progress'), id, fraction: z.number() }),
  z.object({ type: z.literal('prepared'), id }),
  z.object({
    type: z.literal('rows'),
    id,
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  }),
  z.object({ type: z.literal('scripted'), id, ms: z.number() }),
  z.object({ type: z.literal('done'), id, totals: checkedTotalsSchema }),
  z.object({ type: z.literal('checked'), id, checked: checkedSchema }),
  z.object({ type: z.literal('failed'), id, error: errorDataSchema }),
]);
export type Answer = z.infer<typeof answerSchema>;

export function toLine(message: Command | Answer): string {
  return `${JSON.stringify(message)}\n`;
}

export function parseLine<T>(schema: z.ZodType<T>, line: string): T | undefined {
  return schema.safeParse(jsonOf(line)).data;
}
