import type { SetupPath } from '../../shared/model/setup.ts';
import type { ListedContainer } from '../runtime/container-runtime.ts';
import type { ExaminedContainer } from '../runtime/examined-container.ts';
import { isOwnContainer } from '../runtime/labels.ts';
import { PROJECT_LABEL, SERVICE_LABEL } from './compose-labels.ts';

/** Networks that Docker has by itself; containers don't find each other there by name. */
const BUILT_IN = new Set(['bridge', 'host', 'none', 'default', '']);
/** Of swarm's tasks. */
const TASK_LABEL = 'com.docker.swarm.task.id';

/** How clients reach the server, the main one first: the project's application, other containers, the host. */
export function pathsOf(
  container: ExaminedContainer,
  port: number,
  others: readonly ListedContainer[],
): [SetupPath, ...SetupPath[]] {
  const { NetworkMode } = container.HostConfig;
  const project = container.Config.Labels[PROJECT_LABEL];
  const path = (kind: SetupPath['kind'], client: string | null = null): SetupPath => ({
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

function nonEmpty([first, ...rest]: SetupPath[]): [SetupPath, ...SetupPath[]] {
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
