import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

export const RESULTS_FILE = 'docs/dev/reliability-results.json';

/** The result of a fault in a phase. */
export const cellResultSchema = z.object({
  fault: z.string(),
  phase: z.string(),
  /**
   * `no effect`: it struck, all was measured without a word, and that is what was declared; `none`: there is no such fault
   * in this phase; `impossible`: it can't be done on this machine.
   */
  status: z.enum(['passed', 'no effect', 'failed', 'none', 'impossible']),
  /** How the run ended, before anything was continued; null where its process ended before it could. */
  outcome: z.enum(['completed', 'stopped', 'failed']).nullable(),
  /** Codes of errors and remarks that the fault led to. */
  codes: z.array(z.string()),
  /** Trials kept from the struck run, measured after resuming, and planned. */
  trials: z.object({ kept: z.number(), after: z.number().nullable(), planned: z.number() }).nullable(),
  /** Seconds from the fault to the end of the run. */
  seconds: z.number().nullable(),
  /** Broken promises, or why there is no such cell. */
  remarks: z.array(z.string()),
  date: z.string(),
  /**
   * The commit that was measured; absent in cells from before 2026-11-24. `-dirty`: with changes of the sources that
   * weren't committed.
   */
  commit: z.string().optional(),
  engine: z.string(),
});
export type CellResult = z.infer<typeof cellResultSchema>;

const resultsSchema = z.object({
  format: z.literal('whalemark-reliability'),
  cells: z.array(cellResultSchema),
});
export type Results = z.infer<typeof resultsSchema>;

/** The results so far; none where there is no file. */
export function readResults(file = RESULTS_FILE): Results {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { format: 'whalemark-reliability', cells: [] };
  }
  return resultsSchema.parse(JSON.parse(text));
}

/** Replaces an earlier cell. */
export function withCell({ format, cells }: Results, cell: CellResult): Results {
  const isSame = (one: CellResult): boolean => one.fault === cell.fault && one.phase === cell.phase;
  return { format, cells: [...cells.filter((one) => !isSame(one)), cell] };
}

export function writeResults(results: Results, file = RESULTS_FILE): void {
  const cells = [...results.cells].sort((a, b) =>
    `${a.fault} ${a.phase}` < `${b.fault} ${b.phase}` ? -1 : 1,
  );
  // A line for each cell.
  const lines = cells.map((cell) => JSON.stringify(cell)).join(',\n');
  writeFileSync(file, `{"format":"${results.format}","cells":[\n${lines}\n]}\n`);
}
