import type { Message, MessageCode } from '../message.ts';
import { STORAGE_KINDS } from './names.ts';
import type { PresetObject } from './preset-parts.ts';
import { storageSpecSchema } from './server-spec.ts';

/** More is a mistake, and would exhaust memory before any other check. */
export const MOST_SCENARIOS = 1000;

/** Limited, since a stranger's file may contain any number of names. */
export function knownNames(names: readonly string[]): string {
  const first = names.slice(0, 30).map((name) => (name.length > 80 ? `${name.slice(0, 79)}…` : name));
  return `${first.join(', ') || '(none)'}${names.length > 30 ? ', …' : ''}`;
}

export function tooManyOf(
  preset: PresetObject,
): { path: string[]; code: MessageCode; params: Message['params'] } | undefined {
  const { grid, reference, sweep, bufferPools, scenarios, servers, storages } = preset;
  const lists: [string[], number][] = [
    [['scenarios'], scenarios.length],
    [['grid', 'servers'], grid?.servers?.length ?? 0],
    [['grid', 'storages'], grid?.storages.length ?? 0],
    [['grid', 'paths'], grid?.paths.length ?? 0],
    [['servers'], Object.keys(servers).length],
    [['storages'], Object.keys(storages).length],
    [['bufferPools'], Object.keys(bufferPools).length],
    [['baseline'], [preset.baseline].flat().length],
    [['reference', 'cells'], Object.keys(reference?.cells ?? {}).length],
  ];
  const long = lists.find(([, length]) => length > MOST_SCENARIOS);
  if (long !== undefined) {
    return { path: long[0], code: 'preset.tooMany', params: { count: long[1], most: MOST_SCENARIOS } };
  }
  const inGrid =
    grid === undefined ? 0 : (grid.servers?.length ?? 1) * grid.storages.length * grid.paths.length;
  const each = Math.max(1, Object.keys(bufferPools).length) * (sweep?.length ?? 1);
  const count = (inGrid + scenarios.length) * each;
  return count > MOST_SCENARIOS
    ? {
        path: [grid === undefined ? 'scenarios' : 'grid'],
        code: 'preset.tooManyScenarios',
        params: { count, most: MOST_SCENARIOS },
      }
    : undefined;
}

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
