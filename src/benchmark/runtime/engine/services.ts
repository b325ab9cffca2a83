import * as z from 'zod';
import { msg } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Passport } from '../../../shared/model/passport.ts';
import { checked, type EngineClient } from './engine-client.ts';
import { statusOf } from './engine-error.ts';
import { NAME_LABEL } from '../labels.ts';
import { containerLimits, hardenedTask } from './container-body.ts';
import type { ServiceSpec, ServiceTask } from '../container-runtime.ts';

const GONE_DEADLINE_MS = 2 * 60_000;
/** Tasks have no events. */
const ASK_AGAIN_MS = 100;

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

export class Services {
  readonly #client: EngineClient;
  readonly #hardened: ReturnType<typeof hardenedTask>;

  constructor(client: EngineClient, engine: Pick<Passport['runtime'], 'noNewPrivileges'>) {
    this.#client = client;
    this.#hardened = hardenedTask(engine);
  }

  async create(spec: ServiceSpec): Promise<string> {
    const action = msg('action.createService');
    const service: unknown = await this.#client.call(action, (abortSignal) =>
      this.#client.docker.createService({ ...serviceBody(spec, this.#hardened), abortSignal }),
    );
    return checked(z.looseObject({ id: z.string().min(1) }), service, action).id;
  }

  async task(serviceId: string): Promise<ServiceTask | undefined> {
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
    const action = msg('action.inspectService');
    const answer: unknown = await this.#client.ask(action, () =>
      this.#client.docker.getService(serviceId).inspect(),
    );
    return checked(endpointSchema, answer, action).Endpoint?.Ports?.[0]?.PublishedPort ?? undefined;
  }

  async remove(serviceId: string, nodeId: string): Promise<void> {
    const action = msg('action.removeService');
    await this.#client.call(
      action,
      async (abortSignal) => {
        let tasks: z.infer<typeof tasksSchema>;
        try {
          tasks = await this.#tasks(serviceId);
          await this.#client.docker.getService(serviceId).remove({ abortSignal });
        } catch (error) {
          const status = statusOf(error) ?? statusOf(error instanceof Error ? error.cause : undefined);
          if (status === 404) return;
          throw error;
        }
        for (const { ID, NodeID, Status } of tasks) {
          await this.#gone(abortSignal, () => this.#client.docker.getTask(ID).inspect());
          const container = Status.ContainerStatus?.ContainerID ?? '';
          if (NodeID !== nodeId || container === '') continue;
          await this.#gone(abortSignal, () => this.#client.docker.getContainer(container).inspect());
        }
      },
      { deadlineMs: GONE_DEADLINE_MS },
    );
  }

  async #tasks(serviceId: string): Promise<z.infer<typeof tasksSchema>> {
    const action = msg('action.inspectTasks');
    const answer: unknown = await this.#client.ask(action, (abortSignal) =>
      this.#client.docker.listTasks({ filters: { service: [serviceId] }, abortSignal }),
    );
    return checked(tasksSchema, answer, action).sort((a, b) => b.CreatedAt.localeCompare(a.CreatedAt));
  }

  async #gone(signal: AbortSignal, look: () => Promise<unknown>): Promise<void> {
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
}

function limitsOf({ limits }: ServiceSpec): { NanoCPUs?: number; MemoryBytes?: number } {
  const { NanoCpus, Memory }: ReturnType<typeof containerLimits> =
    limits === undefined ? {} : containerLimits(limits);
  return {
    ...(NanoCpus === undefined ? {} : { NanoCPUs: NanoCpus }),
    ...(Memory === undefined ? {} : { MemoryBytes: Memory }),
  };
}

function serviceBody(
  spec: ServiceSpec,
  hardened: ReturnType<typeof hardenedTask>,
): { Name: string } & Record<string, unknown> {
  const { mounts = [], env = {} } = spec;
  return {
    Name: spec.name,
    Labels: spec.labels,
    Mode: { Replicated: { Replicas: 1 } },
    TaskTemplate: {
      ...hardened.task,
      Resources: { Limits: { ...hardened.task.Resources.Limits, ...limitsOf(spec) } },
      ContainerSpec: {
        ...hardened.container,
        Image: spec.image,
        Labels: { ...spec.labels, [NAME_LABEL]: spec.name },
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        ...(spec.command === undefined ? {} : { Args: spec.command }),
        Mounts: mounts.map(({ type, source, target, readOnly = false }) => ({
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
      Placement: { Constraints: [`node.id==${spec.nodeId}`] },
    },
    EndpointSpec: {
      Mode: 'vip',
      Ports: [{ Protocol: 'tcp', TargetPort: spec.publish, PublishMode: 'ingress' }],
    },
  };
}
