import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SAMPLE = join(import.meta.dirname, '../../fixtures/results/sample-result.json');

/** Names of the two runs in the history, and their ids. */
export const OURS = 'Storage on the desk';
export const OTHERS = 'On the train';
export const OUR_ID = '20260601-093000-aaaa';
export const OTHER_ID = '20260602-093000-bbbb';

interface Changes {
  name?: string;
  runtime?: string;
  startedAt?: number;
}

/** The sample run under another ID, with further changes. */
export function storedResult(runId: string, { name, runtime, startedAt }: Changes = {}): string {
  const text = readFileSync(SAMPLE, 'utf8').replaceAll('20260601-093000-a1b2', runId);
  const file = JSON.parse(text) as {
    state: {
      startedAt: number;
      plan: { preset: { name: string }; engines: [{ passport: { runtime: { name: string; vm: boolean } } }] };
    };
  };
  if (startedAt !== undefined) file.state.startedAt = startedAt;
  if (name !== undefined) file.state.plan.preset.name = name;
  if (runtime !== undefined)
    Object.assign(file.state.plan.engines[0].passport.runtime, { name: runtime, vm: true });
  return JSON.stringify(file);
}

function store(home: string, runId: string, changes: Changes): void {
  mkdirSync(join(home, 'runs', runId), { recursive: true });
  writeFileSync(join(home, 'runs', runId, 'result.json'), storedResult(runId, changes));
}

/** Two runs in a data folder, the newer one of another machine. */
export function homeWithTwo(home: string): void {
  store(home, OUR_ID, { name: OURS });
  store(home, OTHER_ID, { name: OTHERS, runtime: 'OrbStack 2.0', startedAt: Date.UTC(2026, 5, 2) });
}
