import { readdir } from 'node:fs/promises';
import { msg, type Message } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { DatabaseService } from '../../shared/model/database.ts';
import { MIB } from '../../shared/model/server-settings.ts';
import { formatBytes } from '../../shared/units.ts';
import { freeBytes } from '../files/free-bytes.ts';
import { folderBytes } from '../files/folder-size.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

/** A new data directory: 174 MiB with MySQL 9.7.4. */
const EMPTY_BYTES = 175 * MIB;
const LEAST_BYTES = 25 * MIB;
const MOST_BYTES = 2048 * MIB;
/** The most data where the engine's free space is unknown. */
const MOST_UNSEEN_BYTES = 512 * MIB;

/** Null: the usual data. */
type PlanWith<P> = (bytes: number | null, reason: Message | null) => Promise<P>;

/** As much data as the user's, up to 2 GiB and half of the free space; only sizes are read. */
export async function planLikeTheirs<P extends { plan: Plan }>(
  service: DatabaseService,
  runtime: ContainerRuntime,
  planWith: PlanWith<P>,
): Promise<P> {
  const { vm, remote } = runtime.passport.runtime;
  const theirs = (await directoryBytes(service, runtime)) ?? 0;
  const wanted = theirs - EMPTY_BYTES;
  const root = await runtime.dataRoot();
  const free = root === undefined ? undefined : await freeBytes(root);
  for (
    let bytes = Math.min(wanted, vm || remote ? MOST_UNSEEN_BYTES : MOST_BYTES);
    bytes > LEAST_BYTES;
    bytes /= 2
  ) {
    const about = { theirs: formatBytes(theirs), measured: formatBytes(bytes) };
    const reason = msg(bytes < wanted ? 'notice.lessData' : 'notice.dataLikeTheirs', about);
    const planned = await planWith(bytes, reason).catch((error: unknown) => {
      if (error instanceof BenchmarkError && error.code === 'DISK_TOO_SMALL') return undefined;
      throw error;
    });
    const isFitting = free === undefined || (planned?.plan.estimate.diskBytes ?? free) <= free / 2;
    if (planned !== undefined && isFitting) return planned;
  }
  return planWith(null, null);
}

async function directoryBytes(
  { storage: { kind, place } }: DatabaseService,
  { passport, volumes }: ContainerRuntime,
): Promise<number | undefined> {
  if (place === null) return undefined;
  if (kind === 'named-volume') return volumes.bytes(place).catch(() => undefined);
  if (kind !== 'bind-mount' || passport.runtime.remote) return undefined;
  // Often only the server's account may read the folder.
  return readdir(place).then(
    () => folderBytes(place),
    () => undefined,
  );
}
