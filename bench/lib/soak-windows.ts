import { readJournal } from '../../tests/helpers/journals.ts';
import { RunStore } from '../../src/benchmark/store/run-store.ts';
import { windowCount } from '../../src/benchmark/load/builtin/counts.ts';

/**
 * Trials of a finished run that failed, or whose measured windows aren't all in the journal, in the result, and in what came to the
 * page. Empty when all is well.
 *
 * @param arrived windows that came to the page, by trial
 */
export async function lostWindows(
  home: string,
  runId: string,
  arrived: Record<string, number>,
): Promise<string[]> {
  const store = new RunStore(home);
  const path = store.journalPath(runId);
  const journal = await readJournal(path);
  if (journal === undefined) throw new Error(`${path} is no journal`);
  const { trials, plan } = await store.load(runId);
  const promised = windowCount(plan.schedule.durationSeconds * 1000);
  const problems = trials.flatMap((trial) => {
    if (trial.status === 'failed') return [`${trial.id}: ${trial.error?.code ?? 'unknown'}`];
    if (trial.status !== 'measured') return [];
    const written = journal.events.flatMap((event) =>
      event.type === 'window' && event.trialId === trial.id && event.window.phase === 'measure'
        ? [event.window.index]
        : [],
    );
    const measured = trial.windows.filter(({ phase }) => phase === 'measure');
    const all = [written.length, measured.length, arrived[trial.id] ?? 0];
    return [
      ...(all.some((count) => count !== promised)
        ? [`${trial.id}: ${promised} windows promised, ${all.join(', ')} found`]
        : []),
      ...(written.some((index, position) => index !== position)
        ? [`${trial.id}: windows are not in their order`]
        : []),
    ];
  });
  return journal.torn ? ['the journal is torn', ...problems] : problems;
}
