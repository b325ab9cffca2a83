import { request } from '../api.ts';
import { attempt, showResult } from './app.svelte.ts';

class ExampleState {
  /** Of the example, once it has been opened. */
  runId = $state<string | undefined>();
}

export const example = new ExampleState();

/** Shows the result that comes with the app. */
export async function openExample(): Promise<void> {
  await attempt(async () => {
    const run = await request('results:example', {});
    example.runId = run.runId;
    showResult(run);
  });
}
