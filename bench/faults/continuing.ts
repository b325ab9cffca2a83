import { isDeepStrictEqual } from 'node:util';
import { checkManners, codesIn, outcomeOf } from './checks.ts';
import type { FaultEngine } from './engine.ts';
import { whalemark, type Launch, type Place } from './program.ts';

const DEADLINE_MS = 180_000;

/**
 * Continues a run with `whalemark resume` until all its trials are measured, and checks that what it keeps is as it was.
 * `isRefused`: it has to say that the run can't be resumed, and measure nothing.
 */
export async function continueRun(
  engine: FaultEngine,
  place: Place & { launch?: Launch | undefined },
  runId: string,
  before: ReadonlyMap<string, unknown>,
  isRefused = false,
): Promise<{ measured: number | null; problems: string[] }> {
  const end = await whalemark(engine, ['resume', runId, '--json'], { ...place, deadlineMs: DEADLINE_MS })
    .ended;
  const told = await outcomeOf(place.dataDir, runId);
  const problems: string[] = [];
  problems.push(...checkManners(end));
  if (told === undefined) return { measured: null, problems: ['there is no result after it was continued'] };
  for (const [id, totals] of before) {
    if (!isDeepStrictEqual(told.measured.get(id), totals))
      problems.push(`the numbers of ${id} changed when it was continued`);
  }
  if (isRefused) {
    if (!codesIn(end.stderr).includes('RUN_NOT_RESUMABLE')) problems.push(`not refused: ${end.stderr}`);
    return { measured: told.measured.size, problems };
  }
  if (told.measured.size !== told.planned) {
    const reason = end.stderr.slice(-800);
    problems.push(
      `continued (exit code ${end.exitCode}), ${told.measured.size} of ${told.planned} trials are measured: ${reason}`,
    );
  }
  return { measured: told.measured.size, problems };
}
