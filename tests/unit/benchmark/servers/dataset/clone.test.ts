import { describe, expect, it } from 'vitest';
import {
  cloneDataset,
  differences,
  parseChecksums,
} from '../../../../../src/benchmark/servers/dataset/clone.ts';
import type { Dataset } from '../../../../../src/benchmark/servers/dataset/dataset.ts';
import type {
  PreparedStorage,
  StorageContext,
} from '../../../../../src/benchmark/servers/storage/prepared-storage.ts';
import { prepareStorage } from '../../../../../src/benchmark/servers/storage/storage.ts';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';
import type { StorageKind } from '../../../../../src/shared/kinds/storages.ts';
import type { Passport } from '../../../../../src/shared/model/passport.ts';
import { FAKE_PASSPORT, FakeRuntime, type FakeContainer } from '../../../fake-runtime.ts';

const FILES = ['111 20 ./ibdata1', '222 30 ./sbtest/sbtest1.ibd'];
const BORDER = 'whalemark: the original follows';
const LAYER = '/var/lib/docker/overlay2/1/diff';

describe('checksums', () => {
  it('are read from what cksum prints', () => {
    expect(parseChecksums([...FILES, 'cp: nothing of ours'])).toEqual(
      new Map([
        ['./ibdata1', '111 20'],
        ['./sbtest/sbtest1.ibd', '222 30'],
      ]),
    );
  });

  it('tell files that changed, are missing, or are too many', () => {
    const original = parseChecksums(['1 1 a', '2 2 b', '3 3 c']);
    expect(differences(original, original)).toEqual([]);
    expect(differences(original, parseChecksums(['1 1 a', '2 3 b', '4 4 d']))).toEqual(['b', 'c', 'd']);
  });
});

describe('the way a dataset is cloned', () => {
  async function clone(
    kind: StorageKind,
    options: {
      helper?: (container: FakeContainer) => void;
      signal?: AbortSignal;
      volume?: string | undefined;
      layer?: string;
      passport?: Passport;
      container?: PreparedStorage['container'];
    } = {},
  ) {
    const runtime = new FakeRuntime(options.passport);
    runtime.layer = options.layer;
    const helpers: FakeContainer['spec'][] = [];
    runtime.onStart = (container) => {
      if (!container.spec.name.endsWith('-clone')) return;
      helpers.push(container.spec);
      options.helper?.(container);
    };
    const helper: StorageContext = {
      runtime,
      name: 'whalemark-r-s1',
      image: 'sha256:server',
      labels: {},
      bindRoot: '/nowhere',
      mark: { owner: 'o', runId: 'r' },
      datadirBytes: 1e6,
    };
    const prepared = await prepareStorage({ kind }, helper);
    const storage = { ...prepared, container: { ...prepared.container, ...options.container } };
    const containerId = await runtime.containers.create({
      name: 'server',
      image: 'sha256:server',
      labels: {},
    });
    const volume = 'volume' in options ? options.volume : 'whalemark-r-dataset';
    const account = { user: 'u', password: 'p', database: 'd' };
    const dataset: Dataset = {
      containerId: 'container-0',
      datadir: '/var/lib/mysql',
      bytes: 50,
      volume,
      account,
    };
    const { signal = new AbortController().signal } = options;
    const done = cloneDataset(dataset, { containerId, storage, storageName: 'the storage', helper }, signal);
    return { runtime, dataset, containerId, helpers, done };
  }
  /** A helper that ends as soon as it starts. */
  const saying =
    (runtime: () => FakeRuntime, lines: string[], exitCode = 0) =>
    (container: FakeContainer) => {
      container.log.push(...lines);
      queueMicrotask(() => runtime().exit(container.id, exitCode));
    };
  async function cloneSaying(
    kind: StorageKind,
    lines: string[],
    exitCode = 0,
    more: Parameters<typeof clone>[1] = {},
  ) {
    const started = await clone(kind, {
      ...more,
      helper: (container) => saying(() => started.runtime, lines, exitCode)(container),
    });
    return started;
  }
  const copied = (runtime: FakeRuntime): boolean =>
    runtime.calls.some((call) => call.startsWith('putArchive'));

  it('is a helper that has both, and reads both', async () => {
    const { runtime, dataset, done } = await cloneSaying('named-volume', [...FILES, BORDER, ...FILES]);
    expect(await done).toBe('helper');
    expect(copied(runtime)).toBe(false);
    expect(dataset.checksums?.size).toBe(2);
    expect([...runtime.containersMade.values()].map(({ spec }) => spec.name)).toEqual(['server']);
  });

  it.each([
    ['', {}],
    [' that needs something else than a mount', { stopTimeoutSeconds: 1 }],
  ])(
    'is a helper on the directory of a layer%s, in which the engine makes the datadir',
    async (_, container) => {
      const lines = [...FILES, BORDER, ...FILES];
      const { runtime, containerId, helpers, done } = await cloneSaying('container-layer', lines, 0, {
        layer: LAYER,
        container,
      });
      expect(await done).toBe('helper');
      expect(helpers[0]?.mounts?.at(1)).toEqual({
        type: 'bind',
        source: `${LAYER}/srv/mysql`,
        target: '/srv/mysql',
      });
      const made = runtime.calls.filter((call) => /^(putArchive|createContainer .*-clone)/.test(call));
      expect(made).toEqual([`putArchive ${containerId} /srv`, 'createContainer whalemark-r-s1-clone']);
    },
  );

  it('is the archive API where a layer can’t be mounted, or the copy into it fails', async () => {
    const archived = ({ calls }: FakeRuntime): boolean => calls.some((call) => call.startsWith('getArchive'));
    const refused = await clone('container-layer', {
      layer: LAYER,
      helper: () => {
        throw new BenchmarkError('ENGINE_REFUSED', {
          action: 'start a container',
          reason: `invalid mount config for type "bind": bind source path does not exist: ${LAYER}/srv/mysql`,
        });
      },
    });
    expect(await refused.done).toBe('archive');
    const failed = await cloneSaying('container-layer', ['cp: Permission denied'], 1, { layer: LAYER });
    expect(await failed.done).toBe('archive');
    expect([refused, failed].map(({ runtime }) => archived(runtime))).toEqual([true, true]);

    const selinux = { ...FAKE_PASSPORT, runtime: { ...FAKE_PASSPORT.runtime, selinux: true } };
    const relabeled = await clone('container-layer', { layer: LAYER, passport: selinux });
    expect(await relabeled.done).toBe('archive');
    expect(relabeled.runtime.calls.filter((call) => call.includes('-clone'))).toEqual([]);
  });

  it('hands paths to the helper as arguments, the dataset read-only', async () => {
    let spec: FakeContainer['spec'] | undefined;
    const { runtime, containerId, done } = await clone('named-volume', {
      helper: (container) => {
        spec = container.spec;
        queueMicrotask(() => runtime.exit(container.id, 1));
      },
    });
    await done;
    expect(spec?.entrypoint?.slice(3)).toEqual(['sh', '/srv/whalemark-dataset', '/var/lib/mysql', 'yes']);
    expect(spec?.entrypoint?.[2]).not.toContain('/var/lib');
    expect(spec?.volumesFrom).toEqual([containerId]);
    expect(spec?.mounts).toMatchObject([{ source: 'whalemark-r-dataset', readOnly: true, noCopy: true }]);
  });

  it('is the archive API when an image has no coreutils, or the helper can’t start', async () => {
    const failed = await cloneSaying('named-volume', ['sh: cp: not found'], 127);
    expect(await failed.done).toBe('archive');
    expect(copied(failed.runtime)).toBe(true);

    const refused = await clone('named-volume', {
      helper: () => {
        throw new BenchmarkError('ENGINE_REFUSED', {
          action: 'start a container',
          reason: 'exec: "sh": not found',
        });
      },
    });
    expect(await refused.done).toBe('archive');
  });

  it('is the archive API for a layer of which the engine tells nothing, and for a dataset on no volume', async () => {
    const layer = await clone('container-layer');
    expect(await layer.done).toBe('archive');
    const elsewhere = await clone('named-volume', { volume: undefined });
    expect(await elsewhere.done).toBe('archive');
    for (const { runtime } of [layer, elsewhere]) {
      expect(runtime.calls.filter((call) => call.includes('-clone'))).toEqual([]);
    }
  });

  it('says when there is no room, and does not try again', async () => {
    const { runtime, done } = await cloneSaying(
      'named-volume',
      ["cp: error writing './ibdata1': No space left on device"],
      1,
    );
    await expect(done).rejects.toMatchObject({ code: 'STORAGE_FULL', params: { storage: 'the storage' } });
    expect(copied(runtime)).toBe(false);
  });

  it('refuses a copy that differs, and one of nothing', async () => {
    const differing = await cloneSaying('named-volume', ['999 20 ./ibdata1', BORDER, ...FILES]);
    await expect(differing.done).rejects.toMatchObject({
      code: 'STORAGE_REFUSED',
      params: { reason: expect.stringContaining('./ibdata1, ./sbtest/sbtest1.ibd') },
    });
    const empty = await cloneSaying('named-volume', [BORDER]);
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
