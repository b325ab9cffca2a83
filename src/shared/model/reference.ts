import * as z from 'zod';

/** A published experiment, `assets/reference/<id>.json`. */
export const referenceFileSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  url: z.string().nullable(),
  /** Year, month, or day. */
  date: z.string(),
  hardware: z.string(),
  software: z.string(),
  workload: z.string(),
  cells: z
    .array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        tps: z.number().positive(),
        /** Id of the experiment's own baseline. */
        baseline: z.string(),
      }),
    )
    .min(1),
});
export type ReferenceFile = z.infer<typeof referenceFileSchema>;

export const planReferenceSchema = z.object({
  ...referenceFileSchema.omit({ cells: true }).shape,
  cells: z.array(
    z.object({
      scenarioId: z.string(),
      label: z.string(),
      tps: z.number(),
      /** To the experiment's own baseline. */
      ratio: z.number(),
    }),
  ),
});
export type PlanReference = z.infer<typeof planReferenceSchema>;
