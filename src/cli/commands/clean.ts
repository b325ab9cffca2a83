import { datasetCache } from '../../benchmark/servers/dataset/dataset-cache.ts';
import { findLeftovers, removeLeftovers } from '../../benchmark/run/leftovers.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Leftover } from '../../shared/model/leftovers.ts';
import { formatBytes } from '../../shared/units.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { dataText } from '../../shared/words/provenance.ts';
import { EXIT, usage } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { findRuntime, leftoverLine, undecidedLines } from '../run/runtime.ts';
import type { JsonOption } from './results.ts';
import { canAsk, confirm } from '../text/ask.ts';
import { note, print, printJson } from '../text/terminal.ts';

interface CleanOptions extends JsonOption {
  datasets?: boolean | undefined;
  all?: boolean | undefined;
  force?: boolean | undefined;
  context?: string | undefined;
}

/** `--all` also removes leftovers of processes that can't be seen from here. */
export async function clean({
  datasets: clearsDatasets,
  all,
  force,
  context,
  json,
}: CleanOptions): Promise<number> {
  if (force && !all) throw usage('--force needs --all.', 'clean');
  const runtime = await findRuntime(context);
  const cache = datasetCache(runtime, paths);
  const found = await findLeftovers(runtime, paths.dataDir, cache);
  const consents = all ? consentsOf(found) : [];
  if (consents.length > 0 && !(await isAgreed(found, force === true))) {
    note('Nothing was removed.');
    return EXIT.stopped;
  }
  const swept = await removeLeftovers(runtime, paths.dataDir, paths.appVersion, cache, consents);
  const { removed, failed } = swept;
  const cleared = (clearsDatasets ? await cache?.clear() : undefined) ?? { removed: [], remaining: [] };
  for (const name of cleared.removed) removed.push({ kind: 'volume', name });
  const datasets = (await cache?.list()) ?? [];
  const undecided = (await findLeftovers(runtime, paths.dataDir, cache)).filter(
    ({ consent }) => consent !== null,
  );

  if (json) printJson({ removed, failed, datasets, undecided });
  else if (removed.length === 0 && failed.length === 0) print('There is nothing to remove.');
  else for (const { kind, name } of removed) print(`${DONE[kind] ?? 'removed'} ${kind} ${name}`);
  for (const { volume, source, bytes } of datasets) {
    const about = `${source.image}, ${dataText(source.workload, ENGLISH)}`;
    note(
      `Cached dataset for later runs: ${about}, ${formatBytes(bytes)} (${volume}). Remove it with --datasets.`,
    );
  }
  for (const name of (await cache?.others()) ?? []) {
    note(`${name} is a cached dataset of another data folder. Remove it with: docker volume rm ${name}`);
  }
  for (const name of cleared.remaining)
    note(`${name} is in use. It is removed when the run that uses it ends.`);
  for (const line of undecidedLines(undecided)) note(line);
  for (const { name, error } of failed) note(`Could not remove ${name}: ${error.message}`);
  return failed.length === 0 ? EXIT.done : EXIT.someFailed;
}

const DONE: Partial<Record<Leftover['kind'], string>> = { run: 'unlocked', engine: 'forgot' };

function consentsOf(found: readonly Leftover[]): string[] {
  return [...new Set(found.flatMap(({ consent }) => consent ?? []))];
}

/** Rejects with USAGE without a terminal. */
async function isAgreed(found: readonly Leftover[], isForced: boolean): Promise<boolean> {
  for (const leftover of found) note(leftoverLine(leftover, Date.now()));
  if (isForced) return true;
  if (!canAsk()) {
    throw new BenchmarkError('USAGE', {
      problem:
        '--all asks before it removes what a process may still use, but there is no terminal to ask in.',
      fix: 'Add --force if everything listed above has ended.',
    });
  }
  return confirm('Remove everything listed, unlock these runs, and forget these engines?');
}
