import { BenchmarkError } from '../../shared/errors.ts';
import type { ServerSettings } from '../../shared/model/server-spec.ts';
import { dataBytes, type Workload } from '../../shared/model/workload.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { Account } from '../target/target-server.ts';

/** Disk space of tables as a multiple of `dataBytes`. */
const TABLES_PER_DATA = 1.15;
/** System tables and undo logs of any server. */
const SYSTEM_BYTES = 150 * 2 ** 20;

/** By path below the data directory: checksum and size of POSIX cksum. */
export type Checksums = ReadonlyMap<string, string>;

/** A server's files after a clean shutdown. */
export interface Dataset {
  /** Stopped. */
  containerId: string;
  datadir: string;
  bytes: number;
  account: Account;
  /** Mounted at `datadir`. Without a volume only the engine's archive API can copy. */
  volume?: string | undefined;
  /** After the first clone has read them. */
  checksums?: Checksums | undefined;
}

/** Expected bytes: tables, redo log, system tables, undo. */
export function datadirBytes(workload: Workload, settings: Pick<ServerSettings, 'redoLogMiB'>): number {
  return dataBytes(workload) * TABLES_PER_DATA + settings.redoLogMiB * 2 ** 20 + SYSTEM_BYTES;
}

/** In a running container, bytes. */
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
