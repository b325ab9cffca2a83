import * as z from 'zod';
import type { OwnedResource } from './container-runtime.ts';
import { checked, type EngineClient } from './engine-client.ts';
import { statusOf } from './engine-error.ts';
import { ownedFilter } from './owned.ts';

const listSchema = z.array(
  z.looseObject({
    Id: z.string(),
    Name: z.string(),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
);

/** What an engine can do with networks. */
export class Networks {
  constructor(private readonly client: EngineClient) {}

  /** A bridge, or an overlay that containers may attach to; returns its id. */
  async create(
    name: string,
    labels: Record<string, string>,
    driver: 'bridge' | 'overlay' = 'bridge',
  ): Promise<string> {
    const action = 'create a network';
    const network = await this.client.call(action, (abortSignal) =>
      this.client.docker.createNetwork({
        Name: name,
        Driver: driver,
        Labels: labels,
        ...(driver === 'overlay' ? { Attachable: true } : {}),
        abortSignal,
      }),
    );
    return checked(z.string(), network.id, action);
  }

  async remove(id: string): Promise<void> {
    await this.client.call('remove a network', async (abortSignal) => {
      try {
        await this.client.docker.getNetwork(id).remove({ abortSignal });
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
    });
  }

  async listOwned(): Promise<OwnedResource[]> {
    const action = 'list networks';
    const answer = await this.client.ask(action, (abortSignal) =>
      this.client.docker.listNetworks({ filters: ownedFilter(), abortSignal }),
    );
    return checked(listSchema, answer, action).map(({ Id, Name, Labels }) => ({
      kind: 'network',
      id: Id,
      name: Name,
      labels: Labels ?? {},
    }));
  }
}
