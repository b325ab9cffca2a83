import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { serializeResult } from '../../src/benchmark/store/result-file.ts';
import type { RunState } from '../../src/shared/model/run-state.ts';

/** Puts a result into a data folder as one that was kept; returns its path. */
export async function storeResult(home: string, state: RunState): Promise<string> {
  const path = join(home, 'runs', state.runId, 'result.json');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, serializeResult(state));
  return path;
}
