import type { PresetScenario } from '../../shared/model/preset.ts';
import { OWN_SERVER, setupId } from '../../shared/model/server-spec.ts';
import type { StorageSpec } from '../../shared/model/storage-spec.ts';
import { PATHS } from '../../shared/kinds/paths.ts';

/** Everything of a storage but what people call it: storages that agree in this are one place. */
export function placeOf(storage: StorageSpec): string {
  return JSON.stringify({ ...storage, name: undefined });
}

/**
 * Gives scenarios that may share a server the same id, and all others different ones. An id reads `setup.storage.attachment`;
 * it travels in results that are given away, so what tells two places of one name apart is a number and nothing of the
 * place itself.
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
        // No name in a preset has an underscore.
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
