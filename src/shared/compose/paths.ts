import { escapeRegExp } from '../escape-reg-exp.ts';
import { msg } from '../message.ts';
import type { DatabasePath } from '../model/database.ts';
import { folderOf } from './file-names.ts';
import { serverImage } from './image.ts';
import type { ComposeModel, ComposeService } from './model.ts';
import type { Notes } from './notes.ts';
import { isWithin, mountsOf, type Mount } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

interface Server {
  name: string;
  service: ComposeService;
  port: number;
  mounts: readonly Mount[];
  socket: string | undefined;
  notes: Notes;
}

interface Client {
  name: string;
  service: ComposeService;
}

const SOCKET_FOLDERS = ['/var/run/mysqld', '/run/mysqld'];
const TOOLS = /phpmyadmin|adminer|exporter|backup|dbgate|cloudbeaver|mysql-?workbench|sqlpad|dump|cron/i;

/** The application's way or else the host's is first, tools' are last. */
export function pathsOf(
  server: Server,
  { model, locate }: Pick<Surroundings, 'model' | 'locate'>,
): { path: DatabasePath; otherPaths: DatabasePath[] } {
  const mode = modeOf(server.service);
  const pattern = hostPattern(namesOf(server));
  const clients = Object.entries(model.services ?? {})
    .filter(([name]) => name !== server.name)
    .map(([name, service]) => ({ name, service }));
  const found = clients.flatMap((client) => {
    const path = clientPath(server, mode, pattern, client, model);
    if (path === undefined) return [];
    const at = locate(client.name, path.key);
    return [{ path: { ...path.path, at }, isTool: isTool(server, pattern, client) }];
  });
  const all = [
    ...found.filter(({ isTool }) => !isTool).map(({ path }) => path),
    ...hostPaths(server, mode, locate),
    ...found.filter(({ isTool }) => isTool).map(({ path }) => path),
  ];
  const [path, ...otherPaths] = all;
  return path === undefined
    ? { path: { ...unused(server, mode), at: locate(server.name) }, otherPaths: [] }
    : { path, otherPaths };
}

/** A client is also a tool if only shared variables name the server. */
function isTool({ name: server, service: own }: Server, pattern: RegExp, { name, service }: Client): boolean {
  if (TOOLS.test(`${name} ${service.image ?? ''}`)) return true;
  if (serverImage(service.image ?? '') !== undefined) return true;
  const shared = Object.entries(service.environment ?? {}).filter(
    ([key, value]) => own.environment?.[key] === value,
  );
  const environment = Object.fromEntries(
    Object.entries(service.environment ?? {}).filter(([key]) => !shared.some(([one]) => one === key)),
  );
  const isNamedInShared = shared.some(([, value]) => pattern.test(value ?? ''));
  return (
    isNamedInShared && mention(pattern, { name, service: { ...service, environment } }, server) === undefined
  );
}

/** "host", "none", "service:NAME", or "container:NAME"; undefined: on networks. */
function modeOf({ network_mode: mode }: ComposeService): string | undefined {
  return mode === 'bridge' || mode === 'default' || mode === '' ? undefined : (mode ?? undefined);
}

function hostPaths(
  { name, service, port, notes }: Server,
  mode: string | undefined,
  locate: Surroundings['locate'],
): DatabasePath[] {
  if (mode === 'host') {
    return [{ kind: 'host-network', client: null, port, at: locate(name, 'network_mode') }];
  }
  if (mode !== undefined) return [];
  const own = publishedPorts(service, port);
  if (own.length === 0 && (service.ports ?? []).length > 0) notes.warn(msg('compose.otherPort', { port }));
  return [...new Set(own)].map((published) => ({
    kind: 'published-port',
    client: null,
    port: published,
    at: locate(name, 'ports', published === null ? undefined : String(published)),
  }));
}

function unused({ notes }: Server, mode: string | undefined): Omit<DatabasePath, 'at'> {
  notes.warn(msg(mode === 'none' ? 'compose.noNetwork' : 'compose.noClient'));
  const kind = mode === 'none' ? 'unix-socket' : mode === undefined ? 'user-bridge' : 'shared-netns';
  return { kind, client: null, port: null };
}

interface ClientPath {
  path: Omit<DatabasePath, 'at'>;
  key: string;
}

function clientPath(
  server: Server,
  mode: string | undefined,
  pattern: RegExp,
  client: Client,
  model: ComposeModel,
): ClientPath | undefined {
  const own = modeOf(client.service);
  const path = (kind: DatabasePath['kind'], key: string, port: number | null = null): ClientPath => ({
    path: { kind, client: client.name, port },
    key,
  });
  if (sharesSocket(server, client)) return path('unix-socket', 'volumes');
  if (own === `service:${server.name}`) return path('shared-netns', 'network_mode');
  if (mode === `service:${client.name}`) return path('shared-netns', 'network_mode');
  const key = mention(pattern, client, server.name);
  if (key === undefined) return undefined;
  if (mode === 'host') return path('host-network', key);
  if (own === 'host') {
    const [published] = publishedPorts(server.service, server.port);
    return published === undefined ? undefined : path('published-port', key, published);
  }
  if (mode !== undefined || own !== undefined) return undefined;
  const shared = networksOf(server.service).find((name) => networksOf(client.service).includes(name));
  if (shared === undefined) return undefined;
  const driver = model.networks?.[shared]?.driver ?? 'bridge';
  if (driver !== 'bridge' && driver !== 'overlay')
    server.notes.warn(msg('compose.networkDriver', { driver }));
  return path(driver === 'overlay' ? 'overlay' : 'user-bridge', key);
}

function networksOf({ networks }: ComposeService): string[] {
  const names = Object.keys(networks ?? {});
  return names.length === 0 ? ['default'] : names;
}

function sharesSocket({ mounts, socket }: Server, { service }: Client): boolean {
  const folders = socket === undefined ? SOCKET_FOLDERS : [folderOf(socket)];
  const own = mounts.find(
    ({ source, target }) => source !== null && folders.some((folder) => isWithin(folder, target)),
  );
  return (
    own !== undefined &&
    mountsOf(service).some(({ kind, source }) => kind === own.kind && source === own.source)
  );
}

function namesOf({ name, service }: Server): string[] {
  const aliases = Object.values(service.networks ?? {}).flatMap((network) => network?.aliases ?? []);
  return [name, service.container_name ?? '', service.hostname ?? '', ...aliases].filter((one) => one !== '');
}

function mention(pattern: RegExp, { service }: Client, server: string): string | undefined {
  if (Object.hasOwn(service.depends_on ?? {}, server)) return 'depends_on';
  if ((service.links ?? []).some((link) => pattern.test(link))) return 'links';
  if ((service.external_links ?? []).some((link) => pattern.test(link))) return 'external_links';
  const values = Object.values(service.environment ?? {});
  return values.some((value) => value !== null && pattern.test(value)) ? 'environment' : undefined;
}

/** Names as a whole value or as a host: "db", "db:3306", "mysql://user:pw@db/shop", "host=db;". */
function hostPattern(names: readonly string[]): RegExp {
  const any = names.map(escapeRegExp).join('|');
  return new RegExp(`(?:^|[@/(=,;\\s])(?:${any})(?:$|[:/),;?\\s])`);
}

/** Host ports for the server's TCP port; null: the engine chooses one. */
function publishedPorts({ ports }: ComposeService, port: number): (number | null)[] {
  return (ports ?? [])
    .filter(({ target, protocol }) => target === port && (protocol ?? 'tcp') === 'tcp')
    .map(({ published }) => Number.parseInt(published ?? '', 10) || null);
}
