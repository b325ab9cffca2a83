import { BenchmarkError } from '../../../shared/errors.ts';
import type {
  ContainerRuntime,
  ContainerSpec,
  ContainerState,
  MountSpec,
  ServiceSpec,
} from '../../runtime/container-runtime.ts';
import { SERVER_PORT } from '../../target/paths.ts';
import { plainContainer, Server, type ServerContainer, type ServerSpec } from '../../target/server.ts';
import type { TargetServer } from '../../target/target-server.ts';
import type { Cleanup } from '../cleanup.ts';
import { runningTask } from '../swarm/swarm-client.ts';

/** A server as a swarm service on this node, which clients reach at its port of the routing mesh on this machine. */
export function makeIngressServer(
  runtime: ContainerRuntime,
  spec: ServerSpec,
  cleanup: Cleanup,
  signal: AbortSignal,
): TargetServer {
  const service = new ServiceContainer(runtime, Server.containerSpec(spec), SERVER_PORT, signal);
  cleanup.add('container', () => service.remove());
  const server = new Server(spec, service);
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
          action: 'publish a service',
          reason: `the swarm picked no port (${runtime.passport.runtime.name})`,
        });
      }
      // Never `localhost`: some runtimes forward IPv4 only. No client may share the network of a swarm's container.
      return { ...running, containerId: undefined, address: () => ({ host: '127.0.0.1', port }) };
    },
  };
}

/** A swarm service of one task on this node as a server's container; every start makes a new service. */
export class ServiceContainer implements ServerContainer {
  readonly #runtime: ContainerRuntime;
  readonly #spec: ContainerSpec;
  readonly #publish: number;
  readonly #signal: AbortSignal;
  #serviceId: string | undefined;
  #container: ServerContainer | undefined;
  /** Of the container that was stopped last. */
  #exitCode: number | null = null;

  /** `publish`: container port that the routing mesh leads to. */
  constructor(runtime: ContainerRuntime, spec: ContainerSpec, publish: number, signal: AbortSignal) {
    this.#runtime = runtime;
    this.#spec = spec;
    this.#publish = publish;
    this.#signal = signal;
  }

  get id(): string {
    return this.#spec.name;
  }

  async start(): Promise<void> {
    const { swarm } = this.#runtime;
    // A service that ended by itself is still there.
    await this.#removeService();
    const { nodeId } = await swarm.state();
    const spec = serviceSpec(this.#spec, nodeId, this.#publish);
    this.#serviceId = await swarm.createService(spec);
    // Accepts a task that ended at once: its log says why.
    const { containerId } = await runningTask(swarm, this.#serviceId, {
      image: spec.image,
      signal: this.#signal,
      orEnded: true,
    });
    if (containerId !== undefined) this.#container = plainContainer(this.#runtime, containerId);
  }

  async stop(graceSeconds: number): Promise<void> {
    if (this.#container !== undefined) {
      // The swarm's own stop would remove the container and its exit code at the same time.
      await this.#container.stop(graceSeconds);
      this.#exitCode = (await this.#container.inspect()).exitCode;
    }
    await this.#removeService();
  }

  async inspect(): Promise<ContainerState> {
    if (this.#container !== undefined) return this.#container.inspect();
    const gone = { running: false, oomKilled: false, ports: {}, addresses: {}, startedAt: '' };
    return { ...gone, exitCode: this.#exitCode };
  }

  // Async, so that a service without a container rejects and does not throw.
  async wait(signal: AbortSignal): Promise<number> {
    return this.#running().wait(signal);
  }

  async waitPaused(signal: AbortSignal): Promise<void> {
    return this.#running().waitPaused(signal);
  }

  async followLogs(...given: Parameters<ServerContainer['followLogs']>): Promise<void> {
    return this.#running().followLogs(...given);
  }

  async exec(command: string[]): ReturnType<ServerContainer['exec']> {
    return this.#running().exec(command);
  }

  /** The mesh's port of the service that runs. */
  async port(): Promise<number | undefined> {
    return this.#serviceId === undefined ? undefined : this.#runtime.swarm.publishedPort(this.#serviceId);
  }

  /** Kills what runs and removes the service. */
  async remove(): Promise<void> {
    if (this.#container !== undefined) await this.#runtime.killContainer(this.#container.id);
    await this.#removeService();
  }

  #running(): ServerContainer {
    if (this.#container !== undefined) return this.#container;
    throw new BenchmarkError('ENGINE_REFUSED', { action: 'use a service', reason: 'it does not run' });
  }

  async #removeService(): Promise<void> {
    const id = this.#serviceId;
    if (id !== undefined) await this.#runtime.swarm.removeService(id);
    this.#serviceId = undefined;
    this.#container = undefined;
  }
}

function serviceSpec(spec: ContainerSpec, nodeId: string, publish: number): ServiceSpec {
  return {
    name: spec.name,
    image: spec.image,
    labels: spec.labels,
    nodeId,
    publish,
    ...(spec.env === undefined ? {} : { env: spec.env }),
    ...(spec.command === undefined ? {} : { command: spec.command }),
    mounts: (spec.mounts ?? []).filter(isForService),
    ...(spec.stopTimeoutSeconds === undefined ? {} : { stopTimeoutSeconds: spec.stopTimeoutSeconds }),
  };
}

/** The support matrix keeps the others away from the routing mesh. */
function isForService(mount: MountSpec): mount is Exclude<MountSpec, { type: 'anonymous-volume' }> {
  return mount.type !== 'anonymous-volume';
}
