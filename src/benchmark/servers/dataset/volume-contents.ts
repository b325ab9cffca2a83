import { BenchmarkError } from '../../../shared/errors.ts';
import type { ContainerRuntime, ContainerSpec } from '../../runtime/container-runtime.ts';
import { exitOf } from '../failure-doctor.ts';
import type { HelperContext } from '../helper-container.ts';

export type Looker = Pick<HelperContext, 'name' | 'image' | 'labels'>;

export interface VolumeContents {
  /** Any write changes this hash of names, sizes, and modification times. */
  fingerprint: string;
  bytes: number;
}

const SCRIPT = `cd "$1" && find . -type f -printf '%P %s %T@\\n' | LC_ALL=C sort | sha256sum && du -sk .`;
/** SHA-256 of nothing: an empty directory, or a `find` without -printf. */
const OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function lookerSpec({ name, image, labels }: Looker, volume: string, datadir: string): ContainerSpec {
  return {
    name,
    image,
    labels,
    user: '0:0',
    entrypoint: ['sh', '-c', SCRIPT, 'sh', datadir],
    mounts: [{ type: 'volume', source: volume, target: datadir, readOnly: true, noCopy: true }],
    network: 'none',
    stopTimeoutSeconds: 0,
  };
}

export async function readContents(runtime: ContainerRuntime, containerId: string): Promise<VolumeContents> {
  await runtime.containers.start(containerId);
  const exitCode = await exitOf(runtime, containerId);
  const lines = await runtime.containers.logTail(containerId, 10);
  const fingerprint = /^([0-9a-f]{64})\b/.exec(lines.at(-2) ?? '')?.[1];
  const kibibytes = /^(\d+)\s/.exec(lines.at(-1) ?? '')?.[1];
  if (exitCode !== 0 || fingerprint === undefined || fingerprint === OF_NOTHING || kibibytes === undefined) {
    const reason = `its volume can't be looked into (exit code ${exitCode})`;
    throw new BenchmarkError('DATASET_FAILED', { reason }, { evidence: lines });
  }
  return { fingerprint, bytes: Number(kibibytes) * 1024 };
}
