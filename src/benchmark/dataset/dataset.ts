import { BenchmarkError } from '../../shared/errors.ts';
import type { ServerSettings } from '../../shared/model/server-spec.ts';
import { dataBytes, type Workload } from '../../shared/model/workload.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { Account } from '../target/target-server.ts';

/** What tables take on disk, as a multiple of `dataBytes`. */
const TABLES_PER_DATA = 1.15;
/** System tables and undo logs, which every server brings along. */
const SYSTEM_BYTES = 150 * 2 ** 20;

/** By path below the datadir: checksum and size, as POSIX cksum prints them. */
export type Checksums = ReadonlyMap<string, string>;

/** A server's files after a clean shutdown, ready to be cloned. */
export interface Dataset {
  /** Container that has them; it doesn't run. */
  containerId: string;
  datadir: string;
  bytes: number;
  /** The account inside. */
  account: Account;
  /** Volume that holds them, mounted at `datadir`. Without one they can only be copied through the engine's archive API. */
  volume?: string | undefined;
  /** Of all files, once the first clone has read them. */
  checksums?: Checksums | undefined;
}

/** Size that a datadir is expected to have: tables, redo log, and what every server brings (system tables, undo). */
export function datadirBytes(workload: Workload, settings: Pick<ServerSettings, 'redoLogMiB'>): number {
  return dataBytes(workload) * TABLES_PER_DATA + settings.redoLogMiB * 2 ** 20 + SYSTEM_BYTES;
}

/** Size of a directory in a running container, bytes. */
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
