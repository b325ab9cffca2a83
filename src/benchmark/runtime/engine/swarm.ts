import * as z from 'zod';
import { msg } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Passport } from '../../../shared/model/passport.ts';
import type {
  OwnedResource,
  ServiceSpec,
  ServiceTask,
  SwarmEngine,
  SwarmNode,
  SwarmState,
} from '../container-runtime.ts';
import { checked, type EngineClient } from './engine-client.ts';
import { ownedFilter, OWNER_LABEL, RUN_LABEL } from '../labels.ts';
import type { Networks } from './networks.ts';
import { Services } from './services.ts';

const SLOW_DEADLINE_MS = 3 * 60_000;
/** Only this machine can reach it; 2377 is the swarm port. */
const ADDRESS = '127.0.0.1';

const labelsSchema = z.record(z.string(), z.string()).nullish();
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
const STATES = ['inactive', 'pending', 'active', 'error', 'locked'] as const;

export class Swarm implements SwarmEngine {
  readonly #services: Services;
  readonly #client: EngineClient;
  readonly #networks: Networks;

  constructor(
    client: EngineClient,
    networks: Networks,
    engine: Pick<Passport['runtime'], 'noNewPrivileges'>,
  ) {
    this.#client = client;
    this.#networks = networks;
    this.#services = new Services(client, engine);
  }

  async state(): Promise<SwarmState> {
    const action = msg('action.inspectEngine');
    const answer: unknown = await this.#client.ask(action, () => this.#client.docker.info());
    const { Swarm: swarm, LiveRestoreEnabled } = checked(infoSchema, answer, action);
    return {
      // Podman and old engines.
      state: STATES.find((state) => state === swarm?.LocalNodeState) ?? 'inactive',
      manager: swarm?.ControlAvailable ?? false,
      nodeId: swarm?.NodeID ?? '',
      liveRestore: LiveRestoreEnabled ?? false,
    };
  }

  async init(labels: Record<string, string>): Promise<void> {
    // The engine would leave it behind without labels.
    await this.#networks.createGateway(labels);
    await this.#client.call(
      'start a swarm',
      (abortSignal) =>
        this.#client.docker.swarmInit({
          ListenAddr: `${ADDRESS}:2377`,
          AdvertiseAddr: ADDRESS,
          Spec: { Name: 'default', Labels: labels },
          abortSignal,
        }),
      { deadlineMs: SLOW_DEADLINE_MS },
    );
  }

  async leave(runId: string): Promise<void> {
    const [swarm] = await this.#ownSwarm();
    if (swarm?.labels[RUN_LABEL] === runId) {
      const others = await this.#contentsOfOthers(runId);
      if (others.length > 0) throw new BenchmarkError('SWARM_IN_USE', {}, { evidence: others });
      await this.#client.call(
        'leave a swarm',
        (abortSignal) => this.#client.docker.swarmLeave({ force: true, abortSignal }),
        { deadlineMs: SLOW_DEADLINE_MS },
      );
    }
    for (const { id, labels } of await this.#networks.ownGateway()) {
      if (labels[RUN_LABEL] === runId) await this.#networks.remove(id);
    }
  }

  async nodes(): Promise<SwarmNode[]> {
    const action = msg('action.listNodes');
    const answer: unknown = await this.#client.ask(action, (abortSignal) =>
      this.#client.docker.listNodes({ abortSignal }),
    );
    return checked(nodesSchema, answer, action).map(({ ID, Spec, Description, Status }) => ({
      id: ID,
      usable:
        Status.State === 'ready' &&
        (Spec.Availability ?? 'active') === 'active' &&
        (Description.Platform?.OS ?? 'linux') === 'linux',
    }));
  }

  createService(spec: ServiceSpec): Promise<string> {
    return this.#services.create(spec);
  }

  serviceTask(id: string): Promise<ServiceTask | undefined> {
    return this.#services.task(id);
  }

  publishedPort(id: string): Promise<number | undefined> {
    return this.#services.publishedPort(id);
  }

  async removeService(id: string): Promise<void> {
    await this.#services.remove(id, (await this.state()).nodeId);
  }

  async listOwned(): Promise<OwnedResource[]> {
    const { state, manager } = await this.state();
    if (state === 'inactive') return this.#networks.ownGateway();
    if (!manager) return [];
    const [services, swarm] = await Promise.all([this.#listServices(ownedFilter()), this.#ownSwarm()]);
    return [...services, ...swarm];
  }

  async #listServices(filters: { label?: string[] }): Promise<OwnedResource[]> {
    const action = 'list services';
    const answer: unknown = await this.#client.ask(action, (abortSignal): Promise<unknown> =>
      this.#client.docker.listServices({ filters, abortSignal }),
    );
    return checked(servicesSchema, answer, action).map(({ ID, Spec }) => ({
      kind: 'service',
      id: ID,
      name: Spec.Name,
      labels: Spec.Labels ?? {},
    }));
  }

  /** A run has none. */
  async #countFiles(kind: 'config' | 'secret'): Promise<number> {
    const action = `list ${kind}s`;
    const { docker } = this.#client;
    const answer: unknown = await this.#client.ask(action, (abortSignal): Promise<unknown> =>
      kind === 'config' ? docker.listConfigs({ abortSignal }) : docker.listSecrets({ abortSignal }),
    );
    return checked(z.array(z.unknown()), answer, action).length;
  }

  async #ownSwarm(): Promise<OwnedResource[]> {
    if (!(await this.state()).manager) return [];
    const action = msg('action.inspectSwarm');
    const answer: unknown = await this.#client.ask(action, () => this.#client.docker.swarmInspect());
    const { ID, Spec } = checked(clusterSchema, answer, action);
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
      this.#networks.listOfSwarm(),
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
