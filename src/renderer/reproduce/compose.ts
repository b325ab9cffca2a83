import { stringify } from 'yaml';
import {
  PATHS,
  SERVER_PORT,
  usesSwarm,
  type ClientNetwork,
  type PathAddress,
  type PathKind,
} from '../../shared/kinds/paths.ts';
import { COMPOSE_DATADIR, inContainer, type ComposeStorage } from '../../shared/kinds/storages.ts';
import {
  pinnedReference,
  configOf,
  type ImageChoice,
  type Plan,
  type Scenario,
} from '../../shared/model/plan.ts';

export const DATABASE = 'sbtest';
export const SERVICE = 'db';
export const CLIENT = 'sysbench';
const SOCKET = '/run/mysqld-shared/mysqld.sock';
const SOCKET_DIRECTORY = '/run/mysqld-shared';
/** On the host's network, or published; seldom taken. */
export const HOST_PORT = 33_306;

export interface ComposeInput {
  plan: Plan;
  scenario: Scenario;
  image: ImageChoice;
  options: readonly string[];
}

type Fields = Record<string, unknown>;

/**
 * Compose Specification (https://github.com/compose-spec/compose-spec): a scenario's server, and a sysbench client
 * where the path needs it. Passwords come from `.env`.
 */
export function composeText(input: ComposeInput): string {
  const { scenario } = input;
  const place = storageParts(input);
  const { server, client, networks } = pathParts(scenario.path);
  const { attach } = PATHS[scenario.path];
  const usesSocket = attach === 'socket';
  const onHost = attach === 'host';
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
            : [`--port=${SERVER_PORT}`, '--bind-address=*']),
          ...(usesSocket ? [`--socket=${SOCKET}`] : []),
          ...input.options,
        ].map(escaped),
        environment: environmentOf(input.image),
        ...limitsOf(input),
        ...(place.mounts.length === 0 && !usesSocket
          ? {}
          : { volumes: [...place.mounts, ...(usesSocket ? [`socket:${SOCKET_DIRECTORY}`] : [])] }),
        ...place.server,
        ...server,
        stop_grace_period: '60s',
      },
      ...(attach === 'ingress' ? {} : { [CLIENT]: clientOf(client, usesSocket) }),
    },
    ...(Object.keys(volumes).length === 0 ? {} : { volumes }),
    ...(networks === undefined ? {} : { networks }),
  };
  return stringify(file, { lineWidth: 0 });
}

function clientOf(attached: Fields, usesSocket: boolean): Fields {
  return {
    build: { context: '.', dockerfile_inline: CLIENT_DOCKERFILE },
    profiles: ['load'],
    entrypoint: [CLIENT],
    ...(usesSocket ? { volumes: [`socket:${SOCKET_DIRECTORY}`] } : {}),
    ...attached,
  };
}

function limitsOf({ plan, scenario }: ComposeInput): Fields {
  const { cpus, memoryMiB } = configOf(plan, scenario).limits;
  return {
    ...(cpus === null ? {} : { cpus }),
    ...(memoryMiB === null ? {} : { mem_limit: `${Math.round(memoryMiB * 1024)}k` }),
  };
}

const CLIENT_DOCKERFILE =
  'FROM debian:trixie-slim\nRUN apt-get update && apt-get install -y --no-install-recommends sysbench\n';

export const ENV_TEXT = 'DB_ROOT_PASSWORD=choose-a-password\nDB_PASSWORD=choose-another-one\n';

/** A dollar would start a variable. */
function escaped(text: string): string {
  return text.replaceAll('$', '$$$$');
}

/** Docker Hub documentation (mysql, mariadb, percona). */
function environmentOf({ flavor }: ImageChoice): Record<string, string> {
  const prefix = flavor === 'mariadb' ? 'MARIADB' : 'MYSQL';
  return {
    [`${prefix}_ROOT_PASSWORD`]: '${DB_ROOT_PASSWORD:?}',
    [`${prefix}_DATABASE`]: DATABASE,
    [`${prefix}_USER`]: DATABASE,
    [`${prefix}_PASSWORD`]: '${DB_PASSWORD:?}',
    ...(flavor === 'percona' ? { PERCONA_TELEMETRY_DISABLE: '1' } : {}),
  };
}

function storageParts({ plan, scenario, image }: ComposeInput): ComposeStorage {
  const { storage, configId } = scenario;
  // As Whalemark sizes it: twice the datadir with its redo log.
  const redoMiB = plan.configs.find(({ id }) => id === configId)?.settings.redoLogMiB ?? 0;
  const memoryMiB = storage.sizeMiB ?? Math.ceil(2 * (plan.estimate.dataBytes / 2 ** 20 + redoMiB) + 512);
  const nothing = { datadir: COMPOSE_DATADIR, mounts: [], server: {}, services: {}, volumes: {} };
  const own = inContainer(storage.kind)?.compose({ storage, image: pinnedReference(image), memoryMiB });
  const parts = { ...nothing, ...own };
  return { ...parts, volumes: mapped(parts.volumes, withEscapedOptions) };
}

function withEscapedOptions(volume: ComposeStorage['volumes'][string]): typeof volume {
  const { driver_opts } = volume;
  return driver_opts === undefined ? volume : { ...volume, driver_opts: mapped(driver_opts, escaped) };
}

function mapped<T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

const ON_HOST = { network_mode: 'host' };
const OF_CLIENT: Record<ClientNetwork, Fields> = {
  host: ON_HOST,
  bridge: {},
  overlay: {},
  server: { network_mode: `service:${SERVICE}` },
  socket: { network_mode: 'none' },
};

function pathParts(path: PathKind): { server: Fields; client: Fields; networks?: Record<string, Fields> } {
  const { attach, clientNetwork } = PATHS[path];
  const isPublished = attach === 'bridge' && sysbenchAddress(path).port === HOST_PORT;
  return {
    server: {
      ...(attach === 'host' ? ON_HOST : {}),
      ...(isPublished ? { ports: [`127.0.0.1:${HOST_PORT}:${SERVER_PORT}`] } : {}),
      // Docker Stack's default.
      ...(attach === 'ingress'
        ? { ports: [{ target: SERVER_PORT, published: HOST_PORT, mode: 'ingress' }] }
        : {}),
    },
    client: OF_CLIENT[clientNetwork],
    ...(usesSwarm(path) ? { networks: { default: { driver: 'overlay', attachable: true } } } : {}),
  };
}

export function sysbenchAddress(path: PathKind): PathAddress {
  return PATHS[path].address({
    hostPort: HOST_PORT,
    containerAddress: '"$DB_ADDRESS"',
    containerName: SERVICE,
    socketPath: SOCKET,
  });
}
