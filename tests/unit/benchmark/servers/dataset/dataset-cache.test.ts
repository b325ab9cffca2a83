import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownOwner } from '../../../../../src/benchmark/owners/owner.ts';
import {
  DatasetCache,
  type CacheLimits,
  type DatasetDraft,
} from '../../../../../src/benchmark/servers/dataset/dataset-cache.ts';
import { DATASET_LOADER_LABEL, OWNER_LABEL, RUN_LABEL } from '../../../../../src/benchmark/runtime/labels.ts';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';
import { workloadSchema } from '../../../../../src/shared/model/workload.ts';
import { FakeRuntime } from '../../../fake-runtime.ts';
import { newFolder } from '../../../../helpers/folders.ts';
import { deadOwner } from '../../../../helpers/owners.ts';

const KEY = 'a'.repeat(32);
const LOOKER = { name: 'whalemark-test-look', image: 'sha256:1', labels: { [OWNER_LABEL]: ownOwner() } };
const SOURCE = { image: 'mysql:8.4', workload: workloadSchema.parse({}) };
const ACCOUNT = { user: 'whalemark', password: 'never-to-be-seen', database: 'sbtest' };

let dataDir: string;
let runtime: FakeRuntime;
/** KiB in volumes. */
let contents: Map<string, number>;

beforeEach(() => {
  dataDir = newFolder();
  runtime = new FakeRuntime();
  contents = new Map();
  runtime.onStart = (container) => {
    const mount = container.spec.mounts?.[0];
    const kibibytes = mount?.type === 'volume' ? contents.get(mount.source) : undefined;
    container.log =
      kibibytes === undefined
        ? ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  -', '4\t.']
        : [`${'7'.repeat(64)}  -`, `${kibibytes}\t.`];
    runtime.exit(container.id, 0);
  };
});
afterEach(() => void vi.useRealTimers());

const cacheIn = (name: string, limits: { limits?: CacheLimits } = {}): DatasetCache =>
  new DatasetCache({ runtime, directory: join(dataDir, name), appVersion: '0', ...limits });
const cache = (limits?: CacheLimits): DatasetCache =>
  cacheIn('datasets', limits === undefined ? {} : { limits });

async function loaded(of: DatasetCache, key = KEY, kibibytes = 1000): Promise<DatasetDraft> {
  const draft = of.draft(key);
  await runtime.volumes.create(draft.name, draft.labels);
  contents.set(draft.name, kibibytes);
  return draft;
}

async function kept(of: DatasetCache, key = KEY, kibibytes = 1000): Promise<string> {
  const draft = await loaded(of, key, kibibytes);
  expect(await keep(draft)).toBe(true);
  return draft.name;
}

const keep = (draft: DatasetDraft): Promise<boolean> =>
  draft.keep({ datadir: '/var/lib/mysql', account: ACCOUNT, source: SOURCE, looker: LOOKER });
const use = (of: DatasetCache, key = KEY) => of.use(key, LOOKER, () => undefined);
const volumes = (): string[] => [...runtime.volumesMade.keys()];

describe('a dataset that was loaded once', () => {
  it('is nobody else’s: not another key’s, not another data folder’s', async () => {
    await kept(cache());
    expect(await use(cache(), 'b'.repeat(32))).toBeUndefined();
    const other = cacheIn('other');
    expect(await use(other)).toBeUndefined();
    expect(await other.sweep()).toEqual({ removed: [], remaining: [] });
    expect(await other.clear()).toEqual({ removed: [], remaining: [] });
    expect(await other.others()).toEqual(volumes());
    expect(volumes()).toHaveLength(1);
  });

  it('stays ours when the folder, or the machine, is called otherwise', async () => {
    const volume = await kept(cache());
    await rename(join(dataDir, 'datasets'), join(dataDir, 'renamed'));
    const renamed = cacheIn('renamed');
    const used = await use(renamed);
    expect(used).toMatchObject({ volume, account: ACCOUNT, bytes: 1_024_000 });
    expect(runtime.containersMade.get(used?.containerId ?? '')?.spec.mounts).toMatchObject([
      { target: '/var/lib/mysql', readOnly: true },
    ]);
    expect(await renamed.others()).toEqual([]);
    expect(await renamed.clear()).toEqual({ removed: [volume], remaining: [] });
  });

  it('carries no owner, no run and no password in its labels', async () => {
    const draft = await loaded(cache());
    expect(draft.labels).not.toHaveProperty(OWNER_LABEL);
    expect(draft.labels).not.toHaveProperty(RUN_LABEL);
    expect(JSON.stringify([draft.name, draft.labels])).not.toContain(ACCOUNT.password);
    await keep(draft);
    expect(JSON.stringify([...runtime.containersMade.values()])).not.toContain(ACCOUNT.password);
    const [file = ''] = await readdir(join(dataDir, 'datasets'));
    expect((await stat(join(dataDir, 'datasets', file))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'datasets'))).mode & 0o777).toBe(0o700);
  });

  it('is not there without its record, or with half of one', async () => {
    await kept(cache());
    const [file = ''] = await readdir(join(dataDir, 'datasets'));
    const text = await readFile(join(dataDir, 'datasets', file), 'utf8');
    await writeFile(join(dataDir, 'datasets', file), text.slice(0, -40));
    expect(await use(cache())).toBeUndefined();
    await rm(join(dataDir, 'datasets', file));
    expect(await use(cache())).toBeUndefined();
  });

  it('is loaded anew when looking fails, but a lost engine is told', async () => {
    await kept(cache());
    runtime.failing.set('listVolumes io.whalemark.dataset', new BenchmarkError('ENGINE_REFUSED'));
    expect(await use(cache())).toBeUndefined();
    runtime.failing.set('listVolumes io.whalemark.dataset', new BenchmarkError('ENGINE_LOST'));
    await expect(use(cache())).rejects.toThrow(expect.objectContaining({ code: 'ENGINE_LOST' }));
  });
});

describe('a load that is not whole', () => {
  it('is left to its loader while that lives, and swept after its death', async () => {
    const draft = await loaded(cache());
    expect([await use(cache()), await cache().list()]).toEqual([undefined, []]);
    expect(await cache().sweep()).toEqual({ removed: [], remaining: [] });
    draft.labels[DATASET_LOADER_LABEL] = deadOwner();
    expect(await cache().sweep()).toEqual({ removed: [draft.name], remaining: [] });
  });
});

describe('limits', () => {
  it('keep those used last', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
    const limited = cache({ datasets: 2, bytes: 1e9 });
    const first = await kept(limited, '1'.repeat(32));
    vi.setSystemTime(2_000);
    await kept(limited, '2'.repeat(32));
    vi.setSystemTime(3_000);
    expect(await use(limited, '1'.repeat(32))).toBeDefined();
    vi.setSystemTime(4_000);
    const third = await kept(limited, '3'.repeat(32));
    expect(volumes()).toEqual([first, third]);
    expect((await limited.list()).map(({ volume }) => volume)).toEqual([third, first]);
  });

  it('keep no more bytes than allowed', async () => {
    const limited = cache({ datasets: 3, bytes: 1500 * 1024 });
    await kept(limited, '1'.repeat(32));
    const second = await kept(limited, '2'.repeat(32));
    expect(volumes()).toEqual([second]);
    expect(await keep(await loaded(limited, '3'.repeat(32), 1600))).toBe(false);
  });

  it('keep one dataset of a key, the newer one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
    await kept(cache());
    vi.setSystemTime(2_000);
    const newer = await kept(cache());
    expect(volumes()).toEqual([newer]);
  });

  it('leave what a run holds until it has ended', async () => {
    const name = await kept(cache());
    runtime.failing.set(`removeVolume ${name}`, new BenchmarkError('ENGINE_REFUSED'));
    expect(await cache().clear()).toEqual({ removed: [], remaining: [name] });
    // No run begins to use it any more.
    expect(await use(cache())).toBeUndefined();
    runtime.failing.clear();
    const labels = runtime.volumesMade.get(name)?.labels ?? {};
    labels[DATASET_LOADER_LABEL] = deadOwner();
    expect(await cache().sweep()).toEqual({ removed: [name], remaining: [] });
  });
});
