import type { ComposeModel, ComposeService } from '../../shared/compose/model.ts';
import type { DatabasePath } from '../../shared/model/database.ts';
import type { ListedContainer, VolumeFacts } from '../runtime/container-runtime.ts';
import type { ExaminedContainer } from '../runtime/examined-container.ts';
import { isOwnContainer } from '../runtime/labels.ts';

/** A label of Compose (its api/labels.go). */
export const PROJECT_LABEL = 'com.docker.compose.project';
export const SERVICE_LABEL = 'com.docker.compose.service';

/** Docker's own networks don't resolve names of containers. */
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
  const [first, ...more] = inside;
  if (NetworkMode === 'none') return first === undefined ? [path('unix-socket')] : [first, ...more];
  const owner = /^container:(.+)$/.exec(NetworkMode)?.[1];
  if (owner !== undefined) {
    const of = foreign.find(({ id, name }) => id === owner || name === owner);
    return [path('shared-netns', of === undefined ? null : named(of))];
  }
  const networks = (container.NetworkSettings?.Networks ?? []).filter((name) => !BUILT_IN.has(name));
  const over = TASK_LABEL in container.Config.Labels ? 'overlay' : 'user-bridge';
  const neighbors = foreign
    .filter((one) => one.networks.some((name) => networks.includes(name)))
    .map((one) => path(over, named(one)));
  const published = publishedPort(container, port);
  const fromHost = published === undefined ? [] : [{ ...path('published-port'), port: published }];
  const [main, ...rest] = [...inside, ...neighbors, ...fromHost];
  return main === undefined ? [path(networks.length > 0 ? over : 'container-ip')] : [main, ...rest];
}

function isOf({ labels }: ListedContainer, project: string | undefined): boolean {
  return project !== undefined && labels[PROJECT_LABEL] === project;
}

/** Null: the engine chooses a port at each start; undefined: none is published. */
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

const ANONYMOUS = /^[0-9a-f]{64}$/;

/** The container as a Compose service. Source: Docker Engine API, ContainerInspect. */
export function composeOf(
  { Config: { Cmd }, Mounts, HostConfig }: ExaminedContainer,
  volumes: ReadonlyMap<string, VolumeFacts>,
  platform: NodeJS.Platform,
): { service: ComposeService; model: Pick<ComposeModel, 'volumes'> } {
  const { NanoCpus, CpuQuota, CpuPeriod, Memory, Tmpfs, VolumesFrom } = HostConfig;
  const isNamed = (name: string | null | undefined): boolean => !ANONYMOUS.test(name ?? '');
  // With `volumes_from`, volumes without a name may be another container's.
  const own = (VolumesFrom ?? []).length === 0 ? Mounts : Mounts.filter(({ Name }) => isNamed(Name));
  const known = Mounts.flatMap(({ Name, Driver }) => {
    const { driver = Driver, options = {} } = volumes.get(Name ?? '') ?? {};
    return typeof Name === 'string' ? [[Name, { driver, driver_opts: options }]] : [];
  });
  return {
    service: {
      command: Cmd,
      volumes: own.map(({ Type, Name, Source, Destination }) => ({
        type: Type,
        source: Type === 'bind' ? hostPath(Source ?? '', platform) : isNamed(Name) ? Name : null,
        target: Destination,
      })),
      tmpfs: Object.entries(Tmpfs ?? {}).map(([target, options]) => `${target}:${options}`),
      volumes_from: VolumesFrom,
      cpus: (NanoCpus ?? 0) / 1e9,
      cpu_quota: CpuQuota,
      cpu_period: CpuPeriod,
      mem_limit: Memory,
    },
    model: { volumes: Object.fromEntries(known) as ComposeModel['volumes'] },
  };
}

/**
 * The folder behind a VM's path: `/host_mnt/Users/ada` on a Mac; `/run/desktop/mnt/host/c/db`,
 * `/mnt/host/c/db`, or `/c/db` on Windows.
 */
export function hostPath(source: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const [, drive, rest = ''] =
      /^(?:\/run\/desktop\/mnt\/host|\/host_mnt|\/mnt\/host)?\/([a-z])(\/.*)?$/i.exec(source) ?? [];
    return drive === undefined ? source : `${drive.toUpperCase()}:${rest.replaceAll('/', '\\') || '\\'}`;
  }
  return platform === 'darwin' ? source.replace(/^\/host_mnt(?=\/)/, '') : source;
}
