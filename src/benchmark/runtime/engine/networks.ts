import * as z from 'zod';
import { msg } from '../../../shared/message.ts';
import type { OwnedResource } from '../specs.ts';
import { dial, type EngineClient } from './engine-client.ts';
import { unlessMissing } from './engine-error.ts';
import { ownedFilter, labelsSchema } from '../labels.ts';

/** Source: Docker documentation, "Manage swarm service networks": customize the docker_gwbridge. */
export const GATEWAY = 'docker_gwbridge';
const GATEWAY_OPTIONS = {
  'com.docker.network.bridge.name': GATEWAY,
  'com.docker.network.bridge.enable_icc': 'false',
  'com.docker.network.bridge.enable_ip_masquerade': 'true',
};
/** The error lasts a moment, and no event marks its end. */
const IN_USE = /in use by task/i;
const IN_USE_RETRIES = 50;
const IN_USE_RETRY_MS = 200;

const listSchema = z.array(
  z.looseObject({
    Id: z.string(),
    Name: z.string(),
    Labels: labelsSchema,
    Ingress: z.boolean().nullish(),
  }),
);
const usedSchema = z.looseObject({ Containers: z.record(z.string(), z.unknown()).nullish() });

export class Networks {
  constructor(private readonly client: EngineClient) {}

  async create(
    name: string,
    labels: Record<string, string>,
    driver: 'bridge' | 'overlay' = 'bridge',
  ): Promise<string> {
    const schema = z.looseObject({ id: z.string() });
    const network = await this.client.made(schema, msg('action.createNetwork'), (abortSignal) =>
      this.client.docker.createNetwork({
        Name: name,
        Driver: driver,
        Labels: labels,
        ...(driver === 'overlay' ? { Attachable: true } : {}),
        abortSignal,
      }),
    );
    return network.id;
  }

  async createGateway(labels: Record<string, string>): Promise<void> {
    const networks = await this.#list({ name: [GATEWAY] });
    if (networks.some(({ Name }) => Name === GATEWAY)) return;
    await this.client.call(msg('action.createNetwork'), (abortSignal) =>
      this.client.docker.createNetwork({
        Name: GATEWAY,
        Driver: 'bridge',
        Labels: labels,
        Options: GATEWAY_OPTIONS,
        abortSignal,
      }),
    );
  }

  async isGatewayUsed(): Promise<boolean> {
    // dockerode's method ignores the signal.
    const { Containers } = await this.client.answer(usedSchema, msg('action.listNetworks'), (abortSignal) =>
      dial(this.client.docker, {
        path: `/networks/${GATEWAY}`,
        method: 'GET',
        options: {},
        abortSignal,
        statusCodes: { 200: true, 404: 'no such network' },
      }),
    );
    return Object.keys(Containers ?? {}).length > 0;
  }

  async ownGateway(): Promise<OwnedResource[]> {
    return (await this.#list(ownedFilter())).filter(({ Name }) => Name === GATEWAY).map(resource);
  }

  async remove(id: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.client.call('remove a network', (abortSignal) =>
          unlessMissing(this.client.docker.getNetwork(id).remove({ abortSignal })),
        );
        return;
      } catch (error) {
        const busy = error instanceof Error && IN_USE.test(error.message);
        if (!busy || attempt > IN_USE_RETRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, IN_USE_RETRY_MS));
      }
    }
  }

  async listOwned(): Promise<OwnedResource[]> {
    return (await this.#list(ownedFilter())).filter(({ Name }) => Name !== GATEWAY).map(resource);
  }

  async listOfSwarm(): Promise<OwnedResource[]> {
    const networks = await this.#list({ scope: ['swarm'] });
    return networks.filter(({ Ingress }) => Ingress !== true).map(resource);
  }

  #list(filters: Record<string, string[]>): Promise<Listed[]> {
    return this.client.answer(listSchema, msg('action.listNetworks'), (abortSignal) =>
      this.client.docker.listNetworks({ filters, abortSignal }),
    );
  }
}

type Listed = z.infer<typeof listSchema>[number];

function resource({ Id, Name, Labels }: Listed): OwnedResource {
  return { kind: 'network', id: Id, name: Name, labels: Labels ?? {} };
}
