import { readJournal } from '../../tests/helpers/journals.ts';
import { RunStore } from '../../src/benchmark/store/run-store.ts';
import { windowCount } from '../../src/benchmark/load/builtin/counts.ts';
import type { RunEvent } from '../../src/shared/model/events.ts';

/** The measured windows of a run, counted at every place that they come to. */
export interface WindowCounts {
  trials: number;
  /** Windows in the seconds of the trials, warm-up left out. */
  promised: number;
  journal: number;
  result: number;
  /** Windows that came to the page while they were measured. */
  arrived: number;
  /** Trials that failed or were not measured: they promise nothing. */
  failed: string[];
  /** Problems, in words. */
  problems: string[];
  /** How long a window is in the journal, bytes: what a run has measured stays in memory, too. */
  bytesPerWindow: number;
}

/** Reads everything that a finished run has left on disk. */
export async function countWindows(
  home: string,
  runId: string,
  arrived: Record<string, number>,
): Promise<WindowCounts> {
  const store = new RunStore(home);
  const path = store.journalPath(runId);
  const journal = await readJournal(path);
  if (journal === undefined) throw new Error(`${path} is no journal`);
  const state = await store.load(runId);
  const counts: WindowCounts = {
    ...{ trials: 0, promised: 0, journal: 0, result: 0 },
    ...{ arrived: 0, failed: [], problems: [] },
    bytesPerWindow: meanBytes(journal.events),
  };
  if (journal.torn) counts.problems.push('the journal is torn');
  for (const trial of state.trials) {
    if (trial.status !== 'measured') {
      if (trial.status === 'failed') counts.failed.push(`${trial.id}: ${trial.error?.code ?? 'unknown'}`);
      continue;
    }
    const { durationSeconds } = state.plan.schedule;
    const promised = windowCount(durationSeconds * 1000);
    const written = journal.events.flatMap((event) =>
      event.type === 'window' && event.trialId === trial.id && event.window.phase === 'measure'
        ? [event.window.index]
        : [],
    );
    const measured = trial.windows.filter(({ phase }) => phase === 'measure');
    const came = arrived[trial.id] ?? 0;
    counts.trials += 1;
    counts.promised += promised;
    counts.journal += written.length;
    counts.result += measured.length;
    counts.arrived += came;
    const all = [written.length, measured.length, came];
    if (all.some((count) => count !== promised)) {
      counts.problems.push(`${trial.id}: ${promised} promised, ${all.join(', ')} found`);
    }
    if (written.some((index, position) => index !== position)) {
      counts.problems.push(`${trial.id}: windows are not in their order`);
    }
  }
  return counts;
}

function meanBytes(events: readonly RunEvent[]): number {
  const windows = events.filter(({ type }) => type === 'window');
  return windows.reduce((sum, event) => sum + JSON.stringify(event).length, 0) / Math.max(1, windows.length);
}
