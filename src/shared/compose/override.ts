import { Document, isCollection, isScalar } from 'yaml';
import { escapeRegExp } from '../escape-reg-exp.ts';
import { SERVER_PORT } from '../kinds/paths.ts';
import { msg, type Message } from '../message.ts';
import { type DatabaseChange, type DatabaseService, partsOf } from '../model/database.ts';
import { isPlace, isPlainValue, serverOption } from '../options/option.ts';
import { SERVER_CHANGES, type ServerChangeId } from './database-preset.ts';
import { checkOfChange, healthCheckOf } from './health-check.ts';
import { newestOfLine, serverImage } from './image.ts';
import type { ComposeModel, ComposeService } from './model.ts';
import { commandWith } from './override-command.ts';
import { Refusal, refused } from './refusal.ts';
import { isWithin, mountsOf, normalPath, type Mount } from './storage.ts';
import type { WrittenService } from './surroundings.ts';

export interface OverrideRequest {
  model: ComposeModel;
  written: WrittenService | undefined;
  service: DatabaseService;
  change: DatabaseChange;
  /** The engine's network isn't the user's. */
  isVm: boolean;
  poolOptions: readonly string[];
}

export interface Override {
  /** The file as YAML. */
  text: string;
  keys: string[];
  /** A key of `volumes`, or a folder that begins with "./"; null: no new storage. */
  place: string | null;
  /** The container's folder of the storage: the data directory or the image's volume. */
  home: string;
  notes: Message[];
}

/** A value with a tag of the Compose Specification, "Merge". */
class Tagged {
  constructor(
    readonly tag: '!reset' | '!override',
    readonly value: readonly string[] | null,
  ) {}
}
const RESET = new Tagged('!reset', null);

type Fields = Record<string, unknown>;

export function overrideOf(request: OverrideRequest): Override | { refusal: Message } {
  try {
    return made(request);
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.reason };
    throw error;
  }
}

function made(request: OverrideRequest): Override {
  const { model, service, change } = request;
  const own = model.services?.[service.name];
  if (own === undefined) throw refused('noService', { place: model.name });
  const parts = partsOf(change);
  const fields: Fields = {};
  const options = optionsOf(change, request.poolOptions);
  for (const part of parts) Object.assign(fields, fieldsOf(part, own, request, options));
  if (options.length > 0) fields['command'] ??= commandWith(options, own, request.written);
  const stored = parts.find(({ factor }) => factor === 'storage');
  const home = homeOf(service);
  const place = stored === undefined ? null : newPlace(stored.level, request);
  if (stored !== undefined) Object.assign(fields, storageFields(own, stored.level, place, service));
  if (Object.keys(fields).length === 0) throw refused('notInCompose');
  const isVolume = place !== null && !place.startsWith('./');
  return {
    text: yamlOf({ services: { [service.name]: fields }, ...(isVolume ? { volumes: { [place]: {} } } : {}) }),
    keys: Object.keys(fields),
    place,
    home: targetOf(mountsOf(own), service) ?? home,
    notes: [
      ...(stored === undefined ? [] : othersAt(model, service)),
      ...(mayShowSecret(fields['command']) ? [msg('override.note.secret')] : []),
    ],
  };
}

function yamlOf(file: Fields): string {
  return new Document(file, replaceTagged).toString({ lineWidth: 0 });
}

function replaceTagged(this: unknown, _key: unknown, value: unknown): unknown {
  if (!(value instanceof Tagged)) return value;
  const node = new Document(value.value).contents;
  if (isScalar(node) || isCollection(node)) node.tag = value.tag;
  return node;
}

export function optionsOf(change: DatabaseChange, poolOptions: readonly string[]): string[] {
  return partsOf(change).flatMap(({ factor, level }): readonly string[] => {
    if (factor !== 'server' || !Object.hasOwn(SERVER_CHANGES, level)) return [];
    return level === 'large-pool' ? poolOptions : SERVER_CHANGES[level as ServerChangeId].options;
  });
}

function fieldsOf(
  { factor, level }: DatabaseChange,
  own: ComposeService,
  request: OverrideRequest,
  options: readonly string[],
): Fields {
  const { service } = request;
  if (factor === 'storage') return {};
  if (factor === 'path' && level === 'user-bridge') {
    const { client } = mainClient(service);
    throw client === null
      ? refused('clientMoves', { service: service.name })
      : refused('clientThere', { service: client });
  }
  if (factor === 'path' && level === 'host-network') return onHostNetwork(own, request, options);
  if (factor === 'server' && level === 'without-limits') return withoutLimits(own);
  if (factor === 'server' && level === 'newest-version') {
    const image = newestOfLine(service.image);
    if (image === null || service.built) throw refused('notInCompose');
    return { image };
  }
  if (factor === 'healthcheck') return { healthcheck: waitingCheck(level, own) };
  if (factor === 'server' && options.length > 0) return {};
  throw refused('notInCompose');
}

function waitingCheck(level: string, own: ComposeService): Fields {
  if (healthCheckOf(own) === null) throw refused('noHealthCheck');
  const { startPeriodSeconds, retries } = checkOfChange(level);
  return { start_period: `${startPeriodSeconds}s`, retries };
}

function mainClient({ path, otherPaths }: DatabaseService): { client: string | null } {
  return [path, ...otherPaths].find(({ client }) => client !== null) ?? { client: null };
}

/** Limits and keys that are only valid with one. Compose Specification, service. */
const LIMITS = ['cpus', 'cpu_count', 'cpu_percent', 'cpu_period', 'cpu_quota', 'mem_limit', 'memswap_limit'];

function withoutLimits(own: ComposeService): Fields {
  const flat = LIMITS.filter((key) => (own[key] ?? null) !== null);
  const limits = own.deploy?.resources?.limits ?? {};
  const deep = (['cpus', 'memory'] as const).filter((key) => (limits[key] ?? null) !== null);
  if (flat.length + deep.length === 0) throw refused('already');
  const reset = (keys: readonly string[]): Fields => Object.fromEntries(keys.map((key) => [key, RESET]));
  return {
    ...reset(flat),
    ...(deep.length === 0 ? {} : { deploy: { resources: { limits: reset(deep) } } }),
  };
}

/** Keys in which another service can name this one. */
const NAMING = 'depends_on links external_links environment command network_mode volumes_from'.split(' ');

function onHostNetwork(
  own: ComposeService,
  { model, service, isVm, written }: OverrideRequest,
  options: readonly string[],
): Fields {
  if (isVm) throw refused('vm');
  const { client } = mainClient(service);
  if (client !== null) throw refused('client', { service: client });
  if (own.network_mode === 'host') throw refused('already');
  const name = new RegExp(`(?<![\\w.-])${escapeRegExp(service.name)}(?![\\w-])`);
  const naming = Object.entries(model.services ?? {}).find(
    ([other, one]) =>
      other !== service.name && NAMING.some((key) => name.test(JSON.stringify(one[key] ?? ''))),
  );
  if (naming !== undefined) throw refused('named', { service: naming[0] });
  const port = publishedPort(service);
  const isMoved = (own.command ?? []).some((word) => /^--port\b/.test(word));
  const dropped = ['ports', 'links', 'networks'].filter((key) => (own[key] ?? null) !== null);
  return {
    network_mode: 'host',
    ...Object.fromEntries(dropped.map((key) => [key, RESET])),
    command: commandWith(
      [
        '--bind-address=127.0.0.1',
        ...(port === null || (port === SERVER_PORT && !isMoved) ? [] : [`--port=${port}`]),
        ...(service.flavor === 'mariadb' ? [] : ['--loose-mysqlx-bind-address=127.0.0.1']),
        ...options,
      ],
      own,
      written,
    ),
  };
}

export function publishedPort({
  path,
  otherPaths,
}: Pick<DatabaseService, 'path' | 'otherPaths'>): number | null {
  return [path, ...otherPaths].find(({ port }) => port !== null)?.port ?? null;
}

function homeOf({ image, storage: { datadir } }: DatabaseService): string {
  const volume = serverImage(image)?.volume ?? datadir;
  return isWithin(datadir, volume) ? volume : datadir;
}

function targetOf(mounts: readonly Mount[], service: DatabaseService): string | undefined {
  const datadir = normalPath(service.storage.datadir);
  return [homeOf(service), datadir].find((place) => mounts.some(({ target }) => target === place));
}

function newPlace(level: string, { model, service: { name } }: OverrideRequest): string | null {
  if (level === 'tmpfs') return null;
  let free = `${name}-data`;
  for (let count = 2; model.volumes?.[free] !== undefined; count += 1) free = `${name}-data-${count}`;
  return level === 'bind-mount' ? `./${free}` : free;
}

function storageFields(
  own: ComposeService,
  level: string,
  place: string | null,
  service: DatabaseService,
): Fields {
  const { storage, name } = service;
  const isPlain = storage.kind !== 'named-volume' || storage.driver === 'local';
  if (storage.kind === level && isPlain) throw refused('already');
  const mounts = mountsOf(own);
  const target = targetOf(mounts, service);
  const above = target === undefined && mounts.some((one) => isWithin(storage.datadir, one.target));
  if (above) throw refused('mountAbove', { path: storage.datadir });
  const moved = target ?? homeOf(service);
  // A tmpfs of the short list would hide what is mounted there.
  const memory = (own.tmpfs ?? []).filter((one) => normalPath(one.split(':', 1).join('')) !== moved);
  const isInList = memory.length < (own.tmpfs ?? []).length;
  const mount =
    level === 'tmpfs'
      ? { type: 'tmpfs', target: moved }
      : place?.startsWith('./') === true
        ? { type: 'bind', source: place, target: moved }
        : { type: 'volume', source: place ?? name, target: moved };
  return {
    volumes: [mount],
    ...(isInList ? { tmpfs: memory.length === 0 ? RESET : new Tagged('!override', memory) } : {}),
  };
}

/** An option's value may be a password. */
function mayShowSecret(command: unknown): boolean {
  const words: unknown[] = Array.isArray(command) ? command : [];
  return words.some((word) => {
    const option = typeof word === 'string' ? serverOption(word) : undefined;
    if (option === undefined || isPlace(option) || isPlainValue(option.value)) return false;
    return option.value?.startsWith('$') !== true;
  });
}

function othersAt({ services }: ComposeModel, { name, storage }: DatabaseService): Message[] {
  const own = mountsOf(services?.[name] ?? {}).find(({ target }) => isWithin(storage.datadir, target));
  if (own === undefined || own.source === null) return [];
  return Object.entries(services ?? {})
    .filter(([other, one]) => {
      const mounts = mountsOf(one);
      return other !== name && mounts.some(({ kind, source }) => kind === own.kind && source === own.source);
    })
    .map(([service]) => msg('override.note.alsoThere', { service }));
}
