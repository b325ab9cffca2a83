import { driverOptions, type NfsSpec } from '../kinds/storage-options.ts';
import { msg, type Message } from '../message.ts';
import type { StorageSpec } from '../model/server-spec.ts';
import type { DatabaseService } from '../model/database.ts';
import { optionProblem } from '../kinds/mount-options.ts';
import { SIZE_UNITS } from '../options/option.ts';
import type { Command } from './command.ts';
import type { ServerImage } from './image.ts';
import type { ComposeModel, ComposeService } from './model.ts';
import type { Notes } from './notes.ts';

export interface Mount {
  kind: 'volume' | 'bind' | 'tmpfs' | 'other';
  /** The key of a volume, or a folder; null: a volume without a name. */
  source: string | null;
  target: string;
  sizeMiB: number | undefined;
}

/** The last of several mounts at one target counts. */
export function mountsOf({ volumes, tmpfs }: ComposeService): Mount[] {
  const mounts: Mount[] = [
    ...(volumes ?? []).map(({ type, source, target, tmpfs: memory }): Mount => ({
      kind: type === 'volume' || type === 'bind' || type === 'tmpfs' ? type : 'other',
      source: type === 'tmpfs' || (source ?? '') === '' ? null : (source ?? null),
      target: normalPath(target),
      sizeMiB: mebibytesOf(String(memory?.size ?? '')),
    })),
    ...(tmpfs ?? []).map((text): Mount => {
      const [target = '', options = ''] = text.split(':');
      return { kind: 'tmpfs', source: null, target: normalPath(target), sizeMiB: sizeIn(options) };
    }),
  ];
  return [...new Map(mounts.map((mount) => [mount.target, mount])).values()];
}

export function mountAt(mounts: readonly Mount[], path: string): Mount | undefined {
  const [deepest] = mounts
    .filter(({ target }) => isWithin(path, target))
    .sort((a, b) => b.target.length - a.target.length);
  return deepest;
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

type Storage = DatabaseService['storage'];

interface StoredService {
  service: ComposeService;
  image: Pick<ServerImage, 'datadir' | 'volume'>;
  command: Pick<Command, 'datadir'>;
  mounts: readonly Mount[];
  model: Pick<ComposeModel, 'volumes'>;
  isWindows: boolean;
  notes: Notes;
}

export function storageOf(stored: StoredService): Omit<Storage, 'at'> {
  const { service, image, command, mounts, notes } = stored;
  const datadir = normalPath(command.datadir ?? image.datadir);
  if (mounts.some(({ target }) => target !== datadir && isWithin(target, datadir))) {
    notes.warn(msg('compose.innerMount'));
  }
  const mount = mountAt(mounts, datadir);
  if (mount !== undefined) return { ...mounted(stored, mount), datadir };
  if ((service.volumes_from ?? []).length > 0) {
    notes.warn(msg('compose.volumesFrom'));
    return { ...known('data-container'), datadir };
  }
  const isVolume = image.volume !== null && isWithin(datadir, image.volume);
  return { ...known(isVolume ? 'anonymous-volume' : 'container-layer'), datadir };
}

type Kind = Omit<Storage, 'datadir' | 'at'>;

function known(kind: 'data-container' | 'anonymous-volume' | 'container-layer'): Kind {
  return { kind, spec: { kind }, place: null, driver: null };
}

function mounted(stored: StoredService, { kind, source, sizeMiB }: Mount): Kind {
  const unnamed = { place: null, driver: null };
  if (kind === 'tmpfs') return { kind: 'tmpfs', spec: tmpfsSpec(sizeMiB), ...unnamed };
  if (kind === 'bind') return bind(source, stored);
  if (kind === 'other') {
    stored.notes.refuse(msg('compose.mountType'));
    return { kind: 'volume-options', spec: null, ...unnamed };
  }
  return source === null ? known('anonymous-volume') : volume(stored, source);
}

function bind(folder: string | null, { isWindows, notes }: StoredService): Kind {
  const isShare = isWindows && folder !== null && /^[\\/]{2}/.test(folder);
  if (isShare) notes.refuse(msg('compose.share'));
  return { kind: 'bind-mount', spec: isShare ? null : { kind: 'bind-mount' }, place: folder, driver: null };
}

function volume({ model, isWindows, notes }: StoredService, key: string): Kind {
  const declared = model.volumes?.[key];
  const place = declared?.name ?? key;
  const driver = declared?.driver ?? 'local';
  const named = { kind: 'named-volume' as const, spec: { kind: 'named-volume' as const }, place, driver };
  if (declared?.external === true) {
    notes.warn(msg('compose.externalVolume', { name: place }));
    return { ...named, driver: null };
  }
  if (driver !== 'local') {
    notes.refuse(msg('compose.volumeDriver', { driver }));
    return { ...named, spec: null };
  }
  const options = declared?.driver_opts ?? {};
  return Object.keys(options).length === 0
    ? named
    : { place, driver, ...withOptions(options, { isWindows, notes }) };
}

/** Source: Docker documentation, "docker volume create", driver-specific options. */
function withOptions(
  { type = '', device = '', o }: Partial<Record<string, string>>,
  { isWindows, notes }: Pick<StoredService, 'isWindows' | 'notes'>,
): Pick<Kind, 'kind' | 'spec'> & { place?: string } {
  if (type === 'tmpfs') return { kind: 'tmpfs', spec: tmpfsSpec(sizeIn(o ?? '')) };
  if (/(?:^|,)r?bind(?:,|$)/.test(o ?? '')) {
    const isHere = device.startsWith('/') || (isWindows && /^(?:[A-Za-z]:[\\/]|\\\\)/.test(device));
    if (!isHere) notes.refuse(msg('compose.bindVolume'));
    return { kind: 'bind-mount', spec: isHere ? { kind: 'bind-mount' } : null, place: device };
  }
  const spec = specOf({ type, device, ...(o === undefined ? {} : { o }) });
  const refusal = refusalOf(spec, o ?? '');
  if (refusal === undefined) notes.warn(msg('compose.insideVolume'));
  else notes.refuse(msg('compose.volumeOptions', { reason: refusal }));
  return { kind: spec.kind, spec: refusal === undefined ? spec : null };
}

function tmpfsSpec(sizeMiB: number | undefined): StorageSpec {
  const rounded = sizeMiB === undefined ? {} : { sizeMiB: Math.max(1, Math.round(sizeMiB)) };
  return { kind: 'tmpfs', ...rounded };
}

function sizeIn(options: string): number | undefined {
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

/** Undefined: not NFS, or beyond a preset's `nfs`. */
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

/** MiB, not rounded; undefined for 0 and for texts that aren't sizes. */
export function mebibytesOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(digits) * (SIZE_UNITS[unit.toLowerCase()] ?? NaN);
  return bytes > 0 && bytes <= Number.MAX_SAFE_INTEGER ? bytes / 2 ** 20 : undefined;
}
