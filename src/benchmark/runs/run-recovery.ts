import { stat } from 'node:fs/promises';
import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { RunFold } from '../../shared/run/reduce.ts';
import { isOwnerAlive } from '../machine/owner.ts';
import { errnoOf } from '../errno.ts';
import { scanJournal, type ScannedJournal } from './journal.ts';

/** A run as its journal tells it. */
export interface JournalledRun {
  journal: ScannedJournal;
  /** The fold of all its events, to go on with. */
  fold: RunFold;
}

/** Reads a run's journal; undefined where there is none, or where not even its beginning can be read. */
export async function readRun(
  journalPath: string,
): Promise<(JournalledRun & { state: RunState }) | undefined> {
  const fold = new RunFold();
  const journal = await scanJournal(journalPath, (event) => fold.push(event)).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  const { state } = fold;
  return journal === undefined || state === undefined ? undefined : { journal, fold, state };
}

/**
 * Gives a run whose journal lost lines the numbers that its result still has: what is written of it next must not have
 * fewer.
 */
export async function keepNumbers(
  { journal, fold }: JournalledRun,
  result: () => Promise<RunState>,
): Promise<void> {
  if (!journal.torn) return;
  const kept = await result().catch(() => undefined);
  if (kept !== undefined) fold.keepMeasured(kept.trials);
}

/** Whether the process that wrote the journal last may still be at it. */
export function mayStillBeMeasured({ owner, isFinished }: ScannedJournal): boolean {
  return !isFinished && isOwnerAlive(owner) !== 'dead';
}

/** The run as it ended: where nobody could write its end, with the last that is known of it. */
export function endedRun({ journal, fold }: JournalledRun): RunState | undefined {
  if (fold.state?.status === 'finished') return fold.state;
  // Who presses stop twice ends the process before it could say so.
  const isStopped = fold.state?.status === 'stopping';
  return fold.push({
    type: 'run-finished',
    at: journal.lastAt ?? 0,
    outcome: isStopped ? 'stopped' : 'failed',
    error: isStopped ? null : toErrorData(new BenchmarkError('CORE_LOST')),
  });
}

/** Whether a file was changed after another one; false where one of them is not there. */
export async function isNewer(path: string, other: string): Promise<boolean> {
  try {
    const [one, two] = await Promise.all([stat(path), stat(other)]);
    return one.mtimeMs > two.mtimeMs;
  } catch {
    return false;
  }
}
