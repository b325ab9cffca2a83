import { randomBytes } from 'node:crypto';
import { BenchmarkError } from '../../shared/errors.ts';
import { isOwnerAlive, ownOwner } from '../machine/owner.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { errnoOf } from '../errno.ts';
import type { ContainerRuntime, OwnedResource } from '../runtime/container-runtime.ts';
import {
  DATASET_HOME_LABEL,
  DATASET_LABEL,
  DATASET_LOADER_LABEL,
  ROLE_LABEL,
  VERSION_LABEL,
} from '../runtime/labels.ts';
import type { Account } from '../target/target-server.ts';
import type { Dataset } from './dataset.ts';
import { DatasetRecords, homeId, type DatasetRecord, type DatasetSource } from './dataset-records.ts';
import { lookerSpec, readContents, type Looker, type VolumeContents } from './volume-contents.ts';

/** What is kept at the most; the one used last always is, if it fits at all. */
export interface CacheLimits {
  datasets: number;
  bytes: number;
}
export const DEFAULT_LIMITS: CacheLimits = { datasets: 3, bytes: 20 * 2 ** 30 };

/** A dataset that is being loaded into a volume which may be kept. */
export interface DatasetDraft {
  /** Create the volume under this name, with these labels and no others. */
  readonly name: string;
  readonly labels: Record<string, string>;
  /** False until `keep` has made it whole; then the volume must not be removed with the run. */
  readonly isKept: boolean;
  /**
   * Call it once the server has shut down cleanly and its files are written out. Resolves with whether the dataset is
   * kept; rejects with ENGINE_LOST only.
   */
  keep(loaded: {
    datadir: string;
    account: Account;
    about: string;
    source: DatasetSource;
    looker: Looker;
  }): Promise<boolean>;
}

/** A kept dataset, for people. */
export interface CachedDataset {
  volume: string;
  about: string;
  source: DatasetSource;
  bytes: number;
  lastUsedAt: number;
}

export interface Swept {
  removed: string[];
  /** In use by a run. */
  kept: string[];
}

/**
 * Loaded datasets kept between runs, each in a volume `whalemark-dataset-…` of its own with labels of its own: no owner
 * and no run, so that sweeping after dead runs never takes one. `loadDataset` uses it so:
 *
 *     const used = fresh ? undefined : await cache.use(key, looker, (id) => cleanup.add('container', …));
 *     if (used !== undefined) return used;
 *     const draft = cache.draft(key);
 *     … prepareStorage({ kind: 'named-volume' }, { …, name: draft.name, labels: draft.labels })
 *     cleanup.add('storage', () => (draft.isKept ? Promise.resolve() : storage.dispose()));
 *     … load, shut down cleanly …
 *     await draft.keep({ datadir, account, about, source, looker });
 *
 * A volume counts as a dataset only once its record is on disk (`DatasetRecords`), which is written last: whatever
 * crashes before leaves a volume without a record, which `sweep` removes when its loader is dead. Volumes of another
 * folder of records, and of other machines on the same engine, are never touched. A volume that a container holds can't be removed (the
 * engine refuses), so runs at the same time don't disturb each other.
 */
export class DatasetCache {
  /** Folder of the records. */
  readonly directory: string;
  readonly #runtime: ContainerRuntime;
  readonly #records: DatasetRecords;
  readonly #appVersion: string;
  readonly #home: string;
  readonly #limits: CacheLimits;

  constructor(options: {
    runtime: ContainerRuntime;
    /** Folder of the records. */
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

  /**
   * The dataset of a key, or undefined when there is none that is as it was left. `onHeld` gets the container of the run
   * that holds it, read-only, as soon as there is one. Rejects with ENGINE_LOST or DATA_FOLDER_UNREADABLE only.
   */
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
      // A dataset can always be loaded anew.
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
      keep: async ({ datadir, account, about, source, looker }) => {
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
            about,
            source,
            account: { user: account.user, password: account.password, database: account.database },
            lastUsedAt: Date.now(),
          });
          isKept = true;
          await this.#evict();
        } catch (error) {
          throwIfLost(error);
        }
        return isKept;
      },
    };
  }

  /** What is kept on this engine, the one used last first. */
  async list(): Promise<CachedDataset[]> {
    const here = await this.#volumes();
    return (await this.#records.all())
      .filter(({ volume }) => here.has(volume))
      .map(({ volume, about, source, bytes, lastUsedAt }) => ({ volume, about, source, bytes, lastUsedAt }));
  }

  /** Names of volumes that belong to another folder or machine; never touched from here. */
  async others(): Promise<string[]> {
    const ours = await this.#volumes();
    const all = await this.#runtime.volumes.list(DATASET_LABEL);
    return all.filter(({ name }) => !ours.has(name)).map(({ name }) => name);
  }

  /** The volumes that have no record, each with the owner label of the process that made it. */
  async leftovers(): Promise<{ name: string; loader: string }[]> {
    return this.#strays();
  }

  /** Removes what loads that were cut short left, and what the limits no longer allow. */
  async sweep(): Promise<Swept> {
    const evicted = await this.#evict();
    const swept = await this.#removeStrays((loader) => isOwnerAlive(loader) === 'dead');
    return { removed: [...evicted.removed, ...swept.removed], kept: [...evicted.kept, ...swept.kept] };
  }

  /** Removes every dataset of this folder from this engine; one that a run uses goes with the next sweep. */
  async clear(): Promise<Swept> {
    const here = await this.#volumes();
    const swept: Swept = { removed: [], kept: [] };
    for (const record of await this.#records.all()) {
      if (here.has(record.volume)) await this.#drop(record, swept);
    }
    const strays = await this.#removeStrays((loader) => isOwnerAlive(loader) !== 'alive');
    return {
      removed: [...swept.removed, ...strays.removed],
      kept: [...new Set([...swept.kept, ...strays.kept])],
    };
  }

  /** A container with the volume, if the volume is still what the record says; else the dataset is dropped. */
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
    // The engine makes a missing volume anew, and empty: that one goes, too.
    await this.#runtime.containers.remove(containerId);
    await this.#drop(record, { removed: [], kept: [] });
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

  /** Drops what is beyond the limits, a key's older datasets, and records whose volume somebody has removed. */
  async #evict(): Promise<Swept> {
    const here = await this.#volumes();
    const swept: Swept = { removed: [], kept: [] };
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
    return swept;
  }

  /** The record goes first: from then on nobody begins to use the volume. */
  async #drop({ volume }: DatasetRecord, swept: Swept): Promise<void> {
    await this.#records.remove(volume);
    await this.#removeVolume(volume, swept);
  }

  async #removeStrays(isStray: (loader: string) => boolean): Promise<Swept> {
    const swept: Swept = { removed: [], kept: [] };
    for (const { name, loader } of await this.#strays()) {
      if (isStray(loader)) await this.#removeVolume(name, swept);
    }
    return swept;
  }

  async #strays(): Promise<{ name: string; loader: string }[]> {
    // In this order: a record that is written in between must count.
    const here = await this.#volumes();
    const recorded = new Set((await this.#records.all()).map(({ volume }) => volume));
    return [...here.values()]
      .filter(({ name }) => !recorded.has(name))
      .map(({ name, labels }) => ({ name, loader: labels[DATASET_LOADER_LABEL] ?? '' }));
  }

  async #removeVolume(name: string, swept: Swept): Promise<void> {
    try {
      await this.#runtime.volumes.remove(name);
      swept.removed.push(name);
    } catch (error) {
      throwIfLost(error);
      swept.kept.push(name);
    }
  }

  /** The volumes of this folder's datasets, by name: also those from before the machine or the folder was renamed. */
  async #volumes(): Promise<Map<string, OwnedResource>> {
    // In this order: a record that is written in between must count.
    const all = await this.#runtime.volumes.list(DATASET_LABEL);
    const recorded = new Set((await this.#records.all()).map(({ volume }) => volume));
    const ours = all.filter(
      ({ name, labels }) => labels[DATASET_HOME_LABEL] === this.#home || recorded.has(name),
    );
    return new Map(ours.map((volume) => [volume.name, volume]));
  }
}

/** The datasets that an installation keeps; undefined when it keeps none. */
export function datasetCache(
  runtime: ContainerRuntime,
  { datasetDir, appVersion }: { datasetDir: string | null; appVersion: string },
): DatasetCache | undefined {
  return datasetDir === null ? undefined : new DatasetCache({ runtime, directory: datasetDir, appVersion });
}

/** Whatever else goes wrong with the engine or a file costs the cached dataset, not the run. */
function throwIfLost(error: unknown): void {
  const isForeign = error instanceof BenchmarkError ? !isEngineLost(error) : errnoOf(error) !== undefined;
  if (!isForeign) throw error;
}
