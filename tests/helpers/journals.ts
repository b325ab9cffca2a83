import { scanJournal } from '../../src/benchmark/store/journal.ts';
import type { RunEvent } from '../../src/shared/model/events.ts';
import type { RunState } from '../../src/shared/model/run-state.ts';
import { RunFold } from '../../src/shared/run/reduce.ts';

export function reduceAll(events: Iterable<RunEvent>): RunState {
  const fold = new RunFold();
  for (const event of events) fold.push(event);
  if (fold.state === undefined) throw new Error('no run-started event');
  return fold.state;
}

/** All of a journal at once; undefined if it isn't a journal. */
export async function readJournal(
  path: string,
): Promise<{ owner: string; events: RunEvent[]; torn: boolean } | undefined> {
  const events: RunEvent[] = [];
  const journal = await scanJournal(path, (event) => events.push(event));
  return journal === undefined ? undefined : { owner: journal.owner, events, torn: journal.torn };
}
