import { isDeepStrictEqual } from 'node:util';
import { outcomeOf } from './checks.ts';
import type { FaultEngine } from './engine.ts';
import { whalemark } from './program.ts';

const DEADLINE_MS = 180_000;

/**
 * Continues a run with `whalemark continue` until all its trials are measured, and checks that what had been measured before
 * is as it was.
 */
export async function continueRun(
  engine: FaultEngine,
  place: { dataDir: string; datasets: string },
  runId: string,
  before: ReadonlyMap<string, unknown>,
): Promise<{ measured: number | null; problems: string[] }> {
  const end = await whalemark(engine, ['continue', runId, '--json'], { ...place, deadlineMs: DEADLINE_MS })
    .ended;
  const told = await outcomeOf(place.dataDir, runId);
  const problems: string[] = [];
  if (end.hung) problems.push('continuing it did not end');
  if (told === undefined) return { measured: null, problems: ['there is no result after it was continued'] };
  for (const [id, totals] of before) {
    if (!isDeepStrictEqual(told.measured.get(id), totals))
      problems.push(`the numbers of ${id} changed when it was continued`);
  }
  if (told.measured.size !== told.planned) {
    const reason = end.stderr.slice(-800);
    problems.push(
      `continued (exit code ${end.exitCode}), ${told.measured.size} of ${told.planned} trials are measured: ${reason}`,
    );
  }
  return { measured: told.measured.size, problems };
}
