import * as z from 'zod';
import { messageSchema, saidSchema } from '../message.ts';
import { DRIVER_KINDS, FLAVOURS, PATH_KINDS, PLACEMENTS, STORAGE_KINDS } from './names.ts';
import { passportSchema } from './passport.ts';
import { scheduleSchema } from './preset-parts.ts';
import { planReferenceSchema } from './reference.ts';
import { serverSettingsSchema } from './server-spec.ts';
import { storageSpecSchema } from './storage-spec.ts';
import { workloadSchema } from './workload.ts';

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

/**
 * A remark that belongs to the numbers and is shown with them everywhere: in the app, the terminal and every export.
 */
export const noticeSchema = z.object({
  code: z.string(),
  message: messageSchema,
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
  /**
   * Digest (sha256:…) under which the registry that it came from has it; null: not there yet, or made on this engine.
   */
  digest: z.string().nullable().default(null),
  /** Null while the image must still be pulled. */
  flavour: z.enum(FLAVOURS).nullable(),
  version: z.string().nullable(),
  architecture: z.string().nullable(),
  /** True when `used` is not what was asked for. */
  substituted: z.boolean(),
  /** Why it was substituted; null when it was not. */
  reason: saidSchema.nullable(),
});
export type ImageChoice = z.infer<typeof imageChoiceSchema>;

/** An image's reference by content, as engines and compose files take it; by name alone where no registry has it. */
export function pinnedReference({ used, digest }: Pick<ImageChoice, 'used' | 'digest'>): string {
  return digest === null || used.includes('@') ? used : `${used}@${digest}`;
}

/** A server program with its settings; scenarios that share one differ in where its data is and how it is reached. */
const serverSetupSchema = z.object({
  id: z.string(),
  /** One of the preset's `servers`; null: its own. */
  server: z.string().nullable(),
  /** What people call that server. */
  serverName: z.string().nullable(),
  /** The regime's ID, and what people call it; null when the preset has none. */
  regime: z.string().nullable(),
  regimeName: z.string().nullable(),
  /** The image that containers of it are made from. */
  image: imageChoiceSchema,
  settings: serverSettingsSchema,
  /** The user's own options, after ours. */
  options: z.array(z.string()),
  /** The program that runs without a container; null when no scenario needs it. */
  native: z.object({ binary: z.string(), flavour: z.enum(FLAVOURS), version: z.string() }).nullable(),
  /** What answers at the user's own address; null when no scenario needs it. */
  external: z.object({ flavour: z.enum(FLAVOURS), version: z.string() }).nullable(),
});
export type ServerSetup = z.infer<typeof serverSetupSchema>;

/** What a scenario is, whether it can run here or not. */
const scenarioIdentitySchema = z.object({
  id: z.string(),
  /** `label` in English, for readers without the app. */
  name: z.string(),
  label: scenarioLabelSchema,
  /** One of the preset's `servers`; null: its own. */
  server: z.string().nullable(),
  /** What the preset calls the storage: its kind, or its name under `storages`. */
  storageId: z.string(),
  path: z.enum(PATH_KINDS),
  driver: z.enum(DRIVER_KINDS),
  /** The regime's id; null when the preset has none. */
  regime: z.string().nullable(),
  /** How many work at the same time; in a ramp its level. */
  connections: z.number().int(),
});

const scenarioSchema = scenarioIdentitySchema.extend({
  /** The same for all that differ in regime and level only. */
  baseId: z.string(),
  /** Which of the plan's setups it runs. */
  setupId: z.string(),
  storage: storageSpecSchema,
  placement: z.enum(PLACEMENTS),
  /** Scenarios with the same server id share one server instance. */
  serverId: z.string(),
  /** The scenario that it is compared with. */
  baselineId: z.string(),
  isBaseline: z.boolean(),
  /** The baseline measured a second time: its "difference" is this machine's noise. */
  isNoiseFloor: z.boolean(),
  /** Swarm node that the client runs on; null: the engine's own. */
  clientNode: z.string().nullable(),
});
export type Scenario = z.infer<typeof scenarioSchema>;

/** A scenario that this runtime can't run, and why. */
export const excludedScenarioSchema = scenarioIdentitySchema.extend({ reason: messageSchema });
export type ExcludedScenario = z.infer<typeof excludedScenarioSchema>;

/**
 * What a run does that nobody expects of a benchmark: only with the user's word. It starts a swarm, uses one that is there,
 * loads a server of the user's own, or lets an image that is not known into the host's network.
 */
export const CONSENTS = ['swarm', 'existing-swarm', 'external', 'host-network'] as const;
export type Consent = (typeof CONSENTS)[number];

/** All that a run will do, before it does anything. */
export const planSchema = z.object({
  id: z.string(),
  preset: z.object({ id: z.string(), name: z.string(), question: z.string() }),
  mode: z.enum(['full', 'short']),
  runtimeId: z.string(),
  passport: passportSchema,
  /** At least one; the first is the preset's own. */
  setups: z.array(serverSetupSchema).min(1),
  workload: workloadSchema,
  /** The most that work at the same time: in a ramp those of its highest level. */
  connections: z.number().int(),
  /**
   * Transactions per second that begin at planned moments; null: each connection asks again as soon as it is answered.
   */
  rate: z.number().nullable().default(null),
  scenarios: z.array(scenarioSchema),
  excluded: z.array(excludedScenarioSchema),
  /** The baseline of the first regime and level. */
  baselineId: z.string(),
  schedule: scheduleSchema,
  /** Half-width of "no difference that matters": 0.05 = ±5 %. */
  equivalence: z.number().default(0.05),
  seed: z.number().int(),
  /**
   * Scenario ids in the order of measuring, one list per round; in a run that ended when it was settled those that were
   * run.
   */
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
  /** What the user must agree to before this plan starts, with the reason. */
  consents: z.array(z.object({ consent: z.enum(CONSENTS), message: messageSchema })),
  /** Published numbers of the same experiment. */
  reference: planReferenceSchema.nullable(),
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

/**
 * A key of these fields: equal for scenarios that are alike in all of them. Fields that `fields` names in the same order
 * compare scenarios of presets and plans alike.
 */
export function scenarioKey<T extends object>(scenario: T, fields: readonly (keyof T)[]): string {
  return JSON.stringify(fields.map((field) => scenario[field] ?? null));
}

/** The numbers of connections that scenarios run with, rising: several in a ramp, else one. */
export function levelsOf(scenarios: readonly Pick<Scenario, 'connections'>[]): number[] {
  return [...new Set(scenarios.map(({ connections }) => connections))].sort((a, b) => a - b);
}

/** Trial id of a scenario in a round (1-based). */
export function trialId(round: number, scenarioId: string): string {
  return `r${round}.${scenarioId}`;
}

/** How many scenarios a plan has: the noise check measures one of them once more and is none of its own. */
export function scenarioCount({ scenarios }: Pick<Plan, 'scenarios'>): number {
  return scenarios.filter(({ isNoiseFloor }) => !isNoiseFloor).length;
}

/** The plan's setup that a scenario runs. Throws for a scenario of another plan. */
export function setupOf(plan: Pick<Plan, 'setups'>, scenario: Pick<Scenario, 'setupId'>): ServerSetup {
  const setup = plan.setups.find(({ id }) => id === scenario.setupId);
  if (setup === undefined) throw new Error(`no setup ${scenario.setupId}`);
  return setup;
}

/** True when containers of this setup run. */
function usesImage(plan: Pick<Plan, 'scenarios'>, setup: ServerSetup): boolean {
  return plan.scenarios.some(
    ({ setupId, storage }) =>
      setupId === setup.id && storage.kind !== 'native' && storage.kind !== 'external',
  );
}

/** The images that containers of a plan run, each once, in the order of the setups. */
export function imagesOf(plan: Pick<Plan, 'setups' | 'scenarios'>): ImageChoice[] {
  const seen = new Set<string>();
  return plan.setups.flatMap((setup) => {
    const { image } = setup;
    if (seen.has(image.requested) || !usesImage(plan, setup)) return [];
    seen.add(image.requested);
    return [image];
  });
}
