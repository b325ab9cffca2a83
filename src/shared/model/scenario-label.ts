import * as z from 'zod';
import { DRIVER_KINDS, PATH_KINDS, STORAGE_KINDS } from './names.ts';

/**
 * What a scenario is called, as data: every language makes its own words of it (`labelText`), and nothing reads an ID or a
 * label. Null is what all scenarios of the plan share.
 */
export const scenarioLabelSchema = z.object({
  /** The preset's own name for it, in place of server, storage, and path. */
  given: z.string().nullable(),
  server: z.string().nullable(),
  storage: z.enum([...STORAGE_KINDS, 'nfs']),
  /** What the preset calls the storage. */
  storageName: z.string().nullable(),
  path: z.enum(PATH_KINDS),
  /** The client runs on another node than the server. */
  fromOtherNode: z.boolean(),
  driver: z.enum(DRIVER_KINDS).nullable(),
  /** The regime's name. */
  regime: z.string().nullable(),
  connections: z.number().int().nullable(),
  /** The baseline's second measurement. */
  isRepeat: z.boolean(),
});
export type ScenarioLabel = z.infer<typeof scenarioLabelSchema>;

/** Parts of a label that a heading has said already; null: not said. */
export type SaidParts = Pick<ScenarioLabel, 'driver' | 'regime' | 'connections'>;
