import { randomBytes } from 'node:crypto';
import type Dockerode from 'dockerode';
import * as z from 'zod';
import { msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { ContainerUsage } from '../../../shared/model/evidence.ts';
import type {
  ContainerSpec,
  ContainerState,
  ListedContainer,
  OwnedResource,
  RunningContainer,
} from '../specs.ts';
import { type ExaminedContainer, examinedSchema } from '../examined-container.ts';
import { ContainerStreams } from './container-streams.ts';
import { containerBody, type EngineTraits } from './container-body.ts';
import { freePort } from '../../host/free-port.ts';
import { memoryOf, statsSchema, usageOf } from './container-stats.ts';
import { checked, dial, type EngineClient } from './engine-client.ts';
import { NOT_SHARED, reasonOf, statusOf, unlessMissing } from './engine-error.ts';
import { checkReference, missingImage } from './images.ts';
import { NAME_LABEL, ownedFilter, labelsSchema } from '../labels.ts';

const SLOW_DEADLINE_MS = 3 * 60_000;
const MOST_OF_A_WAIT = 64 * 1024;

const createdSchema = z.looseObject({ id: z.string().min(1) });
const stateSchema = z.looseObject({
  GraphDriver: z.looseObject({ Data: z.looseObject({ UpperDir: z.string().nullish() }).nullish() }).nullish(),
  State: z.looseObject({
    Status: z.string().optional(),
    Running: z.boolean(),
    Paused: z.boolean().optional(),
    ExitCode: z.number(),
    OOMKilled: z.boolean().optional(),
    StartedAt: z.string().optional(),
    FinishedAt: z.string().optional(),
  }),
  NetworkSettings: z
    .looseObject({
      Ports: z
        .record(z.string(), z.array(z.looseObject({ HostPort: z.string().nullish() })).nullish())
        .nullish(),
      Networks: z.record(z.string(), z.looseObject({ IPAddress: z.string().nullish() })).nullish(),
    })
    .nullish(),
});
const listSchema = z.array(
  z.looseObject({
    Id: z.string(),
    Names: z.array(z.string()).nullish(),
    Labels: labelsSchema,
    ImageID: z.string().nullish(),
    State: z.string().nullish(),
    HostConfig: z.looseObject({ NetworkMode: z.string().nullish() }).nullish(),
    NetworkSettings: z.looseObject({ Networks: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  }),
);
const waitSchema = z.looseObject({
  StatusCode: z.number(),
  Error: z.looseObject({ Message: z.string().optional() }).nullish(),
});

export class Containers extends ContainerStreams {
  constructor(
    client: EngineClient,
    private readonly engine: EngineTraits,
  ) {
    super(client);
  }

  async create(spec: ContainerSpec): Promise<string> {
    checkReference(spec.image);
    const { vm = false, remote = false } = this.engine;
    // An engine in a VM can't see which ports of this machine are in use.
    const isPicked = vm && !remote && (spec.publish ?? []).length === 1;
    const hostPort = isPicked ? String(await freePort()) : '';
    const options = {
      // docker-modem would put all options into the URL, and the engine would log passwords.
      _query: { name: spec.name },
      _body: containerBody(spec, this.engine, hostPort),
    };
    const container = await this.client.made(
      createdSchema,
      msg('action.createContainer'),
      async (abortSignal) => {
        try {
          return await this.client.docker.createContainer(Object.assign(options, { abortSignal }));
        } catch (error) {
          throw missingImage(spec.image, error) ?? error;
        }
      },
      SLOW_DEADLINE_MS,
    );
    return container.id;
  }

  /** Undefined if unknown: Podman looks for the image first, and so finds every path. */
  async hasPath(path: string): Promise<boolean | undefined> {
    const isThere = await this.#canMount(path);
    const isInvented = isThere === true && (await this.#canMount(`/${randomBytes(16).toString('hex')}`));
    return isInvented === false ? isThere : undefined;
  }

  /** The image can't exist, so no container is created. */
  #canMount(path: string): Promise<boolean | undefined> {
    const image = `sha256:${randomBytes(32).toString('hex')}`;
    const mounts = [{ type: 'bind' as const, source: path, target: '/path', readOnly: true }];
    const body = containerBody({ name: '', image, labels: {}, mounts }, { selinux: false });
    return this.client.ask('look for a path', async (abortSignal) => {
      try {
        await this.client.docker.createContainer({ ...body, abortSignal });
      } catch (error) {
        if (missingImage(image, error) !== undefined) return true;
        if (NOT_SHARED.test(reasonOf(error))) return false;
        if (statusOf(error) === undefined) throw error;
      }
      return undefined;
    });
  }

  async start(id: string): Promise<void> {
    await this.#unlessStatus([304], 'start a container', SLOW_DEADLINE_MS, (abortSignal) =>
      this.client.docker.getContainer(id).start({ abortSignal }),
    );
  }

  async stop(id: string, graceSeconds: number): Promise<void> {
    const deadlineMs = graceSeconds * 1000 + SLOW_DEADLINE_MS;
    await this.#unlessStatus([304], 'stop a container', deadlineMs, (abortSignal) =>
      this.client.docker.getContainer(id).stop({ t: graceSeconds, abortSignal }),
    );
  }

  async kill(id: string): Promise<void> {
    await this.#unlessStatus([409], 'kill a container', SLOW_DEADLINE_MS, (abortSignal) =>
      this.client.docker.getContainer(id).kill({ abortSignal }),
    );
  }

  async remove(id: string): Promise<void> {
    const action = msg('action.removeContainer');
    const underWay = await this.client.call(
      action,
      async (abortSignal) => {
        try {
          await this.client.docker.getContainer(id).remove({ force: true, v: true, abortSignal });
        } catch (error) {
          if (statusOf(error) === 409 && /already in progress/i.test(reasonOf(error))) return true;
          if (statusOf(error) !== 404) throw error;
        }
        return false;
      },
      { deadlineMs: SLOW_DEADLINE_MS },
    );
    if (underWay) {
      await this.client.call(action, (signal) => this.#waitFor(id, 'removed', action, signal), {
        deadlineMs: SLOW_DEADLINE_MS,
      });
    }
  }

  async inspect(id: string): Promise<ContainerState> {
    const { State, NetworkSettings, GraphDriver } = await this.client.answer(
      stateSchema,
      msg('action.inspectContainer'),
      (abortSignal) => this.client.docker.getContainer(id).inspect({ abortSignal }),
    );
    const ports: Record<number, number> = {};
    for (const [port, bindings] of Object.entries(NetworkSettings?.Ports ?? {})) {
      const published = bindings?.find(({ HostPort }) => HostPort !== undefined && HostPort !== '');
      if (published !== undefined) ports[Number.parseInt(port, 10)] = Number(published.HostPort);
    }
    const addresses: Record<string, string> = {};
    for (const [network, { IPAddress }] of Object.entries(NetworkSettings?.Networks ?? {})) {
      if (typeof IPAddress === 'string' && IPAddress !== '') addresses[network] = IPAddress;
    }
    const layer = GraphDriver?.Data?.UpperDir ?? '';
    const neverRan = State.Status === 'created' || State.Status === 'configured';
    return {
      running: State.Running,
      paused: State.Paused ?? false,
      exitCode: State.Running || neverRan ? null : State.ExitCode,
      oomKilled: State.OOMKilled ?? false,
      ports,
      addresses,
      startedAt: State.StartedAt ?? '',
      endedAt: State.FinishedAt ?? '',
      ...(layer === '' ? {} : { layer }),
    };
  }

  async usage(id: string): Promise<{ usage: ContainerUsage; memoryBytes: number | null }> {
    const stats = await this.client.answer(statsSchema, msg('action.readUsage'), (abortSignal) =>
      this.client.docker
        .getContainer(id)
        .stats(Object.assign({ stream: false, 'one-shot': true } as const, { abortSignal })),
    );
    return { usage: usageOf(stats), memoryBytes: memoryOf(stats) };
  }

  /** Has no deadline. Call after `start`: a container that never ran counts as stopped. */
  wait(id: string, signal?: AbortSignal): Promise<number> {
    const action = msg('action.waitForContainer');
    const exit = async (abortSignal: AbortSignal): Promise<number> => {
      const exitCode = await this.#waitFor(id, 'not-running', action, abortSignal);
      if (exitCode !== undefined) return exitCode;
      throw new BenchmarkError('ENGINE_REFUSED', { action, reason: msg('engine.containerGone') });
    };
    return this.client.call(action, exit, { deadlineMs: null, signal });
  }

  listRunning(): Promise<RunningContainer[]> {
    return this.#list({});
  }

  async listOwned(): Promise<OwnedResource[]> {
    const owned = await this.#list({ all: true, filters: ownedFilter() });
    return owned
      .filter(({ name, labels }) => labels[NAME_LABEL] === name)
      .map(({ id, name, labels }) => ({ kind: 'container', id, name, labels }));
  }

  listAll(): Promise<ListedContainer[]> {
    return this.#list({ all: true });
  }

  async examine(id: string): Promise<ExaminedContainer | undefined> {
    if (!/^[\w.-]+$/.test(id) || /^\.+$/.test(id)) return undefined;
    return this.client.answer(examinedSchema.optional(), msg('action.inspectContainer'), (abortSignal) =>
      unlessMissing(this.client.docker.getContainer(id).inspect({ abortSignal })),
    );
  }

  async #list(options: Dockerode.ContainerListOptions): Promise<ListedContainer[]> {
    const list = await this.client.answer(listSchema, msg('action.listContainers'), (abortSignal) =>
      this.client.docker.listContainers({ ...options, abortSignal }),
    );
    return list.map((one) => ({
      id: one.Id,
      name: one.Names?.[0]?.replace(/^\//, '') ?? one.Id,
      labels: one.Labels ?? {},
      imageId: one.ImageID ?? '',
      running: one.State === 'running',
      networkMode: one.HostConfig?.NetworkMode ?? '',
      networks: Object.keys(one.NetworkSettings?.Networks ?? {}),
    }));
  }

  async #waitFor(
    id: string,
    condition: 'not-running' | 'removed',
    action: Said,
    abortSignal: AbortSignal,
  ): Promise<number | undefined> {
    const answer = dial(this.client.docker, {
      path: `/containers/${id}/wait?`,
      method: 'POST',
      options: { condition },
      isStream: true,
      abortSignal,
      statusCodes: { 200: true, 404: 'no such container' },
    });
    const stream = await unlessMissing(answer);
    if (stream === undefined) return undefined;
    let body = '';
    for await (const chunk of stream as NodeJS.ReadableStream) {
      body += String(chunk);
      if (body.length > MOST_OF_A_WAIT) break;
    }
    const { StatusCode, Error: failure } = checked(waitSchema, JSON.parse(body), action);
    const reason = failure?.Message ?? '';
    if (reason !== '' && condition === 'not-running') {
      throw new BenchmarkError('ENGINE_REFUSED', { action, reason });
    }
    return StatusCode;
  }

  async #unlessStatus(
    fine: number[],
    action: Said,
    deadlineMs: number,
    work: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    await this.client.call(
      action,
      async (signal) => {
        try {
          await work(signal);
        } catch (error) {
          const status = statusOf(error);
          if (status === undefined || !fine.includes(status)) throw error;
        }
      },
      { deadlineMs },
    );
  }
}
