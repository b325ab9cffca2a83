import { createHash } from 'node:crypto';
import { isTpcc, type Workload } from '../../shared/model/workload.ts';
import type { ServerVersion } from '../target/server-options.ts';

/** Rises whenever the same ingredients would come to other rows or files than before. */
const FORMAT = 2;

/**
 * Options that only matter while a server runs; whatever is not in here counts as shaping the files. Written with
 * dashes, without `loose-`.
 */
const WITHOUT_TRACE: readonly RegExp[] = [
  /^--innodb-buffer-pool-/,
  /^--innodb-flush-log-at-trx-commit\b/,
  /^--sync-binlog\b/,
  /^--performance-schema\b/,
  /^--max-connections\b/,
  /^--max-prepared-stmt-count\b/,
];

/** Of the rows of every dataset: the same in every run, so that what one has loaded can serve the next. */
export const ROW_SEED = 1;

/** All that decides what is in a loaded datadir, but for its passwords. */
export interface DatasetIngredients {
  /** The server's image as content (sha256:…), and what it is. */
  image: ServerVersion & { id: string };
  /** Options of the server that the dataset is loaded for. */
  options: readonly string[];
  workload: Workload;
  /** Seed of the rows. */
  seed: number;
}

/** Names a dataset: equal keys stand for equal rows in equal files. 32 hexadecimal digits. */
export function datasetKey({ image, options, workload, seed }: DatasetIngredients): string {
  const content = {
    format: FORMAT,
    image: [image.id, image.flavour, image.version],
    options: options.filter((option) => shapesFiles(option)),
    rows: rowShape(workload),
    seed,
  };
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

function shapesFiles(option: string): boolean {
  const [name = '', ...value] = option.split('=');
  const plain = [name.replaceAll('_', '-').replace(/^--loose-/, '--'), ...value].join('=');
  return !WITHOUT_TRACE.some((pattern) => pattern.test(plain));
}

/** What of a workload is in its rows; all else is about statements. */
function rowShape(workload: Workload): unknown[] {
  return isTpcc(workload)
    ? ['tpcc', workload.warehouses, workload.items, workload.customersPerDistrict]
    : ['oltp', workload.tables, workload.tableSize, workload.distribution];
}
