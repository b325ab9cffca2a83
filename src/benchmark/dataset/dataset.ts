import { BenchmarkError } from '../../shared/errors.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { Account } from '../target/target-server.ts';
import type { Checksums } from './checksums.ts';

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

/** Size of a directory in a running container, bytes. */
export async function directoryBytes(
  runtime: ContainerRuntime,
  containerId: string,
  path: string,
): Promise<number> {
  const { exitCode, stdout, stderr } = await runtime.exec(containerId, ['du', '-sk', path]);
  const kibibytes = Number(stdout.split(/\s/)[0]);
  if (exitCode !== 0 || !Number.isFinite(kibibytes)) {
    throw new BenchmarkError('DATASET_FAILED', { reason: `du: ${stderr.trim() || stdout.trim()}` });
  }
  return kibibytes * 1024;
}
