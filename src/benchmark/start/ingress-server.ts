import { msg } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type {
  ContainerRuntime,
  ContainerSpec,
  ContainerState,
  MountSpec,
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

/** Published through the routing mesh; a plain container fills its storage first. */
export async function makeIngressServer(
  context: RunContext,
  environment: Environment,
  parts: ContainerServerParts,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { runtime, signal } = context;
  return step(context, 'clone', parts.scenario.serverId, async () => {
    const { spec, fill } = await preparedServer(context, environment, parts, cleanup);
    const filler = await runtime.containers.create({
      name: `${spec.name}-fill`,
      image: spec.image,
      labels: spec.labels,
      ...spec.storage.container,
      network: 'none',
    });
    cleanup.add('container', () => runtime.containers.remove(filler));
    await fill(filler);
    await runtime.containers.remove(filler);

    const service = new ServiceContainer(runtime, SERVER_PORT, signal);
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
      // Some runtimes forward IPv4 only. No container may join the network of the swarm's.
      return { ...running, containerId: undefined, address: () => ({ host: '127.0.0.1', port }) };
    },
  };
}

/** A new container for each start: a service of one task on this node. */
export class ServiceContainer implements ServerContainer {
  readonly #runtime: ContainerRuntime;
  readonly #publish: number;
  readonly #signal: AbortSignal;
  #spec: ContainerSpec | undefined;
  #serviceId: string | undefined;
  #containerId: string | undefined;
  #exitCode: number | null = null;

  constructor(runtime: ContainerRuntime, publish: number, signal: AbortSignal) {
    this.#runtime = runtime;
    this.#publish = publish;
    this.#signal = signal;
  }

  create(spec: ContainerSpec): Promise<string> {
    this.#spec = spec;
    return Promise.resolve(spec.name);
  }

  async start(): Promise<void> {
    const { swarm } = this.#runtime;
    if (this.#spec === undefined) throw new Error('start before create');
    await this.#removeService();
    const { nodeId } = await swarm.state();
    const spec = serviceSpec(this.#spec, nodeId, this.#publish);
    this.#serviceId = await swarm.createService(spec);
    const task = await runningTask(swarm, this.#serviceId, this.#signal);
    this.#containerId = task.containerId;
  }

  async stop(_id: string, graceSeconds: number): Promise<void> {
    if (this.#containerId !== undefined) {
      // The swarm's own stop would remove the container with its exit code.
      await this.#runtime.containers.stop(this.#containerId, graceSeconds);
      this.#exitCode = (await this.#runtime.containers.inspect(this.#containerId)).exitCode;
    }
    await this.#removeService();
  }

  inspect(): Promise<ContainerState> {
    if (this.#containerId !== undefined) return this.#runtime.containers.inspect(this.#containerId);
    const gone = { running: false, paused: false, oomKilled: false, ports: {}, addresses: {} };
    return Promise.resolve({ ...gone, startedAt: '', endedAt: '', exitCode: this.#exitCode });
  }

  wait(_id: string, signal?: AbortSignal): Promise<number> {
    return this.#runtime.containers.wait(this.#running(), signal);
  }

  pause(): Promise<void> {
    return this.#runtime.containers.pause(this.#running());
  }

  unpause(): Promise<void> {
    return this.#runtime.containers.unpause(this.#running());
  }

  waitPaused(_id: string, ...rest: PausedArguments): Promise<void> {
    return this.#runtime.containers.waitPaused(this.#running(), ...rest);
  }

  followLogs(_id: string, ...rest: FollowArguments): Promise<void> {
    return this.#runtime.containers.followLogs(this.#running(), ...rest);
  }

  exec(_id: string, command: string[]): ReturnType<ServerContainer['exec']> {
    return this.#runtime.containers.exec(this.#running(), command);
  }

  async port(): Promise<number | undefined> {
    return this.#serviceId === undefined ? undefined : this.#runtime.swarm.publishedPort(this.#serviceId);
  }

  async remove(): Promise<void> {
    if (this.#containerId !== undefined) await this.#runtime.containers.kill(this.#containerId);
    await this.#removeService();
  }

  #running(): string {
    if (this.#containerId !== undefined) return this.#containerId;
    throw new BenchmarkError('ENGINE_REFUSED', {
      action: msg('action.useService'),
      reason: msg('engine.notRunning'),
    });
  }

  async #removeService(): Promise<void> {
    const id = this.#serviceId;
    if (id !== undefined) await this.#runtime.swarm.removeService(id);
    this.#serviceId = undefined;
    this.#containerId = undefined;
  }
}

type PausedArguments =
  Parameters<ServerContainer['waitPaused']> extends [string, ...infer Rest] ? Rest : never;
type FollowArguments =
  Parameters<ServerContainer['followLogs']> extends [string, ...infer Rest] ? Rest : never;

function serviceSpec(spec: ContainerSpec, nodeId: string, publish: number): ServiceSpec {
  return {
    name: spec.name,
    image: spec.image,
    labels: spec.labels,
    nodeId,
    publish,
    ...(spec.env === undefined ? {} : { env: spec.env }),
    ...(spec.command === undefined ? {} : { command: spec.command }),
    ...(spec.limits === undefined ? {} : { limits: spec.limits }),
    mounts: (spec.mounts ?? []).filter(isForService),
    ...(spec.stopTimeoutSeconds === undefined ? {} : { stopTimeoutSeconds: spec.stopTimeoutSeconds }),
  };
}

function isForService(mount: MountSpec): mount is Exclude<MountSpec, { type: 'anonymous-volume' }> {
  return mount.type !== 'anonymous-volume';
}

const ASK_AGAIN_MS = 100;
/** For a slow engine to create a container from a local image. */
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

/** Also one that has ended, whose log says why. Rejects if it never ran. */
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
