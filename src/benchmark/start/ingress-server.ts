import { msg } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type {
  ContainerRuntime,
  ContainerSpec,
  ServiceSpec,
  ServiceTask,
  SwarmEngine,
} from '../runtime/container-runtime.ts';
import { SERVER_PORT } from '../../shared/kinds/paths.ts';
import { Server, type ServerContainer } from '../servers/server.ts';
import type { TargetServer } from '../servers/target-server.ts';
import type { Environment } from '../context/environment.ts';
import type { Cleanup } from '../context/cleanup.ts';
import { preparedServer, type ContainerServerParts } from './container-servers.ts';
import { step, type RunContext } from '../context/context.ts';
import { checkStopped } from '../stop.ts';

/** A plain container fills the storage first. */
export async function makeIngressServer(
  context: RunContext,
  environment: Environment,
  parts: ContainerServerParts,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { runtime, signal } = context;
  return step(context, 'clone', parts.scenario.serverId, async (onProgress) => {
    const { spec, fill } = await preparedServer(context, environment, parts, cleanup);
    const filler = await runtime.containers.create({
      name: `${spec.name}-fill`,
      image: spec.image,
      labels: spec.labels,
      ...spec.storage.container,
      network: 'none',
    });
    cleanup.add('container', () => runtime.containers.remove(filler));
    await fill(filler, onProgress);
    await runtime.containers.remove(filler);

    const service = serviceContainer(runtime, SERVER_PORT, signal);
    cleanup.add('container', () => service.remove());
    const server = await Server.create({
      ...spec,
      container: service,
      attach: 'bridge',
      network: '',
    });
    return behindMesh(server, service, runtime);
  });
}

function behindMesh(server: Server, service: ServiceContainer, runtime: ContainerRuntime): TargetServer {
  return {
    id: server.id,
    options: server.options,
    account: server.account,
    start: async (phase, signal) => {
      const running = await server.start(phase, signal);
      const port = await service.port();
      if (port === undefined) {
        await running.stop(0);
        throw new BenchmarkError('ENGINE_REFUSED', {
          action: msg('action.publishService'),
          reason: `the swarm picked no port (${runtime.passport.runtime.name})`,
        });
      }
      // Some runtimes forward IPv4 only. No container may join the network of a swarm's container.
      return { ...running, containerId: undefined, address: () => ({ host: '127.0.0.1', port }) };
    },
  };
}

interface ServiceContainer extends ServerContainer {
  port(): Promise<number | undefined>;
  remove(): Promise<void>;
}

export function serviceContainer(
  { containers, swarm }: Pick<ContainerRuntime, 'containers' | 'swarm'>,
  publish: number,
  signal: AbortSignal,
): ServiceContainer {
  let spec: ContainerSpec | undefined;
  let serviceId: string | undefined;
  let containerId: string | undefined;
  let exitCode: number | null = null;
  const running = (): string => {
    if (containerId !== undefined) return containerId;
    const reason = msg('engine.notRunning');
    throw new BenchmarkError('ENGINE_REFUSED', { action: msg('action.useService'), reason });
  };
  const removeService = async (): Promise<void> => {
    if (serviceId !== undefined) await swarm.removeService(serviceId);
    serviceId = undefined;
    containerId = undefined;
  };
  return {
    create: (wanted) => {
      spec = wanted;
      return Promise.resolve(wanted.name);
    },
    start: async () => {
      if (spec === undefined) throw new Error('start before create');
      await removeService();
      const { nodeId } = await swarm.state();
      serviceId = await swarm.createService(serviceSpec(spec, nodeId, publish));
      containerId = (await runningTask(swarm, serviceId, signal)).containerId;
    },
    stop: async (_, graceSeconds) => {
      if (containerId !== undefined) {
        // The swarm's own stop would remove the container with its exit code.
        await containers.stop(containerId, graceSeconds);
        ({ exitCode } = await containers.inspect(containerId));
      }
      await removeService();
    },
    inspect: () => {
      if (containerId !== undefined) return containers.inspect(containerId);
      const gone = { running: false, paused: false, oomKilled: false, ports: {}, addresses: {} };
      return Promise.resolve({ ...gone, startedAt: '', endedAt: '', exitCode });
    },
    wait: async (_, ...rest) => containers.wait(running(), ...rest),
    pause: async () => containers.pause(running()),
    unpause: async () => containers.unpause(running()),
    waitPaused: async (_, ...rest) => containers.waitPaused(running(), ...rest),
    followLogs: async (_, ...rest) => containers.followLogs(running(), ...rest),
    exec: async (_, ...rest) => containers.exec(running(), ...rest),
    port: async () => (serviceId === undefined ? undefined : swarm.publishedPort(serviceId)),
    remove: async () => {
      if (containerId !== undefined) await containers.kill(containerId);
      await removeService();
    },
  };
}

function serviceSpec(
  { name, image, labels, env, command, limits, mounts = [], stopTimeoutSeconds }: ContainerSpec,
  nodeId: string,
  publish: number,
): ServiceSpec {
  return {
    ...{ name, image, labels, nodeId, publish, env, command, limits, stopTimeoutSeconds },
    mounts: mounts.filter((mount) => mount.type !== 'anonymous-volume'),
  };
}

const ASK_AGAIN_MS = 100;
const START_MS = 60_000;

const ENDED: ReadonlySet<string> = new Set([
  'complete',
  'shutdown',
  'failed',
  'rejected',
  'orphaned',
  'remove',
]);

const RAN: ReadonlySet<string> = new Set(['complete', 'failed']);

/** Resolves also with an ended task, whose log has the cause. Rejects if it never ran. */
export async function runningTask(
  swarm: SwarmEngine,
  serviceId: string,
  signal: AbortSignal,
  startMs = START_MS,
): Promise<ServiceTask> {
  const start = Date.now();
  for (;;) {
    checkStopped(signal);
    const task = await swarm.serviceTask(serviceId);
    if (task?.state === 'running') return task;
    if (task?.containerId !== undefined && RAN.has(task.state)) return task;
    const late = Date.now() - start > startMs;
    if (task !== undefined && (late || ENDED.has(task.state)))
      throw refused(`its task is “${task.state}”: ${task.message}`);
    if (late) throw refused('the swarm made no task of it');
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

function refused(reason: string): BenchmarkError {
  return new BenchmarkError('ENGINE_REFUSED', { action: msg('action.runService'), reason });
}
