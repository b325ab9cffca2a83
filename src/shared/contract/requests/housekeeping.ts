import * as z from 'zod';
import { leftoverSchema, leftThingSchema } from '../../model/leftovers.ts';
import { errorDataSchema } from '../../errors.ts';
import { FLAVOURS } from '../../model/names.ts';
import { workloadSchema } from '../../model/workload.ts';
import { shortText } from './limits.ts';
import { nothing } from './nothing.ts';

/** What Whalemark keeps on this machine and on the engine in use: seen, and taken away. */

const dataFolderSchema = z.object({
  path: z.string(),
  bytes: z.number(),
});

/** A server image, or one of our own client images, that is on the engine. */
const localImagesSchema = z.object({
  servers: z.array(
    z.object({ reference: z.string(), flavour: z.enum(FLAVOURS), version: z.string(), bytes: z.number() }),
  ),
  clients: z.array(z.object({ id: z.string(), reference: z.string(), bytes: z.number() })),
});
export type LocalImages = z.infer<typeof localImagesSchema>;

const keptDatasetsSchema = z.object({
  /** False: WHALEMARK_DATASETS=off forbids to keep any, whatever the settings say. */
  allowed: z.boolean(),
  datasets: z.array(
    z.object({
      volume: z.string(),
      source: z.object({ image: z.string(), workload: workloadSchema }),
      bytes: z.number(),
      /** ms since 1970. */
      lastUsedAt: z.number(),
    }),
  ),
  limits: z.object({ datasets: z.number().int(), bytes: z.number() }),
});
export type KeptDatasets = z.infer<typeof keptDatasetsSchema>;

const failedSchema = z.array(z.object({ name: z.string(), error: errorDataSchema }));

const sweptSchema = z.object({ removed: z.array(leftThingSchema), failed: failedSchema });

export const coreHousekeepingRequests = {
  /** The folder that app and terminal share, and how much is in it. */
  'housekeeping:data-folder': { params: z.strictObject({}), answer: dataFolderSchema },
  'housekeeping:images': { params: z.strictObject({}), answer: localImagesSchema },
  /** Removes our client images; the next run that needs one builds it again. Rejects with BUSY while a run goes on. */
  'housekeeping:remove-client-images': {
    params: z.strictObject({}),
    answer: z.object({ removed: z.array(z.string()), failed: failedSchema }),
  },
  'housekeeping:datasets': { params: z.strictObject({}), answer: keptDatasetsSchema },
  /** Removes every kept dataset from the engine in use; `kept` are those that a run uses at this moment. */
  'housekeeping:clear-datasets': {
    params: z.strictObject({}),
    answer: z.object({ removed: z.array(z.string()), kept: z.array(z.string()) }),
  },
  /** What runs left, but nothing of a process that certainly lives. */
  'housekeeping:leftovers': { params: z.strictObject({}), answer: z.array(leftoverSchema) },
  /** Removes what dead processes left, and what the user has agreed to: `consent` of leftovers. */
  'housekeeping:remove-leftovers': {
    params: z.strictObject({ consents: z.array(shortText).max(1000) }),
    answer: sweptSchema,
  },
} as const;

export const mainHousekeepingRequests = {
  /** Opens the data folder in the system's file manager. It takes no path: this folder and no other. */
  'housekeeping:open-data-folder': { params: z.strictObject({}), answer: nothing },
} as const;
