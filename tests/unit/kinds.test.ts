import { describe, expect, it } from 'vitest';
import { BenchmarkError } from '../../src/shared/errors.ts';
import { ENGINES, PRODUCTS, productTraits, RUNTIME_KINDS } from '../../src/shared/kinds/engines.ts';
import { mixOf } from '../../src/shared/kinds/mixes.ts';
import { pathTraits } from '../../src/shared/kinds/paths.ts';
import {
  inContainer,
  isContainerStorage,
  STORAGES,
  type StorageKind,
  type StorageTraits,
} from '../../src/shared/kinds/storages.ts';
import { CONTAINER_PATHS, mismatch, NATIVE_PATH } from '../../src/shared/model/cells.ts';
import { OLTP_KINDS, PATH_KINDS, STORAGE_KINDS, WORKLOAD_KINDS } from '../../src/shared/model/names.ts';
import { storageSpecSchema, type StorageSpec } from '../../src/shared/model/server-spec.ts';
import { workloadSchema } from '../../src/shared/model/workload.ts';
import { createTranslator } from '../../src/shared/words/i18n.ts';
import { transactions } from '../../src/benchmark/load/builtin/oltp/transactions.ts';
import { createRandom } from '../../src/benchmark/random.ts';
import { OWNER_LABEL } from '../../src/benchmark/runtime/labels.ts';
import { prepareStorage } from '../../src/benchmark/servers/storage/storage.ts';
import { makeState } from './builders.ts';
import { FakeRuntime } from './fake-runtime.ts';
import { newFolder } from '../helpers/folders.ts';

/** Rules for every kind, also for one that is added. */

/** Values for the options of storages. */
const OPTIONS: Required<Pick<StorageSpec, 'starts' | 'sizeMiB' | 'options'>> & { nfs: object } = {
  starts: 'empty',
  sizeMiB: 64,
  options: { type: 'ext4', device: '/dev/whalemark-disk' },
  nfs: { address: 'nas', path: '/export' },
};

/** When each kind loses its data. It is repeated here, because a wrong one would cost users their data. */
const DURABILITY: Record<StorageKind, StorageTraits['durability']> = {
  'named-volume': 'kept',
  'anonymous-volume': 'unnamed',
  'bind-mount': 'kept',
  'container-layer': 'container',
  'image-layer': 'container',
  'data-container': 'unnamed',
  'volume-options': 'kept',
  nfs: 'kept',
  tmpfs: 'memory',
  native: 'kept',
};

function specOf(kind: StorageSpec['kind']): StorageSpec {
  const { options: [first] = [], needsOption } = STORAGES[kind];
  return storageSpecSchema.parse({ kind, ...(needsOption && first ? { [first]: OPTIONS[first] } : {}) });
}

const LANGUAGES = ['en', 'zh-CN'] as const;
/** Fails for a text that a language lacks, or that says nothing but its key. */
function expectTexts(keys: readonly string[]): void {
  for (const language of LANGUAGES) {
    const t: (key: string) => string = createTranslator(language) as (key: string) => string;
    for (const key of keys) {
      expect(t(`messages:${key}`), `${key} in ${language}/messages.json`).not.toBe(key);
    }
  }
}

describe.each(STORAGE_KINDS)('the storage %s', (kind) => {
  it('has texts', () => {
    expectTexts([`storage.${kind}`, `choice.storage.${kind}`]);
  });

  it('takes its own options and no others', () => {
    const { options = [] } = STORAGES[kind];
    for (const [name, value] of Object.entries(OPTIONS)) {
      const { success } = storageSpecSchema.safeParse({ kind, [name]: value });
      expect(success, name).toBe(options.some((one) => one === name));
    }
  });

  it('keeps its data as long as it says', () => {
    expect(STORAGES[kind].durability).toBe(DURABILITY[kind]);
  });

  it('takes sizes in its range', () => {
    const { sizes } = STORAGES[kind];
    if (sizes === undefined) return;
    const takes = (sizeMiB: number): boolean => storageSpecSchema.safeParse({ kind, sizeMiB }).success;
    const { leastMiB, mostMiB } = sizes;
    expect([leastMiB, mostMiB, leastMiB - 1, mostMiB + 1].map(takes)).toEqual([true, true, false, false]);
  });

  it('goes with some path', () => {
    const paths = PATH_KINDS.filter((path) => mismatch({ storage: kind, path }) === undefined);
    expect(paths).toEqual(isContainerStorage(kind) ? CONTAINER_PATHS : [NATIVE_PATH]);
  });
});

describe.each(STORAGE_KINDS.filter(isContainerStorage))('the container storage %s', (kind) => {
  const prepare = (runtime: FakeRuntime) =>
    prepareStorage(specOf(kind), {
      runtime,
      name: 'whalemark-r-s1',
      image: 'sha256:server',
      labels: { [OWNER_LABEL]: 'o' },
      bindRoot: newFolder(),
      mark: { owner: 'o', runId: 'r' },
      datadirBytes: 1e9,
    });
  const left = (runtime: FakeRuntime): number => runtime.containersMade.size + runtime.volumesMade.size;

  it('is labelled and named after the run, and disposed of without a rest', async () => {
    const runtime = new FakeRuntime();
    const storage = await prepare(runtime);
    for (const { spec } of runtime.containersMade.values()) {
      expect(spec.name).toMatch(/^whalemark-r-s1/);
      expect(spec.labels).toMatchObject({ [OWNER_LABEL]: 'o' });
    }
    expect(storage.datadir).toBe(`${storage.parent}/mysql`);
    await storage.dispose();
    expect(left(runtime)).toBe(0);
  });

  it('leaves nothing when the engine refuses to start a container', async () => {
    const runtime = new FakeRuntime();
    runtime.onStart = () => {
      throw new BenchmarkError('ENGINE_REFUSED', { action: 'start', reason: 'no' });
    };
    const made = await prepare(runtime).catch(() => undefined);
    if (made === undefined) expect(left(runtime)).toBe(0);
    else await made.dispose();
  });

  it('is refused to services that can’t have it', async () => {
    const { mounts = [], ...others } = (await prepare(new FakeRuntime())).container;
    const canHave =
      mounts.length > 0 &&
      mounts.every(({ type }) => type !== 'anonymous-volume') &&
      Object.keys(others).length === 0;
    expect(inContainer(kind)?.serviceRefusal?.(makeEngine()) === undefined).toBe(canHave);
  });
});

const makeEngine = () => makeState().plan.engines[0].passport.runtime;

describe.each(PATH_KINDS)('the path %s', (path) => {
  it('has texts', () => {
    expectTexts([`path.${path}`, `choice.path.${path}`]);
  });

  it('has dashes of its own', () => {
    const { dash } = pathTraits(path);
    expect(PATH_KINDS.filter((one) => pathTraits(one).dash.join() === dash.join())).toEqual([path]);
  });

  it('keeps a client of this machine from an engine elsewhere', () => {
    const { placement, refusal } = pathTraits(path);
    const engine = { ...makeEngine(), remote: true };
    const needs = { engine, facts: {}, isClientHere: placement === 'host', serviceRefusal: undefined };
    expect(refusal?.(needs) !== undefined).toBe(placement === 'host' && CONTAINER_PATHS.includes(path));
  });
});

it.each(WORKLOAD_KINDS)('the workload %s has a text, and a schema that gives defaults', (kind) => {
  expectTexts([`choice.workload.${kind}`]);
  expect(workloadSchema.parse({ kind }).kind).toBe(kind);
});

describe.each(OLTP_KINDS)('the mix %s', (kind) => {
  const workload = workloadSchema.parse({ kind });

  it('sends statements, between BEGIN and COMMIT if it says so', () => {
    if (workload.kind === 'tpcc') throw new Error('no mix');
    const draws = { ids: createRandom(1), content: createRandom(2) };
    const kinds = transactions(workload, draws)().map((step) => step.kind);
    expect(kinds.filter((one) => one !== 'begin' && one !== 'commit')).not.toEqual([]);
    expect(kinds[0] === 'begin' && kinds.at(-1) === 'commit').toBe(mixOf(kind).isBracketed === true);
  });

  it('writes as many rows as it deletes, unless it does nothing else', () => {
    const { groups } = mixOf(kind);
    if (groups.length > 1) expect(groups.filter((one) => one === 'delete' || one === 'insert')).toEqual([]);
  });
});

describe.each(PRODUCTS)('the engine %s', (product) => {
  const { name, namedBy, processes, installedAt, start, restart } = productTraits(product);
  const platforms = ['linux', 'darwin', 'win32'] as const;

  it('is found somewhere, and started and restarted there', () => {
    const found = platforms.filter((platform) => (installedAt[platform] ?? []).length > 0);
    expect(found).not.toEqual([]);
    for (const platform of found) {
      expect(start(platform, 'systemd')).not.toBe('');
      expect(restart(platform, 'systemd')).not.toBe(start(platform, 'systemd'));
    }
  });

  it('shares its name, processes, and contexts with no other', () => {
    const others = PRODUCTS.filter((one) => one !== product).map(productTraits);
    expect(others.map((one) => one.name)).not.toContain(name);
    expect(others.filter((one) => one.processes.source === processes.source)).toEqual([]);
    expect(namedBy === undefined || others.every((one) => !namedBy.test(one.name))).toBe(true);
  });
});

it.each(RUNTIME_KINDS)('the engine %s describes itself as nothing else', (kind) => {
  const { name, isIt } = ENGINES[kind];
  if (isIt === undefined || name === undefined) return;
  const machine = `${name.toLowerCase().replace(' ', '-')}`;
  expect(isIt(name, machine)).toBe(true);
  expect(RUNTIME_KINDS.filter((one) => ENGINES[one].isIt?.(name, machine))).toEqual([kind]);
});
