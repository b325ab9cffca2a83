import * as z from 'zod';
import { DRIVER_KINDS, FLAVOURS, PATH_KINDS, PLACEMENTS } from './names.ts';
import { passportSchema } from './passport.ts';
import { scheduleSchema, serverSettingsSchema, storageSpecSchema } from './preset.ts';
import { workloadSchema } from './workload.ts';

/** A remark that belongs to the numbers and is shown with them everywhere: in the app, the terminal and every export. */
export const noticeSchema = z.object({
  code: z.string(),
  message: z.string(),
  /** What it concerns; absent: the whole run. */
  scenarioId: z.string().optional(),
  trialId: z.string().optional(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** Which image stands for the requested one. */
export const imageChoiceSchema = z.object({
  requested: z.string(),
  used: z.string(),
  /** Content id (sha256:…) of the image in use; null while it is not on the engine yet. */
  imageId: z.string().nullable(),
  /** Null while the image must still be pulled. */
  flavour: z.enum(FLAVOURS).nullable(),
  version: z.string().nullable(),
  architecture: z.string().nullable(),
  /** True when `used` is not what was asked for. */
  substituted: z.boolean(),
  /** Why it was substituted; null when it was not. */
  reason: z.string().nullable(),
});
export type ImageChoice = z.infer<typeof imageChoiceSchema>;

const scenarioSchema = z.object({
  id: z.string(),
  name: z.string(),
  storage: storageSpecSchema,
  path: z.enum(PATH_KINDS),
  placement: z.enum(PLACEMENTS),
  /** Scenarios with the same server id share one server container. */
  serverId: z.string(),
  connections: z.number().int(),
  driver: z.enum(DRIVER_KINDS),
  isBaseline: z.boolean(),
  /** The baseline measured a second time: its "difference" is this machine's noise. */
  isNoiseFloor: z.boolean(),
});
export type Scenario = z.infer<typeof scenarioSchema>;

/** A scenario that this runtime can't run, and why. */
const excludedScenarioSchema = z.object({ id: z.string(), name: z.string(), reason: z.string() });
export type ExcludedScenario = z.infer<typeof excludedScenarioSchema>;

/** All that a run will do, before it does anything. */
export const planSchema = z.object({
  id: z.string(),
  preset: z.object({ id: z.string(), name: z.string(), question: z.string() }),
  mode: z.enum(['full', 'quick']),
  runtimeId: z.string(),
  passport: passportSchema,
  image: imageChoiceSchema,
  settings: serverSettingsSchema,
  workload: workloadSchema,
  connections: z.number().int(),
  scenarios: z.array(scenarioSchema),
  excluded: z.array(excludedScenarioSchema),
  baselineId: z.string(),
  schedule: scheduleSchema,
  seed: z.number().int(),
  /** Scenario ids in the order of measuring, one list per round. */
  rounds: z.array(z.array(z.string())),
  bindRoot: z.string().nullable(),
  /** What must be fetched or made first. */
  toPrepare: z.array(
    z.object({
      kind: z.enum(['pull', 'build']),
      reference: z.string(),
      /** Size in bytes where it is known. */
      bytes: z.number().nullable(),
    }),
  ),
  estimate: z.object({
    /** Whole run on cached images, seconds. */
    seconds: z.number(),
    /** Disk that the run needs while it goes on, bytes. */
    diskBytes: z.number(),
    /** Size of the dataset itself, bytes. */
    dataBytes: z.number(),
  }),
  notices: z.array(noticeSchema),
});
export type Plan = z.infer<typeof planSchema>;

/** Trial id of a scenario in a round (1-based). */
export function trialId(round: number, scenarioId: string): string {
  return `r${round}.${scenarioId}`;
}
