import { datasetCache } from '../../benchmark/dataset/dataset-cache.ts';
import { removeLeftovers } from '../../benchmark/run/leftovers.ts';
import { formatBytes } from '../../shared/words/units.ts';
import { parse } from '../options/args.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { findRuntime } from '../run/runtime.ts';
import { note, print, printJson } from '../text/terminal.ts';

const OPTIONS = {
  datasets: { type: 'boolean' },
  json: { type: 'boolean' },
  context: { type: 'string' },
} as const;

/** `whalemark clean`: removes what dead runs of this machine left behind and, if asked to, the kept datasets. */
export async function cleanCommand(argv: string[]): Promise<number> {
  const { values } = parse(argv, OPTIONS, 0);
  const runtime = await findRuntime(values.context);
  const cache = datasetCache(runtime, paths);
  const { removed, failed } = await removeLeftovers(runtime, paths.dataDir, paths.appVersion, cache);
  const cleared = (values.datasets === true ? await cache?.clear() : undefined) ?? { removed: [], kept: [] };
  for (const name of cleared.removed) removed.push({ kind: 'volume', name });
  const datasets = (await cache?.list()) ?? [];

  if (values.json === true) printJson({ removed, failed, datasets });
  else if (removed.length === 0 && failed.length === 0) print('Nothing was left behind.');
  else for (const { kind, name } of removed) print(`removed ${kind} ${name}`);
  for (const { volume, about, bytes } of datasets) {
    note(`kept for the next run: ${about}, ${formatBytes(bytes)} (${volume}); --datasets removes it`);
  }
  for (const name of (await cache?.others()) ?? []) {
    note(`${name} is kept for another data folder; remove it with: docker volume rm ${name}`);
  }
  for (const name of cleared.kept) note(`${name} is in use; it goes when the run that uses it has ended`);
  for (const { name, error } of failed) note(`could not remove ${name}: ${error.message}`);
  return failed.length === 0 ? EXIT.done : EXIT.someFailed;
}
