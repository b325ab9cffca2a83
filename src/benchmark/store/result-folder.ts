import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { NamedRun } from '../../shared/words/compare-wording.ts';
import { readResultFile } from './read-result.ts';

const RESULT = /\.(whalemark|json)(\.gz)?$/i;
/** Whalemark's own names of results. */
const OURS = /^result$|-\d{8}-\d{4}$/;

export interface FoundResult extends NamedRun {
  source: string;
}

export interface ResultFolder {
  results: FoundResult[];
  unread: string[];
}

/** Ordered by name. Rejects with RESULT_UNREADABLE if there is none. */
export async function readResultFolder(path: string): Promise<ResultFolder> {
  const files = (await readdir(path, { withFileTypes: true })).filter(
    (one) => one.isFile() && RESULT.test(one.name),
  );
  const names = files.map(({ name }) => name).sort();
  const folder: ResultFolder = { results: [], unread: [] };
  // Each result may take hundreds of megabytes.
  for (const name of names) {
    const source = join(path, name);
    const run = await readResultFile(source, name).catch(() => undefined);
    if (run === undefined) folder.unread.push(name);
    else folder.results.push(foundResult(source, run));
  }
  if (folder.results.length > 0) return folder;
  throw new BenchmarkError('RESULT_UNREADABLE', {
    name: basename(path),
    reason: 'the folder has no results',
  });
}

/** Only charts need samples of each second. */
export function foundResult(source: string, run: RunState): FoundResult {
  const stem = basename(source).replace(RESULT, '');
  return {
    source,
    name: OURS.test(stem) || stem === run.runId ? null : stem,
    run: { ...run, trials: run.trials.map((trial) => ({ ...trial, windows: [] })) },
  };
}
