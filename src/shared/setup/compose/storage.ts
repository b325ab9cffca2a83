import { msg } from '../../message.ts';
import { isInMemory } from '../../kinds/storages.ts';
import type { SetupService } from '../../model/setup.ts';
import { storageOfOptions, tmpfsSpec } from '../volume-options.ts';
import type { Command } from './command.ts';
import type { ServerImage } from './images.ts';
import { isWindowsPath, isWithin, mountAt, normalPath, type ComposeMount } from './mounts.ts';
import { placeOf, type Notes, isTrue } from './notes.ts';
import { entriesOf, entryOf, type At, type Mapping, type Tree } from './tree.ts';

type Storage = SetupService['storage'];

interface Place {
  service: Mapping;
  image: ServerImage;
  command: Command;
  mounts: readonly ComposeMount[];
  /** Of the project. */
  volumes: Tree | undefined;
  project: string;
  isWindows: boolean;
  notes: Notes;
}

const UNNAMED = { place: null, driver: null };

/** Where the data directory is, and what gives the same kind of place to other data. */
export function storageOf(place: Place): Storage {
  const { service, image, command, mounts, notes } = place;
  const datadir = normalPath(command.datadir?.path ?? image.datadir);
  for (const { target, at } of mounts) {
    if (target !== datadir && isWithin(target, datadir)) notes.warn(at, msg('compose.innerMount'));
  }
  const mount = mountAt(mounts, datadir);
  if (mount !== undefined) return { ...mounted(place, mount), datadir, at: placeOf(mount.at) };
  const from = entryOf(service, 'volumes_from');
  if (from !== undefined) {
    notes.warn(from.at, msg('compose.volumesFrom'));
    return { ...known('data-container'), datadir, at: placeOf(from.at) };
  }
  const at = placeOf(command.datadir?.at ?? service.at);
  return {
    ...known(
      image.volume !== null && isWithin(datadir, image.volume) ? 'anonymous-volume' : 'container-layer',
    ),
    datadir,
    at,
  };
}

type Kind = Omit<Storage, 'datadir' | 'at'>;

function known(kind: 'data-container' | 'anonymous-volume' | 'container-layer'): Kind {
  return { kind, spec: { kind }, ...UNNAMED };
}

function mounted(place: Place, { kind, source, sizeMiB, at }: ComposeMount): Kind {
  if (kind === 'tmpfs') return tmpfs(sizeMiB);
  if (kind === 'bind') return bind(source, at, place);
  if (kind === 'other') {
    place.notes.warn(at, msg('compose.mountType'));
    return { kind: 'volume-options', spec: null, ...UNNAMED };
  }
  return source === null ? known('anonymous-volume') : volume(place, source, at);
}

function tmpfs(sizeMiB: number | undefined): Kind {
  return { kind: 'tmpfs', spec: tmpfsSpec(sizeMiB), ...UNNAMED };
}

function bind(folder: string | null, at: At, { isWindows, notes }: Place): Kind {
  const isShare = folder !== null && /^[\\/]{2}/.test(folder);
  const isHere = folder !== null && !isShare && (isWindows || !isWindowsPath(folder));
  if (!isHere) notes.warn(at, msg(isShare ? 'compose.share' : 'compose.windowsPath'));
  return { kind: 'bind-mount', spec: isHere ? { kind: 'bind-mount' } : null, place: folder, driver: null };
}

function volume({ volumes, project, isWindows, notes }: Place, name: string, at: At): Kind {
  const declared = entryOf(volumes, name);
  if (declared === undefined) notes.refuse(at, msg('compose.noVolume', { name }));
  const external = entryOf(declared, 'external');
  const isExternal = external?.kind === 'map' || isTrue(notes.text(external));
  const given = notes.text(entryOf(declared, 'name')) ?? notes.text(entryOf(external, 'name'));
  const place = given ?? (isExternal ? name : `${project}_${name}`);
  const driver = notes.text(entryOf(declared, 'driver')) ?? 'local';
  const named = { kind: 'named-volume' as const, spec: { kind: 'named-volume' as const }, place, driver };
  if (isExternal) {
    notes.warn(declared?.at ?? at, msg('compose.externalVolume', { name: place }));
    return { ...named, driver: null };
  }
  if (driver !== 'local') {
    notes.warn(entryOf(declared, 'driver')?.at ?? at, msg('compose.volumeDriver', { driver }));
    return { ...named, spec: null };
  }
  const options = entryOf(declared, 'driver_opts');
  const values = new Map(entriesOf(options).map(([key, value]) => [key, notes.text(value) ?? '']));
  if (options === undefined || values.size === 0) return named;
  return { place, driver, ...withOptions(values, options.at, { isWindows, notes }) };
}

type WithOptions = Pick<Kind, 'kind' | 'spec'> & { place?: string };

function withOptions(
  values: ReadonlyMap<string, string>,
  at: At,
  { isWindows, notes }: Pick<Place, 'isWindows' | 'notes'>,
): WithOptions {
  const { kind, spec, folder, refusal } = storageOfOptions(Object.fromEntries(values));
  if (folder !== undefined) {
    const isHere = folder.startsWith('/') || (isWindows && isWindowsPath(folder));
    if (!isHere) notes.warn(at, msg('compose.bindVolume'));
    return { kind, spec: isHere ? spec : null, place: folder };
  }
  if (refusal !== undefined) notes.warn(at, msg('compose.volumeOptions', { reason: refusal }));
  else if (!isInMemory(kind)) notes.warn(at, msg('compose.insideVolume'));
  return { kind, spec };
}
