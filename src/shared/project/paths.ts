import { escapeRegExp } from '../escape-reg-exp.ts';
import { msg } from '../message.ts';
import { SERVER_PORT } from '../kinds/paths.ts';
import type { DatabasePath } from '../model/database.ts';
import type { EnvFile, EnvValue } from './environment.ts';
import { folderOf } from './file-names.ts';
import { serverImage } from './image.ts';
import { isWithin, type ComposeMount } from './storage.ts';
import {
  entriesOf,
  entryOf,
  itemsOf,
  placeOf,
  type At,
  type Mapping,
  type Notes,
  type Tree,
} from './tree.ts';

export interface Client {
  name: string;
  service: Mapping;
  mounts: readonly ComposeMount[];
  image: string | undefined;
  values: readonly EnvValue[];
  envFiles: readonly EnvFile[];
}

interface Server {
  name: string;
  service: Mapping;
  ports: readonly PublishedPorts[];
  port: number | undefined;
  mounts: readonly ComposeMount[];
  socket: string | undefined;
  envFiles: readonly string[];
  notes: Notes;
}

const DEFAULT_NETWORK = 'default';
const SOCKET_FOLDERS = ['/var/run/mysqld', '/run/mysqld'];
/** An application is more than these. */
const TOOLS = /phpmyadmin|adminer|exporter|backup|dbgate|cloudbeaver|mysql-?workbench|sqlpad|dump|cron/i;

/** The main way first. */
export function pathsOf(
  server: Server,
  clients: readonly Client[],
  networks: Tree | undefined,
): { path: DatabasePath; otherPaths: DatabasePath[] } {
  const mode = modeOf(server.service, server.notes);
  const hosts = hostsOf(server);
  const found = clients.flatMap((client) => {
    const path = clientPath(server, mode, hosts, client, networks);
    return path === undefined ? [] : [{ path, isTool: isTool(server, hosts, client) }];
  });
  const all = [
    ...found.filter(({ isTool }) => !isTool).map(({ path }) => path),
    ...hostPaths(server, mode),
    ...found.filter(({ isTool }) => isTool).map(({ path }) => path),
  ];
  const [path, ...otherPaths] = all;
  return path === undefined ? { path: unused(server, mode), otherPaths: [] } : { path, otherPaths };
}

/** Or is a server, or shares the server's own file, which names the server for all. */
function isTool(server: Server, hosts: Hosts, client: Client): boolean {
  if (TOOLS.test(`${client.name} ${client.image ?? ''}`)) return true;
  if (serverImage(client.image ?? '') !== undefined) return true;
  const envFiles = client.envFiles.filter(({ path }) => !server.envFiles.includes(path));
  if (envFiles.length === client.envFiles.length) return false;
  return mention(server, hosts, { ...client, envFiles }) === undefined;
}

/** "host", "none", "service:NAME", "container:NAME", or undefined: networks. */
function modeOf(service: Mapping, notes: Notes): string | undefined {
  const tree = entryOf(service, 'network_mode') ?? entryOf(service, 'net');
  const mode = notes.text(tree);
  return mode === 'bridge' || mode === 'default' || mode === '' ? undefined : mode;
}

function hostPaths({ service, ports, port, notes }: Server, mode: string | undefined): DatabasePath[] {
  const tree = entryOf(service, 'network_mode') ?? service;
  if (mode === 'host') {
    return [{ kind: 'host-network', client: null, port: port ?? SERVER_PORT, at: placeOf(tree.at) }];
  }
  if (mode !== undefined) return [];
  const own = publicationsOf(ports, port ?? SERVER_PORT);
  const [first] = ports;
  if (own.length === 0 && first !== undefined) {
    notes.warn(first.at, msg('compose.otherPort', { port: port ?? SERVER_PORT }));
  }
  const byPort = new Map(own.map((one) => [one.published, one]));
  return [...byPort.values()].map(({ published, at }) => ({
    kind: 'published-port',
    client: null,
    port: published,
    at: placeOf(at),
  }));
}

function unused({ service, notes }: Server, mode: string | undefined): DatabasePath {
  const tree = entryOf(service, 'network_mode') ?? service;
  notes.warn(tree.at, msg(mode === 'none' ? 'compose.noNetwork' : 'compose.noClient'));
  const kind = mode === 'none' ? 'unix-socket' : mode === undefined ? 'user-bridge' : 'shared-netns';
  return { kind, client: null, port: null, at: placeOf(tree.at) };
}

function clientPath(
  server: Server,
  mode: string | undefined,
  hosts: Hosts,
  client: Client,
  networks: Tree | undefined,
): DatabasePath | undefined {
  const { notes } = server;
  const own = modeOf(client.service, notes);
  const path = (kind: DatabasePath['kind'], at: At, port: number | null = null): DatabasePath => ({
    kind,
    client: client.name,
    port,
    at: placeOf(at),
  });
  const socket = sharedSocket(server, client);
  if (socket !== undefined) return path('unix-socket', socket.at);
  const joined = entryOf(client.service, 'network_mode')?.at;
  if (own === `service:${server.name}` && joined !== undefined) return path('shared-netns', joined);
  const joins = entryOf(server.service, 'network_mode')?.at;
  if (mode === `service:${client.name}` && joins !== undefined) return path('shared-netns', joins);
  const why = mention(server, hosts, client);
  if (why === undefined) return undefined;
  if (mode === 'host') return path('host-network', why);
  if (own === 'host') {
    const [published] = publicationsOf(server.ports, server.port ?? SERVER_PORT);
    return published === undefined ? undefined : path('published-port', why, published.published);
  }
  if (mode !== undefined || own !== undefined) return undefined;
  const shared = networksOf(server.service).find((name) => networksOf(client.service).includes(name));
  if (shared === undefined) return undefined;
  const written = entryOf(networks, shared, 'driver');
  const driver = notes.text(written) ?? 'bridge';
  if (written !== undefined && driver !== 'bridge' && driver !== 'overlay') {
    notes.warn(written.at, msg('compose.networkDriver', { driver }));
  }
  return path(driver === 'overlay' ? 'overlay' : 'user-bridge', why);
}

function networksOf(service: Mapping): string[] {
  const names = entriesOf(entryOf(service, 'networks')).map(([name]) => name);
  return names.length === 0 ? [DEFAULT_NETWORK] : names;
}

/** Both have it, and the server puts its socket there. */
function sharedSocket(server: Server, client: Client): { at: At } | undefined {
  const folders = server.socket === undefined ? SOCKET_FOLDERS : [folderOf(server.socket)];
  const own = server.mounts.find(
    ({ source, target }) => source !== null && folders.some((folder) => isWithin(folder, target)),
  );
  return own === undefined
    ? undefined
    : client.mounts.find(({ kind, source }) => kind === own.kind && source === own.source);
}

interface Hosts {
  names: string[];
  pattern: RegExp;
}

function hostsOf({ name, service, notes }: Server): Hosts {
  const ownNames = ['container_name', 'hostname'].flatMap(
    (key) => notes.quietText(entryOf(service, key)) ?? [],
  );
  const names = [name, ...ownNames, ...aliasesOf(service, notes)].filter((one) => one !== '');
  return { names, pattern: hostPattern(names) };
}

function mention(
  { name, notes }: Server,
  { names, pattern }: Hosts,
  { service, values, envFiles }: Client,
): At | undefined {
  const depends = entryOf(service, 'depends_on', name);
  if (depends !== undefined) return depends.at;
  const links = [...itemsOf(entryOf(service, 'links')), ...itemsOf(entryOf(service, 'external_links'))];
  const link = links.find((one) => names.includes((notes.quietText(one) ?? '').split(':', 1).join('')));
  return (
    link ??
    values.find(({ text }) => pattern.test(text)) ??
    envFiles.find((file) => file.values.some((text) => pattern.test(text)))
  )?.at;
}

function aliasesOf(service: Mapping, notes: Notes): string[] {
  return entriesOf(entryOf(service, 'networks')).flatMap(([, network]) =>
    itemsOf(entryOf(network, 'aliases')).flatMap((alias) => notes.quietText(alias) ?? []),
  );
}

/** The whole value, or the host of an address: "db", "db:3306", "mysql://user:password@db/shop", "host=db;". */
function hostPattern(names: readonly string[]): RegExp {
  const any = names.map(escapeRegExp).join('|');
  return new RegExp(`(?:^|[@/(=,;\\s])(?:${any})(?:$|[:/),;?\\s])`);
}

interface PublishedPorts {
  targets: Range;
  /** Null: the engine chooses one. */
  published: number | null;
  /** Otherwise all share the one. */
  isRange: boolean;
  at: At;
}

interface Range {
  first: number;
  last: number;
}

function publicationsOf(
  ports: readonly PublishedPorts[],
  port: number,
): { published: number | null; at: At }[] {
  return ports
    .filter(({ targets }) => targets.first <= port && port <= targets.last)
    .map(({ targets, published, isRange, at }) => ({
      published: published === null ? null : published + (isRange ? port - targets.first : 0),
      at,
    }));
}

/** TCP only. Source: Docker documentation, "Services top-level element", ports. */
export function portsOf(service: Mapping, notes: Notes): PublishedPorts[] {
  return itemsOf(entryOf(service, 'ports')).flatMap((item) => {
    if (item.kind === 'map') return longPort(item, notes);
    const text = notes.text(item);
    if (text === undefined) return [];
    const ports = shortPorts(text, item.at);
    if (ports === undefined) notes.refuse(item.at, msg('compose.port'));
    return ports ?? [];
  });
}

function longPort(item: Mapping, notes: Notes): PublishedPorts[] {
  if ((notes.text(entryOf(item, 'protocol')) ?? 'tcp') !== 'tcp') return [];
  const target = rangeOf(notes.text(entryOf(item, 'target')));
  const written: Tree | undefined = entryOf(item, 'published');
  const published = notes.text(written);
  const range = published === undefined || published === '' ? null : rangeOf(published);
  if (target === undefined || range === undefined) {
    notes.refuse(written?.at ?? item.at, msg('compose.port'));
    return [];
  }
  return [
    {
      targets: { first: target.first, last: target.first },
      published: range?.first || null,
      isRange: false,
      at: (written ?? item).at,
    },
  ];
}

function rangeOf(text: string | undefined): Range | undefined {
  const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text ?? '') ?? [];
  if (from === undefined) return undefined;
  const [first, last] = [Number(from), Number(to ?? from)];
  return first <= last && last <= 65_535 ? { first, last } : undefined;
}

/** `[[ADDRESS:]PUBLISHED:]TARGET[/PROTOCOL]`, where both ports may be ranges. */
function shortPorts(text: string, at: At): PublishedPorts[] | undefined {
  const [, rest = '', protocol = 'tcp'] = /^([^/]*)(?:\/(\w+))?$/.exec(text.trim()) ?? [];
  // An address, also one of IPv6 with its colons, comes before both.
  const [target = '', published = ''] = rest.split(':').reverse();
  const inside = rangeOf(target);
  const outside = published === '' ? null : rangeOf(published);
  if (inside === undefined || outside === undefined) return undefined;
  if (protocol !== 'tcp') return [];
  // One target and a range outside: the engine takes a free one of them.
  const isRange = outside !== null && outside.last - outside.first === inside.last - inside.first;
  return [{ targets: inside, published: outside?.first || null, isRange, at }];
}
