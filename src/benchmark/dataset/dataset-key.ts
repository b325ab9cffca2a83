import { createHash } from 'node:crypto';
import { isTpcc, type Workload } from '../../shared/model/workload.ts';
import type { ServerVersion } from '../target/server-options.ts';

/** Raise it when the same ingredients give other rows or files. */
const FORMAT = 2;

/** Options without effect on files; all others count. With dashes, without `loose-`. */
const WITHOUT_TRACE: readonly RegExp[] = [
  /^--innodb-buffer-pool-/,
  /^--innodb-flush-log-at-trx-commit\b/,
  /^--sync-binlog\b/,
  /^--performance-schema\b/,
  /^--max-connections\b/,
  /^--max-prepared-stmt-count\b/,
];

/** Of all datasets, so that runs can share them. */
export const ROW_SEED = 1;

/** What determines a loaded data directory, except passwords. */
export interface DatasetIngredients {
  /** By content (sha256:…). */
  image: ServerVersion & { id: string };
  /** Of the loading server. */
  options: readonly string[];
  workload: Workload;
  seed: number;
}

/** Equal keys: equal rows in equal files. 32 hexadecimal digits. */
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

/** The part of a workload that determines rows. */
function rowShape(workload: Workload): unknown[] {
  return isTpcc(workload)
    ? ['tpcc', workload.warehouses, workload.items, workload.customersPerDistrict]
    : ['oltp', workload.tables, workload.tableSize, workload.distribution];
}
