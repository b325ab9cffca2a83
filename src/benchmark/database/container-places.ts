import type { StorageKind } from '../../shared/kinds/storages.ts';
import { msg, type Message } from '../../shared/message.ts';
import type { DatabasePath, DatabaseService } from '../../shared/model/database.ts';
import { isWithin, normalPath, sizeIn, storageOfOptions, tmpfsSpec } from '../../shared/compose/storage.ts';
import type { ListedContainer, VolumeFacts } from '../runtime/container-runtime.ts';
import type { ExaminedContainer } from '../runtime/examined-container.ts';
import { isOwnContainer } from '../runtime/labels.ts';

/** Of containers that Docker Compose started (Compose's api/labels.go). */
export const PROJECT_LABEL = 'com.docker.compose.project';
export const SERVICE_LABEL = 'com.docker.compose.service';

/** Networks that Docker has by itself; containers don't find each other there by name. */
const BUILT_IN = new Set(['bridge', 'host', 'none', 'default', '']);
const TASK_LABEL = 'com.docker.swarm.task.id';

export function pathsOf(
  container: ExaminedContainer,
  port: number,
  others: readonly ListedContainer[],
): [DatabasePath, ...DatabasePath[]] {
  const { NetworkMode } = container.HostConfig;
  const project = container.Config.Labels[PROJECT_LABEL];
  const path = (kind: DatabasePath['kind'], client: string | null = null): DatabasePath => ({
    ...{ kind, client, port: null, at: null },
  });
  const named = ({ labels, name }: ListedContainer): string => labels[SERVICE_LABEL] ?? name;
  const foreign = others
    .filter((one) => one.id !== container.Id && !isOwnContainer(one))
    .sort((a, b) => Number(isOf(b, project)) - Number(isOf(a, project)));
  const inside = foreign
    .filter(({ networkMode }) => networkMode === `container:${container.Id}`)
    .map((one) => path('shared-netns', named(one)));
  if (NetworkMode === 'host') return [{ ...path('host-network'), port }];
  if (NetworkMode === 'none') return inside.length === 0 ? [path('unix-socket')] : nonEmpty(inside);
  const owner = /^container:(.+)$/.exec(NetworkMode)?.[1];
  if (owner !== undefined) {
    const of = foreign.find(({ id, name }) => id === owner || name === owner);
    return [path('shared-netns', of === undefined ? null : named(of))];
  }
  const networks = (container.NetworkSettings?.Networks ?? []).filter((name) => !BUILT_IN.has(name));
  const over = TASK_LABEL in container.Config.Labels ? 'overlay' : 'user-bridge';
  const beside = foreign
    .filter((one) => one.networks.some((name) => networks.includes(name)))
    .map((one) => path(over, named(one)));
  const published = publishedPort(container, port);
  const fromHost = published === undefined ? [] : [{ ...path('published-port'), port: published }];
  const found = [...inside, ...beside, ...fromHost];
  return nonEmpty(found.length > 0 ? found : [path(networks.length > 0 ? over : 'container-ip')]);
}

function isOf({ labels }: ListedContainer, project: string | undefined): boolean {
  return project !== undefined && labels[PROJECT_LABEL] === project;
}

function nonEmpty([first, ...rest]: DatabasePath[]): [DatabasePath, ...DatabasePath[]] {
  if (first === undefined) throw new Error('no path');
  return [first, ...rest];
}

/** On the host; null: one that the engine chooses at each start. */
function publishedPort(
  { HostConfig, NetworkSettings }: ExaminedContainer,
  port: number,
): number | null | undefined {
  const key = `${port}/tcp`;
  const wanted = HostConfig.PortBindings[key];
  const actual = NetworkSettings?.Ports[key];
  if (!wanted?.length && !actual?.length && HostConfig.PublishAllPorts !== true) return undefined;
  const number = Number((actual?.[0] ?? wanted?.[0])?.HostPort ?? 0);
  return number > 0 ? number : null;
}

type Storage = DatabaseService['storage'];

interface ReadStorage {
  storage: Storage;
  refusal: Message | null;
}

/** The engine gives volumes without a name one of these. */
const ANONYMOUS = /^[0-9a-f]{64}$/;

export function storageOf(
  { Mounts, HostConfig }: Pick<ExaminedContainer, 'Mounts' | 'HostConfig'>,
  datadir: string,
  volumes: ReadonlyMap<string, VolumeFacts>,
  platform: NodeJS.Platform,
): ReadStorage {
  const storage = (kind: StorageKind, more: Partial<Storage> = {}): ReadStorage => ({
    storage: { kind, spec: { kind }, place: null, driver: null, datadir, at: null, ...more },
    refusal: null,
  });
  const memory = Object.entries(HostConfig.Tmpfs ?? {}).map(([Destination, options]) => ({
    ...{ Type: 'tmpfs', Destination, Driver: null, Name: null, Source: null },
    options,
  }));
  const all = [...Mounts.map((mount) => ({ ...mount, options: '' })), ...memory];
  const mount = all
    .filter(({ Destination }) => isWithin(datadir, normalPath(Destination)))
    .sort((a, b) => b.Destination.length - a.Destination.length)[0];
  switch (mount?.Type) {
    case undefined:
      return storage('container-layer');
    case 'bind':
      return storage('bind-mount', { place: hostPath(mount.Source ?? '', platform) });
    case 'tmpfs':
      return storage('tmpfs', { spec: tmpfsSpec(sizeIn(mount.options)) });
    case 'volume': {
      const place = mount.Name ?? null;
      const { driver, options } = volumes.get(place ?? '') ?? {
        driver: mount.Driver ?? 'local',
        options: {},
      };
      if (driver !== 'local') {
        const read = storage('named-volume', { spec: null, place, driver });
        return { ...read, refusal: msg('compose.volumeDriver', { driver }) };
      }
      if (Object.keys(options).length > 0) {
        const { kind, spec, folder, refusal } = storageOfOptions(options);
        const read = storage(kind, { spec, place: folder ?? place, driver });
        return refusal === undefined
          ? read
          : { ...read, refusal: msg('compose.volumeOptions', { reason: refusal }) };
      }
      if (!ANONYMOUS.test(place ?? '')) return storage('named-volume', { place, driver });
      const isShared = (HostConfig.VolumesFrom ?? []).length > 0;
      return storage(isShared ? 'data-container' : 'anonymous-volume', { place, driver });
    }
    default: {
      const read = storage('named-volume', { spec: null });
      return { ...read, refusal: msg('compose.mountType') };
    }
  }
}

/**
 * The folder on this machine behind the virtual machine's path that the engine names: `/host_mnt/Users/ada` on a
 * Mac; `/run/desktop/mnt/host/c/db`, `/mnt/host/c/db`, or `/c/db` on Windows.
 */
export function hostPath(source: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const [, drive, rest = ''] =
      /^(?:\/run\/desktop\/mnt\/host|\/host_mnt|\/mnt\/host)?\/([a-z])(\/.*)?$/i.exec(source) ?? [];
    return drive === undefined ? source : `${drive.toUpperCase()}:${rest.replaceAll('/', '\\') || '\\'}`;
  }
  return platform === 'darwin' ? source.replace(/^\/host_mnt(?=\/)/, '') : source;
}
