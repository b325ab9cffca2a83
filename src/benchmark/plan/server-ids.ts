import type { PresetScenario } from '../../shared/model/preset.ts';
import { OWN_SERVER, setupId } from '../../shared/model/server-spec.ts';
import type { StorageSpec } from '../../shared/model/storage-spec.ts';
import { PATHS } from '../../shared/kinds/paths.ts';

/** Equal for storages that differ only in name. */
export function placeOf(storage: StorageSpec): string {
  return JSON.stringify({ ...storage, name: undefined });
}

/**
 * Equal ids for scenarios that may share a server. `setup.storage.attachment`; duplicates are numbered, since shared
 * results must not reveal places.
 */
export class ServerIds {
  readonly #byServer = new Map<string, string>();
  readonly #taken = new Set<string>();

  of(spec: PresetScenario): string {
    const setup = setupId(spec);
    const { attach } = PATHS[spec.path];
    const server = JSON.stringify([setup, spec.storageId, placeOf(spec.storage), attach]);
    const known = this.#byServer.get(server);
    if (known !== undefined) return known;
    const { sizeMiB } = spec.storage;
    const storage = sizeMiB === undefined ? spec.storageId : `${spec.storageId}-${sizeMiB}`;
    const idOf = (count: number): string =>
      [
        ...(setup === OWN_SERVER ? [] : [setup]),
        // Names contain no underscore.
        count === 1 ? storage : `${storage}_${count}`,
        attach,
      ].join('.');
    let count = 1;
    while (this.#taken.has(idOf(count))) count += 1;
    const id = idOf(count);
    this.#taken.add(id);
    this.#byServer.set(server, id);
    return id;
  }
}
