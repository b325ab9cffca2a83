import { BenchmarkError } from '../../../shared/errors.ts';
import type {
  ContainerRuntime,
  ContainerSpec,
  MountSpec,
  ServiceSpec,
} from '../../runtime/container-runtime.ts';
import { runningTask } from '../swarm/swarm-tasks.ts';

/**
 * A container that a swarm makes anew for every start, as a service of one task on this node, in the clothes of one that
 * is made once: so a `Server` can be started, followed and stopped the same way whoever makes its container.
 */
export class ServiceContainer {
  readonly #runtime: ContainerRuntime;
  readonly #publish: number;
  readonly #signal: AbortSignal;
  #spec: ContainerSpec | undefined;
  #serviceId: string | undefined;
  #containerId: string | undefined;
  /** Of the container that was stopped last. */
  #exitCode: number | null = null;

  /** `publish`: container port that the routing mesh leads to. */
  constructor(runtime: ContainerRuntime, publish: number, signal: AbortSignal) {
    this.#runtime = runtime;
    this.#publish = publish;
    this.#signal = signal;
  }

  /** The runtime for that one container; whatever concerns others goes to the real one unchanged. */
  asRuntime(): ContainerRuntime {
    const real = this.#runtime;
    const own: Partial<ContainerRuntime> = {
      createContainer: (spec) => {
        this.#spec = spec;
        return Promise.resolve(spec.name);
      },
      startContainer: () => this.#start(),
      stopContainer: (_, graceSeconds) => this.#stop(graceSeconds),
      removeContainer: () => this.remove(),
      inspectContainer: async () => {
        if (this.#containerId !== undefined) return real.inspectContainer(this.#containerId);
        const gone = { running: false, oomKilled: false, ports: {}, addresses: {}, startedAt: '' };
        return { ...gone, exitCode: this.#exitCode };
      },
      waitContainer: (_, signal) => real.waitContainer(this.#running(), signal),
      waitPaused: (_, signal) => real.waitPaused(this.#running(), signal),
      followLogs: (_, onLine, options) => real.followLogs(this.#running(), onLine, options),
      exec: (_, command) => real.exec(this.#running(), command),
    };
    return new Proxy(real, {
      get: (target, name): unknown => {
        const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  /** The mesh's port of the service that runs. */
  async port(): Promise<number | undefined> {
    return this.#serviceId === undefined ? undefined : this.#runtime.swarm.publishedPort(this.#serviceId);
  }

  /** Kills what runs and removes the service. */
  async remove(): Promise<void> {
    if (this.#containerId !== undefined) await this.#runtime.killContainer(this.#containerId);
    await this.#removeService();
  }

  #running(): string {
    if (this.#containerId !== undefined) return this.#containerId;
    throw new BenchmarkError('ENGINE_REFUSED', { action: 'use a service', reason: 'it does not run' });
  }

  async #start(): Promise<void> {
    const { swarm } = this.#runtime;
    if (this.#spec === undefined) throw new Error('start before create');
    // One that ended by itself is still there.
    await this.#removeService();
    const { nodeId } = await swarm.state();
    const spec = serviceSpec(this.#spec, nodeId, this.#publish);
    this.#serviceId = await swarm.createService(spec);
    // The container of a server that ended at once is still there: its log says why.
    const task = await runningTask(swarm, this.#serviceId, {
      image: spec.image,
      signal: this.#signal,
      orEnded: true,
    });
    this.#containerId = task.containerId;
  }

  async #stop(graceSeconds: number): Promise<void> {
    if (this.#containerId !== undefined) {
      // The swarm's own stop would take the container and its exit code away at the same time.
      await this.#runtime.stopContainer(this.#containerId, graceSeconds);
      this.#exitCode = (await this.#runtime.inspectContainer(this.#containerId)).exitCode;
    }
    await this.#removeService();
  }

  async #removeService(): Promise<void> {
    const id = this.#serviceId;
    if (id !== undefined) await this.#runtime.swarm.removeService(id);
    this.#serviceId = undefined;
    this.#containerId = undefined;
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
