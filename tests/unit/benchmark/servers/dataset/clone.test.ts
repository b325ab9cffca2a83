import { describe, expect, it } from 'vitest';
import { cloneDataset } from '../../../../../src/benchmark/servers/dataset/clone.ts';
import type { Dataset } from '../../../../../src/benchmark/servers/dataset/dataset.ts';
import type {
  PreparedStorage,
  StorageContext,
} from '../../../../../src/benchmark/servers/storage/prepared-storage.ts';
import type { Progress } from '../../../../../src/benchmark/runtime/container-runtime.ts';
import { prepareStorage } from '../../../../../src/benchmark/servers/storage/storage.ts';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';
import type { StorageKind } from '../../../../../src/shared/kinds/storages.ts';
import type { Passport } from '../../../../../src/shared/model/passport.ts';
import { FAKE_PASSPORT, FakeRuntime, type FakeContainer } from '../../../fake-runtime.ts';

const FILES = ['111 20 ./ibdata1', '222 30 ./sbtest/sbtest1.ibd'];
const BORDER = 'whalemark: the original follows';
const LAYER = '/var/lib/docker/overlay2/1/diff';
const SELINUX = { ...FAKE_PASSPORT, runtime: { ...FAKE_PASSPORT.runtime, selinux: true } };

type Helper = (container: FakeContainer, runtime: FakeRuntime) => void;
/** A helper that ends as soon as it starts. */
const says =
  (lines: string[], exitCode = 0): Helper =>
  (container, runtime) => {
    container.log.push(...lines);
    queueMicrotask(() => runtime.exit(container.id, exitCode));
  };
const refuses: Helper = () => {
  throw new BenchmarkError('ENGINE_REFUSED', { action: 'start a container', reason: 'no' });
};

interface Circumstances {
  helper?: Helper;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  bytes?: number;
  volume?: string | undefined;
  layer?: string;
  passport?: Passport;
  container?: PreparedStorage['container'];
}

describe('the way a dataset is cloned', () => {
  async function clone(kind: StorageKind, options: Circumstances = {}) {
    const runtime = new FakeRuntime(options.passport);
    runtime.layer = options.layer;
    const helpers: FakeContainer['spec'][] = [];
    runtime.onStart = (container) => {
      if (!container.spec.name.endsWith('-clone')) return;
      helpers.push(container.spec);
      options.helper?.(container, runtime);
    };
    const helper: StorageContext = {
      ...{ runtime, name: 'whalemark-r-s1', image: 'sha256:server', labels: {}, bindRoot: '/nowhere' },
      ...{ mark: { owner: 'o', runId: 'r' }, datadirBytes: 1e6 },
    };
    const prepared = await prepareStorage({ kind }, helper);
    const storage = { ...prepared, container: { ...prepared.container, ...options.container } };
    const server = { name: 'server', image: 'sha256:server', labels: {} };
    const containerId = await runtime.containers.create(server);
    const dataset: Dataset = {
      ...{ containerId: 'container-0', datadir: '/var/lib/mysql', bytes: options.bytes ?? 50 },
      volume: 'volume' in options ? options.volume : 'whalemark-r-dataset',
      account: { user: 'u', password: 'p', database: 'd' },
    };
    const { signal = new AbortController().signal, onProgress } = options;
    const target = { containerId, storage, storageName: 'the storage', helper, onProgress };
    const done = cloneDataset(dataset, target, signal);
    return { runtime, dataset, containerId, helpers, done };
  }
  const copied = (runtime: FakeRuntime): boolean =>
    runtime.calls.some((call) => call.startsWith('putArchive'));

  const denied = says(['cp: Permission denied'], 1);
  it.each<[what: string, tries: number, StorageKind, Circumstances]>([
    ['a layer can’t be mounted', 1, 'container-layer', { layer: LAYER, helper: refuses }],
    ['the copy into a layer fails', 1, 'container-layer', { layer: LAYER, helper: denied }],
    ['SELinux would relabel a layer', 0, 'container-layer', { layer: LAYER, passport: SELINUX }],
    ['the engine tells nothing of a layer', 0, 'container-layer', {}],
    ['an image has no coreutils', 1, 'named-volume', { helper: says(['sh: cp: not found'], 127) }],
    ['a helper can’t start', 1, 'named-volume', { helper: refuses }],
    ['the dataset is on no volume', 0, 'named-volume', { volume: undefined }],
  ])('is the archive API where %s', async (_, tries, kind, options) => {
    const { runtime, helpers, done } = await clone(kind, options);
    expect(await done).toBe('archive');
    expect(runtime.calls.filter((call) => call.startsWith('getArchive'))).toHaveLength(1);
    expect(copied(runtime)).toBe(true);
    expect(helpers).toHaveLength(tries);
  });

  it('tells how much it has copied and read back, in whole percents', async () => {
    const told: (number | null)[] = [];
    const copied = (kibibytes: number): string => `whalemark: copied ${kibibytes}\t/var/lib/mysql`;
    const files = ['111 20480 ./ibdata1', '222 30720 ./sbtest/sbtest1.ibd'];
    const lines = [copied(0), 'whalemark: copied ', copied(25), ...files, BORDER, ...files];
    const onProgress = ({ fraction }: Progress): void => void told.push(fraction);
    const { done } = await clone('named-volume', { helper: says(lines), onProgress, bytes: 51_200 });
    await done;
    expect(told).toEqual([0, 0.16, 0.46, 0.66, 0.8, 1]);
  });

  it('says when there is no room, and does not try again', async () => {
    const helper = says(["cp: error writing './ibdata1': No space left on device"], 1);
    const { runtime, done } = await clone('named-volume', { helper });
    await expect(done).rejects.toMatchObject({ code: 'STORAGE_FULL', params: { storage: 'the storage' } });
    expect(copied(runtime)).toBe(false);
  });

  it('refuses a copy with files that changed, are missing, or are too many, and one of nothing', async () => {
    const lines = ['999 20 ./ibdata1', '4 4 ./more', BORDER, ...FILES];
    const differing = await clone('named-volume', { helper: says(lines) });
    await expect(differing.done).rejects.toMatchObject({
      code: 'STORAGE_REFUSED',
      params: { reason: expect.stringMatching(/: \.\/ibdata1, \.\/more, \.\/sbtest\/sbtest1\.ibd$/) },
    });
    const empty = await clone('named-volume', { helper: says([BORDER]) });
    await expect(empty.done).rejects.toMatchObject({ code: 'STORAGE_REFUSED' });
  });

  it('stops in the middle, when the helper is gone', async () => {
    const stop = new AbortController();
    const { runtime, done } = await clone('named-volume', {
      signal: stop.signal,
      helper: () => setImmediate(() => stop.abort()),
    });
    await expect(done).rejects.toMatchObject({ code: 'STOPPED' });
    expect([...runtime.containersMade.values()].map(({ spec }) => spec.name)).toEqual(['server']);
    expect(copied(runtime)).toBe(false);
  });
});
