import type { MessageCode } from '../message.ts';
import { STORAGE_KINDS } from './names.ts';
import type { PresetObject } from './preset-parts.ts';
import { storageSpecSchema } from './server-spec.ts';

/** More scenarios would exhaust memory before any other check. */
export const MOST_SCENARIOS = 400;

/** The first names, since a file may contain any number. */
export function knownNames(names: readonly string[]): string {
  const first = names.slice(0, 30).map((name) => (name.length > 80 ? `${name.slice(0, 79)}…` : name));
  return `${first.join(', ') || '(none)'}${names.length > 30 ? ', …' : ''}`;
}

export function scenarioCount({ grid, scenarios, bufferPools, sweep, loadGenerator }: PresetObject): number {
  const inGrid =
    grid === undefined ? 0 : (grid.servers?.length ?? 1) * grid.storages.length * grid.paths.length;
  const places = (inGrid + scenarios.length) * Math.max(1, Object.keys(bufferPools).length);
  return places * [loadGenerator].flat().length * (sweep?.length ?? 1);
}

/** Names in a preset that nothing has. */
export function danglingNames(preset: PresetObject) {
  const servers = Object.keys(preset.servers);
  const storages = Object.keys(preset.storages);
  const found: { place: (string | number)[]; name: string; known: string[]; code: MessageCode }[] = [];
  const server = (name: string | undefined, place: (string | number)[]): void => {
    if (name !== undefined && !servers.includes(name)) {
      found.push({ place, name, known: servers, code: 'preset.noServer' });
    }
  };
  const storage = (ref: string, place: (string | number)[]): void => {
    if (storages.includes(ref) || storageSpecSchema.safeParse(ref).success) return;
    found.push({
      place,
      name: ref,
      known: [...STORAGE_NAMES_TO_CHOOSE, ...storages],
      code: 'preset.noStorage',
    });
  };
  preset.grid?.servers?.forEach((name, index) => server(name, ['grid', 'servers', index]));
  preset.grid?.storages.forEach((ref, index) => storage(ref, ['grid', 'storages', index]));
  preset.scenarios.forEach((spec, index) => {
    server(spec.server, ['scenarios', index, 'server']);
    storage(spec.storage, ['scenarios', index, 'storage']);
  });
  return found;
}

const STORAGE_NAMES_TO_CHOOSE = STORAGE_KINDS.filter((kind) => storageSpecSchema.safeParse({ kind }).success);
