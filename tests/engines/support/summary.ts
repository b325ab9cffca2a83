import * as z from 'zod';

/** Output of a run with `--json`, as far as these tests look at it. */
export const summarySchema = z.object({
  scenarios: z.array(
    z.object({ id: z.string(), tps: z.number().nullable(), measured: z.number(), failed: z.number() }),
  ),
  errors: z.array(z.object({ trial: z.string(), code: z.string() })),
  warnings: z.array(z.object({ code: z.string() })),
});

/** Each scenario with its measured and failed trials. */
export const trialsOf = ({ scenarios }: z.infer<typeof summarySchema>): Record<string, [number, number]> =>
  Object.fromEntries(scenarios.map(({ id, measured, failed }) => [id, [measured, failed]]));
