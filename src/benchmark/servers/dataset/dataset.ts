import { BenchmarkError } from '../../../shared/errors.ts';
import { type Plan, type ServerConfig } from '../../../shared/model/plan.ts';
import { ownSqlBytes } from '../../../shared/model/task.ts';
import { dataBytes, isTpcc, type Workload } from '../../../shared/model/workload.ts';
import { serverOption } from '../../../shared/options/option.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import type { Account } from '../target-server.ts';
import { createHash } from 'node:crypto';
import type { ServerVersion } from '../server-options.ts';

const TABLES_PER_DATA = 1.15;
/** Rows, indexes, and the binary log. */
const FILES_PER_DUMP = 3;
const SYSTEM_BYTES = 150 * 2 ** 20;

/** Checksum and size of POSIX cksum, by path below the data directory. */
export type Checksums = ReadonlyMap<string, string>;

export interface Dataset {
  containerId: string;
  datadir: string;
  bytes: number;
  account: Account;
  volume?: string | undefined;
  checksums?: Checksums | undefined;
}

/** 4,500 transactions of oltp_read_write, for each of which MySQL 9.7 wrote 1,765 bytes. */
const BINLOG_BYTES_PER_SECOND = 8e6;
/** A file of 1 GiB (max_binlog_size) is removed once the next is full. */
const BINLOG_MOST_BYTES = 2 * 2 ** 30;

export function datadirBytes(
  { workload, scenarios, schedule, task }: Pick<Plan, 'workload' | 'scenarios' | 'schedule' | 'task'>,
  { id, settings }: Pick<ServerConfig, 'id' | 'settings'>,
): number {
  const starts = new Map<string, number>();
  for (const scenario of scenarios) {
    if (scenario.configId !== id) continue;
    const key = scenario.serverId;
    starts.set(key, (starts.get(key) ?? 0) + schedule.warmupSeconds + schedule.durationSeconds);
  }
  const binlog = settings.binlog
    ? Math.min(2 * Math.max(0, ...starts.values()) * BINLOG_BYTES_PER_SECOND, BINLOG_MOST_BYTES)
    : 0;
  return (
    ownSqlBytes(task) * FILES_PER_DUMP +
    dataBytes(workload) * TABLES_PER_DATA +
    settings.redoLogMiB * 2 ** 20 +
    SYSTEM_BYTES +
    binlog
  );
}

export async function directoryBytes(
  runtime: ContainerRuntime,
  containerId: string,
  path: string,
): Promise<number> {
  const { exitCode, stdout, stderr } = await runtime.containers.exec(containerId, ['du', '-sk', path]);
  const kibibytes = Number(stdout.split(/\s/)[0]);
  if (exitCode !== 0 || !Number.isFinite(kibibytes)) {
    throw new BenchmarkError('DATASET_FAILED', { reason: `du: ${stderr.trim() || stdout.trim()}` });
  }
  return kibibytes * 1024;
}

/** Raised when the same ingredients make other rows or files. */
const FORMAT = 2;

const WITHOUT_TRACE: readonly RegExp[] = [
  /^innodb-buffer-pool-/,
  /^innodb-flush-log-at-trx-commit\b/,
  /^log-bin\b/,
  /^(server-id|sync-binlog|binlog-expire-logs-seconds|slave-connections-needed-for-purge)\b/,
  /^performance-schema\b/,
  /^max-connections\b/,
  /^max-prepared-stmt-count\b/,
];

/** All runs use it, so that they can share datasets. */
export const ROW_SEED = 1;

export interface DatasetIngredients {
  image: ServerVersion & { id: string };
  options: readonly string[];
  /** Null: an empty schema. */
  workload: Workload | null;
  seed: number;
}

/** Equal keys mean equal rows in equal files. */
export function datasetKey({ image, options, workload, seed }: DatasetIngredients): string {
  const content = {
    format: FORMAT,
    image: [image.id, image.flavor, image.version],
    options: options.filter((option) => shapesFiles(option)),
    rows: rowShape(workload),
    seed,
  };
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

function shapesFiles(option: string): boolean {
  const name = serverOption(option)?.name ?? option;
  return !WITHOUT_TRACE.some((pattern) => pattern.test(name));
}

function rowShape(workload: Workload | null): unknown[] {
  if (workload === null) return [];
  return isTpcc(workload)
    ? ['tpcc', workload.warehouses, workload.items, workload.customersPerDistrict]
    : ['oltp', workload.tables, workload.tableSize, workload.distribution];
}
