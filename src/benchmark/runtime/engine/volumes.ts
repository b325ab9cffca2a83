import * as z from 'zod';
import { msg } from '../../../shared/message.ts';
import { OWNER_LABEL, labelsSchema } from '../labels.ts';
import type { OwnedResource, VolumeFacts } from '../specs.ts';
import { dial, type EngineClient } from './engine-client.ts';
import { unlessMissing } from './engine-error.ts';

/** The engine counts the files of all volumes. */
const USAGE_DEADLINE_MS = 15_000;
const REMOVE_DEADLINE_MS = 5 * 60_000;

const usagesSchema = z
  .array(z.object({ Name: z.string(), UsageData: z.object({ Size: z.number() }).nullish() }))
  .nullish();
/** `VolumeUsage` came with API 1.52. */
const usageSchema = z.object({
  Volumes: usagesSchema,
  VolumeUsage: z.object({ Items: usagesSchema }).nullish(),
});
const listSchema = z.looseObject({
  Volumes: z.array(z.looseObject({ Name: z.string(), Labels: labelsSchema })).nullish(),
});

const volumeSchema = z.looseObject({
  Driver: z.string(),
  Options: z.record(z.string(), z.string()).nullish(),
});

export class Volumes {
  constructor(private readonly client: EngineClient) {}

  async create(
    name: string,
    labels: Record<string, string>,
    driverOptions: Record<string, string> = {},
  ): Promise<string> {
    const schema = z.looseObject({ name: z.string() });
    const volume = await this.client.made(schema, msg('action.createVolume'), (abortSignal) =>
      this.client.docker.createVolume({
        Name: name,
        Driver: 'local',
        DriverOpts: driverOptions,
        Labels: labels,
        abortSignal,
      }),
    );
    return volume.name;
  }

  async remove(name: string): Promise<void> {
    await this.client.call(
      'remove a volume',
      (abortSignal) => unlessMissing(this.client.docker.getVolume(name).remove({ abortSignal })),
      { deadlineMs: REMOVE_DEADLINE_MS },
    );
  }

  async inspect(name: string): Promise<VolumeFacts | undefined> {
    const volume = await this.client.answer(
      volumeSchema.optional(),
      msg('action.inspectVolume'),
      (abortSignal) => unlessMissing(this.client.docker.getVolume(name).inspect({ abortSignal })),
    );
    return volume && { driver: volume.Driver, options: volume.Options ?? {} };
  }

  /** Undefined if unknown. */
  async bytes(name: string): Promise<number | undefined> {
    const { Volumes, VolumeUsage } = await this.client.made(
      usageSchema,
      msg('action.inspectVolume'),
      (abortSignal) =>
        dial(this.client.docker, {
          path: '/system/df?',
          method: 'GET',
          // `type` came with API 1.42, `verbose` with 1.52; older engines also count images and containers.
          options: { type: 'volume', verbose: true },
          abortSignal,
          statusCodes: { 200: true },
        }),
      USAGE_DEADLINE_MS,
    );
    const size = (VolumeUsage?.Items ?? Volumes)?.find(({ Name }) => Name === name)?.UsageData?.Size ?? -1;
    return size < 0 ? undefined : size;
  }

  listOwned(): Promise<OwnedResource[]> {
    return this.list(OWNER_LABEL);
  }

  async list(label: string): Promise<OwnedResource[]> {
    const list = await this.client.answer(listSchema, msg('action.listVolumes'), (abortSignal) =>
      this.client.docker.listVolumes({ filters: { label: [label] }, abortSignal }),
    );
    return (list.Volumes ?? []).map(({ Name, Labels }) => ({
      kind: 'volume',
      id: Name,
      name: Name,
      labels: Labels ?? {},
    }));
  }
}
