import * as z from 'zod';

/** A published experiment as `assets/reference/<id>.json` holds it. */
export const referenceFileSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** Who published it where. */
  source: z.string(),
  url: z.string().nullable(),
  /** Year, month or day, as far as it is known. */
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
        /** Id of the cell that the experiment itself compares with. */
        baseline: z.string(),
      }),
    )
    .min(1),
});
export type ReferenceFile = z.infer<typeof referenceFileSchema>;

/** The published numbers that belong to a plan's scenarios. */
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
