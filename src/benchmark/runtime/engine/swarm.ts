import * as z from 'zod';
import { msg } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { OwnedResource, ServiceSpec, ServiceTask, SwarmNode, SwarmState } from '../specs.ts';
import { type EngineTraits, hardenedTask, serviceLimits } from './container-body.ts';
import type { EngineClient } from './engine-client.ts';
import { statusOf } from './engine-error.ts';
import { NAME_LABEL, ownedFilter, OWNER_LABEL, RUN_LABEL, labelsSchema } from '../labels.ts';
import type { Networks } from './networks.ts';

const SLOW_DEADLINE_MS = 3 * 60_000;
const GONE_DEADLINE_MS = 2 * 60_000;
const MESH_DEADLINE_MS = 30_000;
/** Tasks and the routing mesh have no events. */
const ASK_AGAIN_MS = 100;
/** Only this machine can reach it; 2377 is the swarm port. */
const ADDRESS = '127.0.0.1';

const infoSchema = z.looseObject({
  LiveRestoreEnabled: z.boolean().nullish(),
  Swarm: z
    .looseObject({
      LocalNodeState: z.string().nullish(),
      ControlAvailable: z.boolean().nullish(),
      NodeID: z.string().nullish(),
    })
    .nullish(),
});
const clusterSchema = z.looseObject({ ID: z.string(), Spec: z.looseObject({ Labels: labelsSchema }) });
const nodesSchema = z.array(
  z.looseObject({
    ID: z.string(),
    Spec: z.looseObject({ Availability: z.string().nullish() }),
    Description: z.looseObject({ Platform: z.looseObject({ OS: z.string().nullish() }).nullish() }),
    Status: z.looseObject({ State: z.string() }),
  }),
);
const servicesSchema = z.array(
  z.looseObject({ ID: z.string(), Spec: z.looseObject({ Name: z.string(), Labels: labelsSchema }) }),
);
const tasksSchema = z.array(
  z.looseObject({
    ID: z.string(),
    CreatedAt: z.string(),
    NodeID: z.string().nullish(),
    Status: z.looseObject({
      State: z.string(),
      Message: z.string().nullish(),
      Err: z.string().nullish(),
      ContainerStatus: z.looseObject({ ContainerID: z.string().nullish() }).nullish(),
    }),
  }),
);
const endpointSchema = z.looseObject({
  Endpoint: z
    .looseObject({ Ports: z.array(z.looseObject({ PublishedPort: z.number().nullish() })).nullish() })
    .nullish(),
});
const STATES = ['inactive', 'pending', 'active', 'error', 'locked'] as const;

/** Outside a swarm only `state` and `init` work. */
export class Swarm {
  constructor(
    private readonly client: EngineClient,
    private readonly networks: Networks,
    private readonly engine: EngineTraits,
  ) {}

  async state(): Promise<SwarmState> {
    const { Swarm: swarm, LiveRestoreEnabled } = await this.client.answer(
      infoSchema,
      msg('action.inspectEngine'),
      (signal) => this.client.told('info', signal),
    );
    return {
      // Podman and old engines omit these.
      state: STATES.find((state) => state === swarm?.LocalNodeState) ?? 'inactive',
      manager: swarm?.ControlAvailable ?? false,
      nodeId: swarm?.NodeID ?? '',
      liveRestore: LiveRestoreEnabled ?? false,
    };
  }

  async init(labels: Record<string, string>): Promise<void> {
    // The engine would leave it behind without labels.
    await this.networks.createGateway(labels);
    await this.client.call(
      'start a swarm',
      (abortSignal) =>
        this.client.docker.swarmInit({
          ListenAddr: `${ADDRESS}:2377`,
          AdvertiseAddr: ADDRESS,
          Spec: { Name: 'default', Labels: labels },
          abortSignal,
        }),
      { deadlineMs: SLOW_DEADLINE_MS },
    );
    // The engine still sets up its mesh. If it left the swarm meanwhile, it could make the gateway again, without labels.
    const end = Date.now() + MESH_DEADLINE_MS;
    while (!(await this.networks.isGatewayUsed()) && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }

  /** Rejects with SWARM_IN_USE if others use the swarm. */
  async leave(runId: string): Promise<void> {
    const [swarm] = await this.#ownSwarm();
    if (swarm?.labels[RUN_LABEL] === runId) {
      const others = await this.#contentsOfOthers(runId);
      if (others.length > 0) throw new BenchmarkError('SWARM_IN_USE', {}, { evidence: others });
      await this.client.call(
        'leave a swarm',
        (abortSignal) => this.client.docker.swarmLeave({ force: true, abortSignal }),
        { deadlineMs: SLOW_DEADLINE_MS },
      );
    }
    for (const { id, labels } of await this.networks.ownGateway()) {
      if (labels[RUN_LABEL] === runId) await this.networks.remove(id);
    }
  }

  async nodes(): Promise<SwarmNode[]> {
    const nodes = await this.client.answer(nodesSchema, msg('action.listNodes'), (abortSignal) =>
      this.client.docker.listNodes({ abortSignal }),
    );
    return nodes.map(({ ID, Spec, Description, Status }) => ({
      id: ID,
      usable:
        Status.State === 'ready' &&
        (Spec.Availability ?? 'active') === 'active' &&
        (Description.Platform?.OS ?? 'linux') === 'linux',
    }));
  }

  async createService(spec: ServiceSpec): Promise<string> {
    const schema = z.looseObject({ id: z.string().min(1) });
    const service = await this.client.made(schema, msg('action.createService'), (abortSignal) =>
      this.client.docker.createService({ ...serviceBody(spec, this.engine), abortSignal }),
    );
    return service.id;
  }

  async serviceTask(serviceId: string): Promise<ServiceTask | undefined> {
    const [task] = await this.#tasks(serviceId);
    if (task === undefined) return undefined;
    const { State, Err, Message, ContainerStatus } = task.Status;
    return {
      state: State,
      message: Err ?? Message ?? '',
      containerId: ContainerStatus?.ContainerID ?? undefined,
    };
  }

  async publishedPort(serviceId: string): Promise<number | undefined> {
    const { Endpoint } = await this.client.answer(
      endpointSchema,
      msg('action.inspectService'),
      (abortSignal) => this.client.docker.getService(serviceId).inspect({ abortSignal }),
    );
    return Endpoint?.Ports?.[0]?.PublishedPort ?? undefined;
  }

  /** Resolves when task and container are gone. */
  async removeService(serviceId: string): Promise<void> {
    const { nodeId } = await this.state();
    await this.client.call(
      msg('action.removeService'),
      async (abortSignal) => {
        let tasks: z.infer<typeof tasksSchema>;
        try {
          tasks = await this.#tasks(serviceId);
          await this.client.docker.getService(serviceId).remove({ abortSignal });
        } catch (error) {
          const status = statusOf(error) ?? statusOf(error instanceof Error ? error.cause : undefined);
          if (status === 404) return;
          throw error;
        }
        for (const { ID, NodeID, Status } of tasks) {
          await gone(abortSignal, () => this.client.docker.getTask(ID).inspect({ abortSignal }));
          const container = Status.ContainerStatus?.ContainerID ?? '';
          if (NodeID !== nodeId || container === '') continue;
          await gone(abortSignal, () => this.client.docker.getContainer(container).inspect({ abortSignal }));
        }
      },
      { deadlineMs: GONE_DEADLINE_MS },
    );
  }

  async listOwned(): Promise<OwnedResource[]> {
    const { state, manager } = await this.state();
    if (state === 'inactive') return this.networks.ownGateway();
    if (!manager) return [];
    try {
      const [services, swarm] = await Promise.all([this.#listServices(ownedFilter()), this.#ownSwarm()]);
      return [...services, ...swarm];
    } catch (error) {
      // Another run on this engine may have ended its swarm meanwhile.
      if ((await this.state()).manager) throw error;
      return this.listOwned();
    }
  }

  async #listServices(filters: { label?: string[] }): Promise<OwnedResource[]> {
    const services = await this.client.answer(
      servicesSchema,
      'list services',
      (abortSignal): Promise<unknown> => this.client.docker.listServices({ filters, abortSignal }),
    );
    return services.map(({ ID, Spec }) => ({
      kind: 'service',
      id: ID,
      name: Spec.Name,
      labels: Spec.Labels ?? {},
    }));
  }

  async #tasks(serviceId: string): Promise<z.infer<typeof tasksSchema>> {
    const tasks = await this.client.answer(tasksSchema, msg('action.inspectTasks'), (abortSignal) =>
      this.client.docker.listTasks({ filters: { service: [serviceId] }, abortSignal }),
    );
    return tasks.sort((a, b) => b.CreatedAt.localeCompare(a.CreatedAt));
  }

  async #countFiles(kind: 'config' | 'secret'): Promise<number> {
    const { docker } = this.client;
    const files = await this.client.answer(
      z.array(z.unknown()),
      `list ${kind}s`,
      (abortSignal): Promise<unknown> =>
        kind === 'config' ? docker.listConfigs({ abortSignal }) : docker.listSecrets({ abortSignal }),
    );
    return files.length;
  }

  async #ownSwarm(): Promise<OwnedResource[]> {
    if (!(await this.state()).manager) return [];
    const { ID, Spec } = await this.client.answer(clusterSchema, msg('action.inspectSwarm'), (signal) =>
      this.client.told('swarmInspect', signal),
    );
    const labels = Spec.Labels ?? {};
    const name = `whalemark-${labels[RUN_LABEL] ?? ''}`;
    return OWNER_LABEL in labels ? [{ kind: 'swarm', id: ID, name, labels }] : [];
  }

  async #contentsOfOthers(runId: string): Promise<string[]> {
    const foreign = ({ labels }: { labels: Record<string, string> }): boolean => labels[RUN_LABEL] !== runId;
    const [nodes, services, configs, secrets, networks] = await Promise.all([
      this.nodes(),
      this.#listServices({}),
      this.#countFiles('config'),
      this.#countFiles('secret'),
      this.networks.listOfSwarm(),
    ]);
    const counts: [string, number][] = [
      ['further nodes', nodes.length - 1],
      ['services', services.filter(foreign).length],
      ['configs', configs],
      ['secrets', secrets],
      ['networks', networks.filter(foreign).length],
    ];
    return counts.filter(([, count]) => count > 0).map(([what, count]) => `${what}: ${count}`);
  }
}

async function gone(signal: AbortSignal, look: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    try {
      await look();
    } catch (error) {
      if (statusOf(error) === 404) return;
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
  throw new BenchmarkError('STOPPED');
}

function serviceBody(
  { name, image, labels, nodeId, publish, ...spec }: ServiceSpec,
  engine: EngineTraits,
): { Name: string } & Record<string, unknown> {
  const { task, container } = hardenedTask(engine);
  return {
    Name: name,
    Labels: labels,
    Mode: { Replicated: { Replicas: 1 } },
    TaskTemplate: {
      ...task,
      Resources: { Limits: { ...task.Resources.Limits, ...serviceLimits(spec.limits) } },
      ContainerSpec: {
        ...container,
        Image: image,
        Labels: { ...labels, [NAME_LABEL]: name },
        Env: Object.entries(spec.env ?? {}).map((pair) => pair.join('=')),
        ...(spec.command === undefined ? {} : { Args: spec.command }),
        Mounts: (spec.mounts ?? []).map(({ type, source, target, readOnly = false }) => ({
          Type: type,
          Source: source,
          Target: target,
          ReadOnly: readOnly,
        })),
        ...(spec.stopTimeoutSeconds === undefined
          ? {}
          : { StopGracePeriod: spec.stopTimeoutSeconds * 1_000_000_000 }),
      },
      RestartPolicy: { Condition: 'none' },
      Placement: { Constraints: [`node.id==${nodeId}`] },
    },
    EndpointSpec: {
      Mode: 'vip',
      Ports: [{ Protocol: 'tcp', TargetPort: publish, PublishMode: 'ingress' }],
    },
  };
}
