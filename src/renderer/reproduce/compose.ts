import { stringify } from 'yaml';
import { driverOptions } from '../../shared/preset/driver-options.ts';
import type { PathKind, StorageKind } from '../../shared/model/names.ts';
import { pinnedReference, type ImageChoice, type Plan, type Scenario } from '../../shared/model/plan.ts';

/** Names inside the file; people see them in commands. */
export const DATABASE = 'sbtest';
export const SERVICE = 'db';
export const CLIENT = 'sysbench';
export const SOCKET = '/run/mysqld-shared/mysqld.sock';
const SOCKET_DIRECTORY = '/run/mysqld-shared';
/**
 * Where images expect the datadir; the image layer needs a place outside of their VOLUME (see
 * target/storage/storage.ts).
 */
const DATADIR = '/var/lib/mysql';
const LAYER_DATADIR = '/srv/mysql';
/** A volume with options is the user's device: the datadir is a folder in there. */
const DEVICE_MOUNT = '/srv/volume';
/** Port on the host's network, and the published one: seldom anybody else's. */
export const HOST_PORT = 33_306;

/** The scenario as the file tells it. */
export interface ComposeInput {
  plan: Plan;
  scenario: Scenario;
  image: ImageChoice;
  /** Of the server, as it was started. */
  options: readonly string[];
}

type Fields = Record<string, unknown>;

/** Storages that a file of containers can tell. */
type ContainerStorage = Exclude<StorageKind, 'native' | 'external'>;

/** True for a scenario whose server runs in a container. */
export function isInContainer({ storage }: Pick<Scenario, 'storage'>): boolean {
  return storage.kind !== 'native' && storage.kind !== 'external';
}

/**
 * A compose file (Compose Specification, https://github.com/compose-spec/compose-spec) with the server of a scenario
 * and a client that has sysbench where the path needs it. Passwords come from `.env`.
 */
export function composeText(input: ComposeInput): string {
  const { scenario } = input;
  const place = storageParts(input);
  const { server, client, networks } = pathParts(scenario.path);
  const usesSocket = scenario.path === 'unix-socket';
  const onHost = scenario.path === 'host-network';
  const volumes = { ...place.volumes, ...(usesSocket ? { socket: {} } : {}) };
  const file = {
    services: {
      ...place.services,
      [SERVICE]: {
        image: pinnedReference(input.image),
        command: [
          `--datadir=${place.datadir}`,
          ...(onHost
            ? [`--port=${HOST_PORT}`, '--bind-address=127.0.0.1']
            : ['--port=3306', '--bind-address=*']),
          ...(usesSocket ? [`--socket=${SOCKET}`] : []),
          ...input.options,
        ].map(escaped),
        environment: environmentOf(input.image),
        ...(place.mounts.length === 0 && !usesSocket
          ? {}
          : { volumes: [...place.mounts, ...(usesSocket ? [`socket:${SOCKET_DIRECTORY}`] : [])] }),
        ...place.server,
        ...server,
        stop_grace_period: '60s',
      },
      ...(scenario.path === 'ingress' ? {} : { [CLIENT]: clientOf(client, usesSocket) }),
    },
    ...(Object.keys(volumes).length === 0 ? {} : { volumes }),
    ...(networks === undefined ? {} : { networks }),
  };
  return stringify(file, { lineWidth: 0 });
}

/** Begun by `docker compose run` only. */
function clientOf(attached: Fields, usesSocket: boolean): Fields {
  return {
    build: { context: '.', dockerfile_inline: CLIENT_DOCKERFILE },
    profiles: ['load'],
    entrypoint: [CLIENT],
    ...(usesSocket ? { volumes: [`socket:${SOCKET_DIRECTORY}`] } : {}),
    ...attached,
  };
}

const CLIENT_DOCKERFILE =
  'FROM debian:trixie-slim\nRUN apt-get update && apt-get install -y --no-install-recommends sysbench\n';

/** What the compose file reads its passwords from. */
export const ENV_TEXT = 'DB_ROOT_PASSWORD=choose-a-password\nDB_PASSWORD=choose-another-one\n';

/** A dollar would begin a variable. */
function escaped(text: string): string {
  return text.replaceAll('$', '$$$$');
}

/** As the images' documentation on Docker Hub has it (mysql, mariadb, percona). */
function environmentOf({ flavour }: ImageChoice): Record<string, string> {
  const prefix = flavour === 'mariadb' ? 'MARIADB' : 'MYSQL';
  return {
    [`${prefix}_ROOT_PASSWORD`]: '${DB_ROOT_PASSWORD:?}',
    [`${prefix}_DATABASE`]: DATABASE,
    [`${prefix}_USER`]: DATABASE,
    [`${prefix}_PASSWORD`]: '${DB_PASSWORD:?}',
    ...(flavour === 'percona' ? { PERCONA_TELEMETRY_DISABLE: '1' } : {}),
  };
}

interface StorageParts {
  datadir: string;
  mounts: unknown[];
  /** Further fields of the server. */
  server: Fields;
  services: Record<string, Fields>;
  volumes: Record<string, Fields>;
}

function storageParts({ plan, scenario, image }: ComposeInput): StorageParts {
  const { storage } = scenario;
  const parts: StorageParts = { datadir: DATADIR, mounts: [], server: {}, services: {}, volumes: {} };
  switch (storage.kind as ContainerStorage) {
    case 'named-volume':
      return { ...parts, mounts: [`data:${DATADIR}`], volumes: { data: {} } };
    case 'anonymous-volume':
      return { ...parts, mounts: [DATADIR] };
    case 'bind-mount':
      return { ...parts, mounts: [`./data:${DATADIR}`] };
    case 'image-layer':
      return { ...parts, datadir: LAYER_DATADIR };
    case 'data-container':
      return {
        ...parts,
        server: { volumes_from: ['data'] },
        services: {
          data: {
            image: pinnedReference(image),
            entrypoint: ['true'],
            volumes: [DATADIR],
            network_mode: 'none',
          },
        },
      };
    case 'volume-options':
      return {
        ...parts,
        datadir: `${DEVICE_MOUNT}/whalemark-reproduced/mysql`,
        mounts: [{ type: 'volume', source: 'data', target: DEVICE_MOUNT, volume: { nocopy: true } }],
        volumes: { data: { driver: 'local', driver_opts: mapped(driverOptions(storage), escaped) } },
      };
    case 'tmpfs': {
      // As large as Whalemark makes it: twice the datadir, whose redo log counts, too.
      const setup = plan.setups.find(({ id }) => id === scenario.setupId);
      const redoMiB = setup?.settings.redoLogMiB ?? 0;
      const sizeMiB = storage.sizeMiB ?? Math.ceil(2 * (plan.estimate.dataBytes / 2 ** 20 + redoMiB) + 512);
      const options = { type: 'tmpfs', device: 'tmpfs', o: `size=${sizeMiB}m` };
      return {
        ...parts,
        mounts: [`data:${DATADIR}`],
        volumes: { data: { driver: 'local', driver_opts: options } },
      };
    }
  }
}

function mapped(record: Record<string, string>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** How server and client are attached; the file's default network is a user-defined bridge. */
function pathParts(path: PathKind): { server: Fields; client: Fields; networks?: Record<string, Fields> } {
  const onHost = { network_mode: 'host' };
  switch (path) {
    case 'published-port':
      return { server: { ports: [`127.0.0.1:${HOST_PORT}:3306`] }, client: onHost };
    case 'host-network':
      return { server: onHost, client: onHost };
    case 'shared-netns':
      return { server: {}, client: { network_mode: `service:${SERVICE}` } };
    case 'unix-socket':
      return { server: {}, client: { network_mode: 'none' } };
    case 'overlay':
      return { server: {}, client: {}, networks: { default: { driver: 'overlay', attachable: true } } };
    case 'ingress':
      // Docker Stack publishes through the routing mesh unless it is told otherwise.
      return {
        server: { ports: [{ target: 3306, published: HOST_PORT, mode: 'ingress' }] },
        client: onHost,
        networks: { default: { driver: 'overlay', attachable: true } },
      };
    case 'container-ip':
      return { server: {}, client: onHost };
    default:
      return { server: {}, client: {} };
  }
}
