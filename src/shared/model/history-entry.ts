import * as z from 'zod';
import { annotationsSchema } from './annotations.ts';
import { momentSchema } from './moment.ts';
import { passportSchema } from './passport.ts';
import { runHeadlineSchema } from './run-headline.ts';

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
