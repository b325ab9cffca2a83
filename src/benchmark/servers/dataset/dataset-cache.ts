import { randomBytes } from 'node:crypto';
import { BenchmarkError } from '../../../shared/errors.ts';
import { isOwnerAlive, ownOwner } from '../../owners/owner.ts';
import { isEngineLost } from '../../runtime/engine/engine-error.ts';
import { errnoOf } from '../../files/failures.ts';
import type { ContainerRuntime, OwnedResource } from '../../runtime/container-runtime.ts';
import {
  DATASET_HOME_LABEL,
  DATASET_LABEL,
  DATASET_LOADER_LABEL,
  ROLE_LABEL,
  VERSION_LABEL,
} from '../../runtime/labels.ts';
import type { Account } from '../target-server.ts';
import type { Dataset } from './dataset.ts';
import { DatasetRecords, homeId, type DatasetRecord, type DatasetSource } from './dataset-records.ts';
import { lookerSpec, readContents, type Looker, type VolumeContents } from './volume-contents.ts';

/** The most recently used dataset stays if it fits alone. */
export interface CacheLimits {
  datasets: number;
  bytes: number;
}
export const DEFAULT_LIMITS: CacheLimits = { datasets: 3, bytes: 20 * 2 ** 30 };

export interface DatasetDraft {
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly isKept: boolean;
  /** Call after a clean shutdown with files synced. Resolves with whether the volume is kept. */
  keep(loaded: {
    datadir: string;
    account: Account;
    source: DatasetSource;
    looker: Looker;
  }): Promise<boolean>;
}

interface CachedDataset {
  volume: string;
  source: DatasetSource;
  bytes: number;
  lastUsedAt: number;
}

interface Swept {
  removed: string[];
  remaining: string[];
}

/** Volumes have no owner and run labels, so that sweeps never take one. Only those with a record count. */
export class DatasetCache {
  readonly directory: string;
  readonly #runtime: ContainerRuntime;
  readonly #records: DatasetRecords;
  readonly #appVersion: string;
  readonly #home: string;
  readonly #limits: CacheLimits;

  constructor(options: {
    runtime: ContainerRuntime;
    directory: string;
    appVersion: string;
    limits?: CacheLimits;
  }) {
    this.directory = options.directory;
    this.#runtime = options.runtime;
    this.#records = new DatasetRecords(options.directory);
    this.#appVersion = options.appVersion;
    this.#home = homeId(options.directory);
    this.#limits = options.limits ?? DEFAULT_LIMITS;
  }

  /** Undefined without a dataset in its original state. */
  async use(
    key: string,
    looker: Looker,
    onHeld: (containerId: string) => void,
  ): Promise<Dataset | undefined> {
    const known = (await this.#records.all()).filter((record) => record.key === key);
    if (known.length === 0) return undefined;
    try {
      const here = await this.#volumes();
      for (const record of known) {
        if (here.get(record.volume)?.labels[DATASET_LABEL] !== key) continue;
        const containerId = await this.#hold(record, looker, onHeld);
        if (containerId === undefined) continue;
        await this.#records.write({ ...record, lastUsedAt: Date.now() });
        const { volume, datadir, bytes, account } = record;
        return { containerId, datadir, bytes, volume, account };
      }
    } catch (error) {
      throwIfLost(error);
    }
    return undefined;
  }

  draft(key: string): DatasetDraft {
    const name = `whalemark-dataset-${key.slice(0, 12)}-${randomBytes(4).toString('hex')}`;
    let isKept = false;
    return {
      name,
      labels: {
        [DATASET_LABEL]: key,
        [DATASET_HOME_LABEL]: this.#home,
        [DATASET_LOADER_LABEL]: ownOwner(),
        [VERSION_LABEL]: this.#appVersion,
        [ROLE_LABEL]: 'dataset-cache',
      },
      get isKept() {
        return isKept;
      },
      keep: async ({ datadir, account, source, looker }) => {
        try {
          const contents = await this.#look(name, datadir, looker);
          if (contents.bytes > this.#limits.bytes) return false;
          await this.#records.write({
            format: 'whalemark-dataset',
            version: 1,
            volume: name,
            key,
            runtimeId: this.#runtime.id,
            datadir,
            ...contents,
            source,
            account,
            lastUsedAt: Date.now(),
          });
          isKept = true;
          await this.#evict({ removed: [], remaining: [] });
        } catch (error) {
          throwIfLost(error);
        }
        return isKept;
      },
    };
  }

  async list(): Promise<CachedDataset[]> {
    const here = await this.#volumes();
    return (await this.#records.all())
      .filter(({ volume }) => here.has(volume))
      .map(({ volume, source, bytes, lastUsedAt }) => ({ volume, source, bytes, lastUsedAt }));
  }

  async others(): Promise<string[]> {
    const ours = await this.#volumes();
    const all = await this.#runtime.volumes.list(DATASET_LABEL);
    return all.filter(({ name }) => !ours.has(name)).map(({ name }) => name);
  }

  async leftovers(): Promise<{ name: string; loader: string }[]> {
    const here = await this.#volumes();
    const recorded = new Set((await this.#records.all()).map(({ volume }) => volume));
    return [...here.values()]
      .filter(({ name }) => !recorded.has(name))
      .map(({ name, labels }) => ({ name, loader: labels[DATASET_LOADER_LABEL] ?? '' }));
  }

  async sweep(only?: string): Promise<Swept> {
    const swept: Swept = { removed: [], remaining: [] };
    await this.#evict(swept);
    await this.#removeLeftovers(
      (loader) => loader === (only ?? loader) && isOwnerAlive(loader) === 'dead',
      swept,
    );
    return swept;
  }

  /** A volume in use goes with the next sweep. */
  async clear(): Promise<Swept> {
    const here = await this.#volumes();
    const swept: Swept = { removed: [], remaining: [] };
    for (const record of await this.#records.all()) {
      if (here.has(record.volume)) await this.#drop(record, swept);
    }
    await this.#removeLeftovers((loader) => isOwnerAlive(loader) !== 'alive', swept);
    return { ...swept, remaining: [...new Set(swept.remaining)] };
  }

  async #hold(
    record: DatasetRecord,
    looker: Looker,
    onHeld: (containerId: string) => void,
  ): Promise<string | undefined> {
    const { volume, datadir, fingerprint } = record;
    const containerId = await this.#runtime.containers.create(lookerSpec(looker, volume, datadir));
    onHeld(containerId);
    try {
      if ((await readContents(this.#runtime, containerId)).fingerprint === fingerprint) return containerId;
    } catch (error) {
      throwIfLost(error);
    }
    await this.#runtime.containers.remove(containerId);
    await this.#drop(record, { removed: [], remaining: [] });
    return undefined;
  }

  async #look(volume: string, datadir: string, looker: Looker): Promise<VolumeContents> {
    const containerId = await this.#runtime.containers.create(lookerSpec(looker, volume, datadir));
    try {
      return await readContents(this.#runtime, containerId);
    } finally {
      await this.#runtime.containers.remove(containerId);
    }
  }

  async #evict(swept: Swept): Promise<void> {
    const here = await this.#volumes();
    const keys = new Set<string>();
    let bytes = 0;
    for (const record of await this.#records.all()) {
      if (!here.has(record.volume)) {
        if (record.runtimeId === this.#runtime.id) await this.#records.remove(record.volume);
        continue;
      }
      const fits = keys.size < this.#limits.datasets && bytes + record.bytes <= this.#limits.bytes;
      if (fits && !keys.has(record.key)) {
        keys.add(record.key);
        bytes += record.bytes;
      } else await this.#drop(record, swept);
    }
  }

  /** The record goes first, so that no run starts using the volume. */
  async #drop({ volume }: DatasetRecord, swept: Swept): Promise<void> {
    await this.#records.remove(volume);
    await this.#removeVolume(volume, swept);
  }

  async #removeLeftovers(isMeant: (loader: string) => boolean, swept: Swept): Promise<void> {
    for (const { name, loader } of await this.leftovers()) {
      if (isMeant(loader)) await this.#removeVolume(name, swept);
    }
  }

  async #removeVolume(name: string, swept: Swept): Promise<void> {
    try {
      await this.#runtime.volumes.remove(name);
      swept.removed.push(name);
    } catch (error) {
      throwIfLost(error);
      swept.remaining.push(name);
    }
  }

  /** Records also identify volumes from before a rename of the machine or folder. */
  async #volumes(): Promise<Map<string, OwnedResource>> {
    const all = await this.#runtime.volumes.list(DATASET_LABEL);
    const recorded = new Set((await this.#records.all()).map(({ volume }) => volume));
    const ours = all.filter(
      ({ name, labels }) => labels[DATASET_HOME_LABEL] === this.#home || recorded.has(name),
    );
    return new Map(ours.map((volume) => [volume.name, volume]));
  }
}

export function datasetCache(
  runtime: ContainerRuntime,
  { datasetDir, appVersion }: { datasetDir: string | null; appVersion: string },
): DatasetCache | undefined {
  return datasetDir === null ? undefined : new DatasetCache({ runtime, directory: datasetDir, appVersion });
}

function throwIfLost(error: unknown): void {
  const isForeign = error instanceof BenchmarkError ? !isEngineLost(error) : errnoOf(error) !== undefined;
  if (!isForeign) throw error;
}
