import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/model/events.ts';
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

/** Whether the process that wrote the journal last may still be at it. */
export function mayStillBeMeasured({ owner, isFinished }: ScannedJournal): boolean {
  return !isFinished && isOwnerAlive(owner) !== 'dead';
}

/** The end that a run's process could not write; undefined where it did. */
export function missingEnd({ journal, fold }: JournalledRun): RunEvent | undefined {
  if (journal.isFinished) return undefined;
  // Pressing stop twice ends the process before it can write the end.
  const isStopped = fold.state?.status === 'stopping';
  return {
    type: 'run-finished',
    at: journal.lastAt ?? 0,
    outcome: isStopped ? 'stopped' : 'failed',
    error: isStopped ? null : toErrorData(new BenchmarkError('CORE_LOST')),
  };
}
