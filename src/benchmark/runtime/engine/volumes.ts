import * as z from 'zod';
import { msg } from '../../../shared/message.ts';
import type { VolumeClient, OwnedResource } from '../container-runtime.ts';
import { checked, type EngineClient } from './engine-client.ts';
import { statusOf } from './engine-error.ts';
import { OWNER_LABEL } from '../labels.ts';

/** For gigabytes on slow disks. */
const REMOVE_DEADLINE_MS = 5 * 60_000;

const listSchema = z.looseObject({
  Volumes: z
    .array(z.looseObject({ Name: z.string(), Labels: z.record(z.string(), z.string()).nullish() }))
    .nullish(),
});

export class Volumes implements VolumeClient {
  readonly #client: EngineClient;

  constructor(client: EngineClient) {
    this.#client = client;
  }

  /** Of the local driver; returns its name. */
  async create(
    name: string,
    labels: Record<string, string>,
    driverOptions: Record<string, string> = {},
  ): Promise<string> {
    const action = msg('action.createVolume');
    const volume: unknown = await this.#client.call(action, (abortSignal) =>
      this.#client.docker.createVolume({
        Name: name,
        Driver: 'local',
        DriverOpts: driverOptions,
        Labels: labels,
        abortSignal,
      }),
    );
    return checked(z.looseObject({ name: z.string() }), volume, action).name;
  }

  async remove(name: string): Promise<void> {
    await this.#client.call(
      'remove a volume',
      async (abortSignal) => {
        try {
          await this.#client.docker.getVolume(name).remove({ abortSignal });
        } catch (error) {
          if (statusOf(error) !== 404) throw error;
        }
      },
      { deadlineMs: REMOVE_DEADLINE_MS },
    );
  }

  listOwned(): Promise<OwnedResource[]> {
    return this.list(OWNER_LABEL);
  }

  /** Whatever the label's value. */
  async list(label: string): Promise<OwnedResource[]> {
    const action = msg('action.listVolumes');
    const answer = await this.#client.ask(action, (abortSignal) =>
      this.#client.docker.listVolumes({ filters: { label: [label] }, abortSignal }),
    );
    return (checked(listSchema, answer, action).Volumes ?? []).map(({ Name, Labels }) => ({
      kind: 'volume',
      id: Name,
      name: Name,
      labels: Labels ?? {},
    }));
  }
}
