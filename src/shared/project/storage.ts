import { isInMemory } from '../kinds/storages.ts';
import { driverOptions, type NfsSpec } from '../kinds/storage-options.ts';
import { msg, type Message } from '../message.ts';
import type { StorageSpec } from '../model/server-spec.ts';
import type { DatabaseService } from '../model/database.ts';
import { optionProblem } from '../preset/mount-options.ts';
import type { Command } from './command.ts';
import type { ServerImage } from './image.ts';
import { hostPath, isFolder, isWindowsPath, type ComposeInput } from './input.ts';
import {
  entriesOf,
  entryOf,
  isTrue,
  itemsOf,
  placeOf,
  type At,
  type Mapping,
  type Notes,
  type Scalar,
  type Tree,
} from './tree.ts';

export interface ComposeMount {
  kind: 'volume' | 'bind' | 'tmpfs' | 'other';
  /** A volume's name or an absolute folder; null: anonymous. */
  source: string | null;
  target: string;
  /** Of a tmpfs. */
  sizeMiB: number | undefined;
  at: At;
}

/** For one target the last counts. */
export function mountsOf(service: Mapping, input: ComposeInput, notes: Notes): ComposeMount[] {
  const mounts = (['volumes', 'tmpfs'] as const).flatMap((field) =>
    itemsOf(entryOf(service, field)).flatMap((item) => mountIn(item, field, input, notes)),
  );
  return [...new Map(mounts.map((mount) => [mount.target, mount])).values()];
}

/** An item of `volumes` or `tmpfs`; empty: unreadable. */
export function mountIn(
  item: Tree,
  field: 'volumes' | 'tmpfs',
  input: ComposeInput,
  notes: Notes,
): ComposeMount[] {
  if (field === 'tmpfs') return tmpfsMount(item, notes);
  if (item.kind === 'map') return longMount(item, input, notes);
  return item.kind === 'scalar' ? shortMount(item, input, notes) : [];
}

/** The deepest that holds the path. */
export function mountAt(mounts: readonly ComposeMount[], path: string): ComposeMount | undefined {
  return mounts
    .filter(({ target }) => isWithin(path, target))
    .reduce<ComposeMount | undefined>(
      (best, one) => (best === undefined || one.target.length > best.target.length ? one : best),
      undefined,
    );
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

export function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function shortMount(item: Scalar, input: ComposeInput, notes: Notes): ComposeMount[] {
  const text = notes.text(item);
  if (text === undefined) return [];
  const drive = isWindowsPath(text) ? text.slice(0, 2) : '';
  const [first = '', second, ...rest] = text.slice(drive.length).split(':');
  const [source, target] = second === undefined ? [null, first] : [drive + first, second];
  if (target === '' || source === '' || rest.length > 1) {
    notes.refuse(item.at, msg('compose.mount'));
    return [];
  }
  return mountOf(
    source !== null && isFolder(source) ? 'bind' : 'volume',
    source,
    target,
    item.at,
    input,
    notes,
  );
}

function longMount(item: Mapping, input: ComposeInput, notes: Notes): ComposeMount[] {
  const type = notes.text(entryOf(item, 'type')) ?? 'volume';
  const target = notes.text(entryOf(item, 'target'));
  const source = notes.text(entryOf(item, 'source')) ?? null;
  if (target === undefined || target === '' || (type === 'bind' && source === null)) {
    notes.refuse(item.at, msg('compose.mount'));
    return [];
  }
  if (type === 'tmpfs') {
    const size = notes.text(entryOf(item, 'tmpfs', 'size'));
    const sizeMiB = size === undefined ? undefined : mebibytesOf(size);
    return [{ kind: 'tmpfs', source: null, target: normalPath(target), sizeMiB, at: item.at }];
  }
  const kind = type === 'volume' || type === 'bind' ? type : 'other';
  return mountOf(kind, source, target, item.at, input, notes);
}

const VOLUME_NAME = /^[A-Za-z0-9][\w.-]*$/;

function mountOf(
  kind: ComposeMount['kind'],
  source: string | null,
  target: string,
  at: At,
  input: ComposeInput,
  notes: Notes,
): ComposeMount[] {
  const mount = { kind, target: normalPath(target), sizeMiB: undefined, at };
  if (kind === 'bind' && source !== null) return [{ ...mount, source: hostPath(source, at, input) }];
  if (kind === 'volume' && source !== null && !VOLUME_NAME.test(source)) {
    notes.refuse(at, msg('compose.volumeName'));
    return [];
  }
  return [{ ...mount, source }];
}

function tmpfsMount(item: Tree, notes: Notes): ComposeMount[] {
  const text = notes.text(item);
  if (text === undefined) return [];
  const [target = '', options = ''] = text.split(':');
  return [{ kind: 'tmpfs', source: null, target: normalPath(target), sizeMiB: sizeIn(options), at: item.at }];
}

type Storage = DatabaseService['storage'];

interface Place {
  service: Mapping;
  image: ServerImage;
  command: Command;
  mounts: readonly ComposeMount[];
  volumes: Tree | undefined;
  project: string;
  isWindows: boolean;
  notes: Notes;
}

const UNNAMED = { place: null, driver: null };

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
  const ownName = notes.text(entryOf(declared, 'name')) ?? notes.text(entryOf(external, 'name'));
  const place = ownName ?? (isExternal ? name : `${project}_${name}`);
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

interface OptionsStorage extends Pick<DatabaseService['storage'], 'kind' | 'spec'> {
  /** The volume is a folder of the host. */
  folder?: string;
  /** Why `spec` is null. */
  refusal?: Message;
}

/** Source: Docker documentation, "docker volume create", driver-specific options. */
export function storageOfOptions({
  type = '',
  device = '',
  o,
}: Partial<Record<'type' | 'device' | 'o', string>>): OptionsStorage {
  if (type === 'tmpfs') return { kind: 'tmpfs', spec: tmpfsSpec(sizeIn(o ?? '')) };
  if (/(?:^|,)r?bind(?:,|$)/.test(o ?? '')) {
    return { kind: 'bind-mount', spec: { kind: 'bind-mount' }, folder: device };
  }
  const spec = specOf({ type, device, ...(o === undefined ? {} : { o }) });
  const refusal = refusalOf(spec, o ?? '');
  return refusal === undefined ? { kind: spec.kind, spec } : { kind: spec.kind, spec: null, refusal };
}

export function tmpfsSpec(sizeMiB: number | undefined): StorageSpec {
  return sizeMiB === undefined
    ? { kind: 'tmpfs' }
    : { kind: 'tmpfs', sizeMiB: Math.max(1, Math.round(sizeMiB)) };
}

export function sizeIn(options: string): number | undefined {
  const size = /(?:^|,)size=([^,]+)/.exec(options)?.[1];
  return size === undefined ? undefined : mebibytesOf(size);
}

function refusalOf(spec: StorageSpec, o: string): Message | undefined {
  // Credentials of a share don't go into presets and results.
  const hasLogin = /(?:^|,)(?:user|username|pass|password|cred|credentials|dom|domain)=/i.test(o);
  if (hasLogin) return msg('compose.shareLogin');
  const problem = optionProblem(spec);
  return problem === undefined ? undefined : msg(problem.code, problem.params);
}

function specOf(options: { type: string; device: string; o?: string }): StorageSpec {
  const nfs = nfsOf(options);
  return nfs === undefined ? { kind: 'volume-options', options } : { kind: 'nfs', nfs };
}

/** Undefined: not NFS, or only driver options can say it. */
function nfsOf({ type, device, o = '' }: { type: string; device: string; o?: string }): NfsSpec | undefined {
  const [, path] = /^:(\/.*)$/s.exec(device) ?? [];
  if (!/^nfs4?$/.test(type) || path === undefined) return undefined;
  const mountOptions = o.split(',').filter((one) => one !== '');
  const value = (key: string): string | undefined =>
    mountOptions.find((one) => one.startsWith(`${key}=`))?.slice(key.length + 1);
  const version = (['3', '4', '4.0', '4.1', '4.2'] as const).find(
    (one) => one === (value('nfsvers') ?? value('vers')),
  );
  const address = value('addr');
  if (version === undefined || address === undefined) return undefined;
  const nfs = {
    address,
    path,
    version,
    soft: mountOptions.includes('soft'),
    lock: !mountOptions.includes('nolock'),
  };
  const same = new Set((driverOptions({ nfs })['o'] ?? '').split(','));
  const plain = mountOptions.map((one) => one.replace(/^vers=/, 'nfsvers='));
  return plain.every((one) => same.has(one)) ? nfs : undefined;
}

const BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};

/** "512m", "1.5gb", "1073741824". */
export function bytesOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([bkmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  const factor = BYTES[unit.toLowerCase()];
  const bytes = Number(digits) * (factor ?? NaN);
  return bytes > 0 && bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined;
}

/** Not rounded. */
export function mebibytesOf(text: string): number | undefined {
  const bytes = bytesOf(text);
  return bytes === undefined ? undefined : bytes / 2 ** 20;
}
