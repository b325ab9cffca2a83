import * as z from 'zod';
import { scenarioLabelSchema } from './plan.ts';
import { momentSchema } from './moment.ts';
import { passportSchema } from './passport.ts';

/** How long a title and a note may be. */
export const MOST = { title: 200, note: 10_000 } as const;

/** What people write beside a result; the result itself is never changed by it. */
export const annotationsSchema = z.object({
  /** In place of the name that it came with; null: that name. */
  title: z.string().trim().min(1).max(MOST.title).nullable().default(null),
  note: z.string().max(MOST.note).default(''),
  /** True for somebody else's result that was opened from a file and kept. */
  shared: z.boolean().default(false),
});
export type Annotations = z.infer<typeof annotationsSchema>;

export const NO_ANNOTATIONS: Annotations = annotationsSchema.parse({});

/**
 * What a run comes to, for lists that don't hold the run itself: data without words, so that whoever shows it makes the
 * sentence in his language (`runHeadlineText`).
 */
export const runHeadlineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['nothing-measured', 'no-baseline', 'all-same', 'unsettled', 'onlyBaselines']) }),
  /** Nothing was measured beside the one baseline; `tps` is what it reached. */
  z.object({ kind: z.literal('onlyBaseline'), tps: z.number().nullable() }),
  z.object({
    kind: z.literal('difference'),
    verdict: z.enum(['slower', 'faster']),
    scenario: scenarioLabelSchema,
    baseline: scenarioLabelSchema,
    /** What sets their comparison apart from the others of the run. */
    said: scenarioLabelSchema.pick({ driver: true, regime: true, connections: true }),
    /** See `RatioEstimate` in analysis.ts. */
    ratio: z.object({
      value: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      standardError: z.number().nullable(),
      confidence: z.number(),
      pairedRounds: z.number().int(),
    }),
  }),
]);
export type RunHeadline = z.infer<typeof runHeadlineSchema>;

/** A finished run in a list. */
export const recentRunSchema = z.object({
  runId: z.string(),
  name: z.string(),
  startedAt: momentSchema,
  outcome: z.enum(['completed', 'stopped', 'failed']),
  scenarios: z.number().int(),
  /** What it came to; `runHeadlineText` makes the sentence. */
  headline: runHeadlineSchema,
  /** What a line about the machine says. */
  machine: passportSchema.shape.runtime.pick({
    name: true,
    vm: true,
    rootless: true,
    cpus: true,
    memoryBytes: true,
  }),
  /** Its servers and their images, each as text that is the same in every language. */
  servers: z.array(z.string()),
});
export type RecentRun = z.infer<typeof recentRunSchema>;

/** An imported measurement in a list. */
const recentImportSchema = z.object({
  importId: z.string(),
  name: z.string(),
  importedAt: momentSchema,
  /** How many runs of sysbench it holds. */
  runs: z.number().int(),
});

export const recentEntrySchema = z.discriminatedUnion('kind', [
  recentRunSchema.extend({ kind: z.literal('run') }),
  recentImportSchema.extend({ kind: z.literal('import') }),
]);
export type RecentEntry = z.infer<typeof recentEntrySchema>;

const annotated = { annotations: annotationsSchema };

/** The same as the history shows it: with what the user wrote about it. */
export const historyEntrySchema = z.discriminatedUnion('kind', [
  recentRunSchema.extend({ kind: z.literal('run'), ...annotated }),
  recentImportSchema.extend({ kind: z.literal('import'), ...annotated }),
]);
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** The id of a run or an import. */
export function entryId(entry: RecentEntry): string {
  return entry.kind === 'run' ? entry.runId : entry.importId;
}

/** When it was measured or imported. */
export function entryTime(entry: RecentEntry): number {
  return entry.kind === 'run' ? entry.startedAt : entry.importedAt;
}
