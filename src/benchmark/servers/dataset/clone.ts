import type { Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import { unlessStopped } from '../../stop.ts';
import { diagnoseStorage } from '../failure-doctor.ts';
import { isNoRoom } from '../../runtime/engine/engine-error.ts';
import type { MountSpec, Progress } from '../../runtime/container-runtime.ts';
import { tarOf } from '../../runtime/engine/tar.ts';
import { helperOutput, type HelperContext } from '../helper-container.ts';
import { DATADIR_NAME, type PreparedStorage } from '../storage/prepared-storage.ts';
import type { Checksums, Dataset } from './dataset.ts';

const ORIGINAL = '/srv/whalemark-dataset';
const COPY_ENDS = 'whalemark: the original follows';
/** The copy's KiB follow. */
const COPIED = 'whalemark: copied ';
const LINES = 100_000;
export const CLONES_AT_ONCE = 3;

/**
 * Sparse files and shared blocks would cost a trial their allocation. (`never` is coreutils'; older ones
 * share nothing.)
 */
const SCRIPT = `set -e
original="$1" copy="$2" both="$3"
share=--reflink=never
cp "$share" --version >/dev/null 2>&1 || share=
mkdir -p "$copy"
while sleep 5; do echo "${COPIED}$(du -sk "$copy")"; done &
watch=$!
cp -a --sparse=never $share "$original/." "$copy/"
kill "$watch" 2>/dev/null || true
cd "$copy"
find . -type f -exec cksum {} +
if [ "$both" = yes ]; then
  echo "${COPY_ENDS}"
  cd "$original"
  find . -type f -exec cksum {} +
fi`;

interface CloneTarget {
  containerId: string;
  storage: PreparedStorage;
  storageName: Said;
  helper: HelperContext;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Rejects with STORAGE_FULL, STORAGE_REFUSED, ENGINE_LOST, or STOPPED. */
export async function cloneDataset(
  dataset: Dataset,
  target: CloneTarget,
  signal: AbortSignal,
): Promise<'helper' | 'archive'> {
  try {
    if (await copyInHelper(dataset, target, signal)) return 'helper';
    await unlessStopped(signal, copyThroughArchive(dataset, target));
    return 'archive';
  } catch (error) {
    if (error instanceof BenchmarkError && error.code === 'STOPPED') throw error;
    throw diagnoseStorage(error, target.storageName);
  }
}

async function copyInHelper(dataset: Dataset, target: CloneTarget, signal: AbortSignal): Promise<boolean> {
  const { containerId, storage, helper, onProgress } = target;
  if (dataset.volume === undefined) return false;
  const layer = isOnVolume(storage) ? [] : await unlessStopped(signal, layerMount(target));
  if (layer === undefined) return false;
  const knowsOriginal = dataset.checksums !== undefined;
  const output = await helperOutput(helper, {
    ...storage.container,
    purpose: 'clone',
    command: ['sh', '-c', SCRIPT, 'sh', ORIGINAL, storage.datadir, knowsOriginal ? 'no' : 'yes'],
    mounts: [
      { type: 'volume', source: dataset.volume, target: ORIGINAL, readOnly: true, noCopy: true },
      ...layer,
    ],
    volumesFrom: [storage.holder ?? containerId],
    lines: LINES,
    onLine: onProgress && progressReader(dataset.bytes, knowsOriginal ? 2 : 3, onProgress),
    signal,
  }).catch((error: unknown) => {
    if (error instanceof BenchmarkError && error.code === 'ENGINE_REFUSED') return undefined;
    throw error;
  });
  if (output === undefined) return false;
  const { exitCode, lines } = output;
  if (exitCode !== 0) {
    const full = lines.find(isNoRoom);
    if (full !== undefined) throw new Error(full);
    return false;
  }
  const border = lines.indexOf(COPY_ENDS);
  dataset.checksums ??= parseChecksums(lines.slice(border + 1));
  const copy = parseChecksums(border < 0 ? lines : lines.slice(0, border));
  const different = differences(dataset.checksums, copy);
  if (different.length > 0 || copy.size === 0) {
    throw new Error(`the copy differs from the dataset: ${different.join(', ')}`);
  }
  return true;
}

function isOnVolume({ container: { mounts, volumesFrom }, holder }: PreparedStorage): boolean {
  return holder !== undefined || mounts !== undefined || volumesFrom !== undefined;
}

/**
 * Undefined if the engine names no directory, or would relabel it (SELinux). An unmounted layer may be
 * changed (Linux kernel documentation, "Overlay Filesystem", "Changes to underlying filesystems").
 */
async function layerMount({
  containerId,
  storage: { parent, datadir },
  helper: { runtime },
}: CloneTarget): Promise<MountSpec[] | undefined> {
  const { layer } = await runtime.containers.inspect(containerId);
  if (layer === undefined || runtime.passport.runtime.selinux) return undefined;
  await runtime.containers.putArchive(containerId, parent, await tarOf({ [`${DATADIR_NAME}/`]: '' }));
  return [{ type: 'bind', source: `${layer}${datadir}`, target: datadir }];
}

async function copyThroughArchive(
  { containerId, datadir }: Dataset,
  { containerId: server, storage, helper: { runtime } }: CloneTarget,
): Promise<void> {
  const tar = await runtime.containers.getArchive(containerId, datadir);
  await runtime.containers.putArchive(storage.holder ?? server, storage.parent, tar);
}

function progressReader(
  bytes: number,
  passes: number,
  onProgress: (progress: Progress) => void,
): (line: string) => void {
  let read = bytes;
  let told = -1;
  const tell = (done: number): void => {
    const percent = Math.min(Math.floor((100 * done) / (passes * bytes)), 100);
    if (!(percent > told)) return;
    told = percent;
    onProgress({ fraction: percent / 100, detail: '' });
  };
  return (line) => {
    if (line.startsWith(COPIED)) tell(1024 * Number.parseInt(line.slice(COPIED.length), 10));
    const [, size] = /^\d+ (\d+) /.exec(line) ?? [];
    if (size === undefined) return;
    read += Number(size);
    tell(read);
  };
}

function parseChecksums(lines: readonly string[]): Map<string, string> {
  const sums = new Map<string, string>();
  for (const line of lines) {
    const [, sum, path] = /^(\d+ \d+) (.+)$/.exec(line) ?? [];
    if (sum !== undefined && path !== undefined) sums.set(path, sum);
  }
  return sums;
}

function differences(original: Checksums, copy: Checksums): string[] {
  const paths = [...new Set([...original.keys(), ...copy.keys()])].sort();
  return paths.filter((path) => original.get(path) !== copy.get(path));
}
