import * as z from 'zod';
import { OUTCOMES } from './events.ts';
import { DEPENDS_ON, FACTORS } from './factors.ts';
import { VERDICTS } from './names.ts';
import { scenarioLabelSchema } from './plan.ts';
import { kindsOf } from '../kinds/kind.ts';
import { momentSchema } from './moment.ts';
import { passportSchema } from './passport.ts';
import { TASKS } from './task.ts';

export const MOST = { title: 200, note: 10_000 } as const;

export const annotationsSchema = z.object({
  title: z.string().trim().min(1).max(MOST.title).nullable().default(null),
  note: z.string().max(MOST.note).default(''),
  shared: z.boolean().default(false),
});
export type Annotations = z.infer<typeof annotationsSchema>;

export const NO_ANNOTATIONS: Annotations = annotationsSchema.parse({});

const ratioSchema = z.object({
  value: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  standardError: z.number().nullable(),
  degrees: z.number(),
  confidence: z.number(),
  samples: z.number().int(),
  pairedRounds: z.number().int(),
});

const tookSchema = z.object({ isStart: z.boolean(), us: z.number(), referenceUs: z.number() });
export type Took = z.infer<typeof tookSchema>;

const findingSchema = z.object({
  kind: z.enum(['difference', 'same', 'inconclusive']),
  factor: z.enum(FACTORS).nullable(),
  of: scenarioLabelSchema,
  against: scenarioLabelSchema,
  ratio: ratioSchema,
  /** Half-width of no meaningful difference. */
  equivalence: z.number().default(0.05),
  unsafe: z.boolean(),
  /** The task, if its engines or servers have names. */
  job: z.enum(kindsOf(TASKS)).nullable().default(null),
  at: z.array(
    z.object({
      on: z.enum(DEPENDS_ON),
      of: scenarioLabelSchema,
      ratio: ratioSchema,
      verdict: z.enum(VERDICTS),
    }),
  ),
  /** The most by which two choices can differ (null: unknown), and choices without a bound. */
  apart: z
    .object({ bound: z.number().nullable(), without: z.array(scenarioLabelSchema) })
    .nullable()
    .default(null),
  took: tookSchema.nullable().default(null),
});
export type Finding = z.infer<typeof findingSchema>;

export const runHeadlineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('findings'), findings: z.array(findingSchema) }),
  z.object({
    kind: z.enum(['nothing-measured', 'no-baseline', 'all-same', 'inconclusive', 'onlyBaselines']),
  }),
  z.object({
    kind: z.literal('onlyBaseline'),
    tps: z.number().nullable(),
    isTask: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal('difference'),
    verdict: z.enum(['slower', 'faster']),
    scenario: scenarioLabelSchema,
    baseline: scenarioLabelSchema,
    said: scenarioLabelSchema.pick({ server: true, loadGenerator: true, connections: true }),
    ratio: ratioSchema,
  }),
]);
export type RunHeadline = z.infer<typeof runHeadlineSchema>;

export const recentRunSchema = z.object({
  runId: z.string(),
  name: z.string(),
  startedAt: momentSchema,
  outcome: z.enum(OUTCOMES),
  scenarios: z.number().int(),
  failed: z.number().int(),
  headline: runHeadlineSchema,
  machine: passportSchema.shape.runtime
    .pick({ name: true, vm: true, rootless: true, cpus: true, memoryBytes: true })
    // Entries of earlier versions lack these and `host`.
    .extend(
      passportSchema.shape.runtime.pick({ kind: true, engineVersion: true, kernel: true }).partial().shape,
    ),
  host: passportSchema.shape.host.pick({ platform: true, release: true }).optional(),
  servers: z.array(z.string()),
});
export type RecentRun = z.infer<typeof recentRunSchema>;

export const historyEntrySchema = recentRunSchema.extend({ annotations: annotationsSchema });
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** `next` is null on the last page. */
export const historyPageSchema = z.object({
  entries: z.array(historyEntrySchema),
  next: z.string().nullable(),
});
export type HistoryPage = z.infer<typeof historyPageSchema>;
