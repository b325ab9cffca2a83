import * as z from 'zod';
import { isContainerStorage } from '../kinds/storages.ts';
import { messageSchema, saidSchema } from '../message.ts';
import { LOAD_GENERATORS, FLAVORS, PATH_KINDS, PLACEMENTS, STORAGE_KINDS, TRANSPORTS } from './names.ts';
import { passportSchema } from './passport.ts';
import { MOST_ENGINES, scheduleSchema } from './preset-parts.ts';
import { planReferenceSchema } from './reference.ts';
import { serverSettingsSchema } from './server-settings.ts';
import { limitsSchema, storageSpecSchema } from './server-spec.ts';
import { databaseReferenceSchema } from './database.ts';
import { taskSchema } from './task.ts';
import { workloadSchema } from './workload.ts';

/** `name` includes the context where there are several engines. */
const planEngineSchema = z.object({
  id: z.string(),
  name: z.string(),
  runtimeId: z.string(),
  passport: passportSchema,
});
export type PlanEngine = z.infer<typeof planEngineSchema>;

/** Parts of `labelText`; null: the same for all scenarios. */
export const scenarioLabelSchema = z.object({
  ownName: z.string().nullable(),
  engine: z.string().nullable().default(null),
  server: z.string().nullable(),
  storage: z.enum(STORAGE_KINDS),
  storageName: z.string().nullable(),
  path: z.enum(PATH_KINDS),
  omitsPath: z.boolean().default(false),
  loadGenerator: z.enum(LOAD_GENERATORS).nullable(),
  connections: z.number().int().nullable(),
  isRepeat: z.boolean(),
});
export type ScenarioLabel = z.infer<typeof scenarioLabelSchema>;

export type SaidParts = Pick<ScenarioLabel, 'server' | 'loadGenerator' | 'connections'>;

/** A notice that every view and export shows. */
export const noticeSchema = z.object({
  code: z.string(),
  message: messageSchema,
  scenarioId: z.string().optional(),
  trialId: z.string().optional(),
});
export type Notice = z.infer<typeof noticeSchema>;

export const imageChoiceSchema = z.object({
  requested: z.string(),
  used: z.string(),
  imageId: z.string().nullable(),
  /** Registry digest; null: not pulled yet, or built locally. */
  digest: z.string().nullable().default(null),
  flavor: z.enum(FLAVORS).nullable(),
  version: z.string().nullable(),
  architecture: z.string().nullable(),
  substituted: z.boolean(),
  reason: saidSchema.nullable(),
});
export type ImageChoice = z.infer<typeof imageChoiceSchema>;

const serverConfigSchema = z.object({
  id: z.string(),
  engine: z.string(),
  engineName: z.string().nullable().default(null),
  server: z.string().nullable(),
  serverName: z.string().nullable(),
  image: imageChoiceSchema,
  settings: serverSettingsSchema,
  limits: limitsSchema.prefault({}),
  /** The user's options, after Whalemark's. */
  options: z.array(z.string()),
  native: z.object({ binary: z.string(), flavor: z.enum(FLAVORS), version: z.string() }).nullable(),
});
export type ServerConfig = z.infer<typeof serverConfigSchema>;

const scenarioIdentitySchema = z.object({
  id: z.string(),
  label: scenarioLabelSchema,
  engine: z.string(),
  server: z.string().nullable(),
  storageId: z.string(),
  path: z.enum(PATH_KINDS),
  loadGenerator: z.enum(LOAD_GENERATORS),
  connections: z.number().int(),
});

const scenarioSchema = scenarioIdentitySchema.extend({
  baseId: z.string(),
  configId: z.string(),
  storage: storageSpecSchema,
  placement: z.enum(PLACEMENTS),
  serverId: z.string(),
  baselineId: z.string(),
  isBaseline: z.boolean(),
  isAaRepeat: z.boolean(),
});
export type Scenario = z.infer<typeof scenarioSchema>;

export const excludedScenarioSchema = scenarioIdentitySchema.extend({ reason: messageSchema });
export type ExcludedScenario = z.infer<typeof excludedScenarioSchema>;

/**
 * `swarm`: create one; `existing-swarm`: use it; `host-network`: run an unknown image there;
 * `database-folder`: write next to the user's data; `own-command`: run it before its server is known;
 * `project-files`: mount files outside a project.
 */
export const CONSENTS = [
  'swarm',
  'existing-swarm',
  'host-network',
  'database-folder',
  'own-command',
  'project-files',
] as const;
/** Prefix of the name of a preset file's engine, or of one on another machine. */
export const ENGINE_CONSENT = 'engine:';
export const consentSchema = z.union([
  z.enum(CONSENTS),
  z
    .string()
    .max(1024)
    .pipe(z.templateLiteral([ENGINE_CONSENT, z.string().min(1)])),
]);
export type Consent = z.infer<typeof consentSchema>;
export const consentsSchema = z.array(consentSchema).max(CONSENTS.length + MOST_ENGINES + 1);

export const planModeSchema = z.enum(['full', 'small']);

export const planSchema = z.object({
  id: z.string(),
  preset: z.object({ id: z.string(), name: z.string(), question: z.string() }),
  mode: planModeSchema,
  engines: z.tuple([planEngineSchema], planEngineSchema),
  /** The engine of `overlay-other-node`'s clients; null: none. */
  clientEngine: z.object({ runtimeId: z.string(), passport: passportSchema }).nullable().default(null),
  configs: z.array(serverConfigSchema).min(1),
  workload: workloadSchema,
  connections: z.number().int(),
  /** The task instead of load, always on a new copy of its starting state. */
  task: taskSchema.nullable().default(null),
  transport: z.enum(TRANSPORTS).default('loop'),
  scenarios: z.array(scenarioSchema),
  excluded: z.array(excludedScenarioSchema),
  baselineId: z.string(),
  schedule: scheduleSchema,
  equivalence: z.number().default(0.05),
  /** The likely variance between equal servers by earlier runs; absent: none. */
  serversApart: z.object({ variance: z.number(), degrees: z.number(), runs: z.number().int() }).optional(),
  seed: z.number().int(),
  /** Scenarios in measuring order; of a run until conclusive only the rounds that ran. */
  rounds: z.array(z.array(z.string())),
  /** Side by side: servers that run at once, always with the baseline's. */
  groups: z.array(z.array(z.string())).default([]),
  bindRoot: z.string().nullable(),
  toPrepare: z.array(
    z.object({
      kind: z.enum(['pull', 'build']),
      reference: z.string(),
      bytes: z.number().nullable(),
      base: z.string().optional(),
    }),
  ),
  /** The clients' image, or sysbench's base; null: none is needed. */
  clientImage: z.object({ reference: z.string(), reason: saidSchema.nullable() }).nullable().default(null),
  consents: z.array(z.object({ consent: consentSchema, message: messageSchema })),
  reference: planReferenceSchema.nullable(),
  database: databaseReferenceSchema.nullable().default(null),
  estimate: z.object({
    seconds: z.number(),
    diskBytes: z.number(),
    dataBytes: z.number(),
  }),
  notices: z.array(noticeSchema),
});
export type Plan = z.infer<typeof planSchema>;

export function levelsOf(scenarios: readonly Pick<Scenario, 'connections'>[]): number[] {
  return [...new Set(scenarios.map(({ connections }) => connections))].sort((a, b) => a - b);
}

export function trialId(round: number, scenarioId: string): string {
  return `r${round}.${scenarioId}`;
}

export function scenarioCount({ scenarios }: Pick<Plan, 'scenarios'>): number {
  return scenarios.filter(({ isAaRepeat }) => !isAaRepeat).length;
}

export function hasSameProgram(one: ServerConfig, other: ServerConfig): boolean {
  return one.image.used === other.image.used && one.native?.binary === other.native?.binary;
}

/** A scenario of another plan throws. */
export function configOf(plan: Pick<Plan, 'configs'>, scenario: Pick<Scenario, 'configId'>): ServerConfig {
  const config = plan.configs.find(({ id }) => id === scenario.configId);
  if (config === undefined) throw new Error(`no config ${scenario.configId}`);
  return config;
}

/** Each image is listed once per engine. */
export function imagesOf({ configs, scenarios }: Pick<Plan, 'configs' | 'scenarios'>): ImageChoice[] {
  const inContainers = scenarios.filter(({ storage }) => isContainerStorage(storage.kind));
  const used = new Set(inContainers.map(({ configId }) => configId));
  const images = new Map<string, ImageChoice>();
  for (const { id, engine, image } of configs) {
    const key = JSON.stringify([engine, image.requested]);
    if (used.has(id) && !images.has(key)) images.set(key, image);
  }
  return [...images.values()];
}

/** Without options of a user's image, no change is a gain. */
export function lacksOwnOptions({ notices }: Pick<Plan, 'notices'>): boolean {
  return notices.some(({ message }) => message.code === 'compose.ownStart');
}

export type OnEngines = Pick<Plan, 'engines' | 'scenarios' | 'configs'>;

export function plansOn<P extends OnEngines>(plan: P): P[] {
  return plan.engines.map((engine) => {
    const isIts = (one: { engine: string }): boolean => one.engine === engine.id;
    return {
      ...plan,
      engines: [engine],
      scenarios: plan.scenarios.filter(isIts),
      configs: plan.configs.filter(isIts),
    };
  });
}

/** IDs of measured engines, then of the client's. */
export function runtimeIds({ engines, clientEngine }: Pick<Plan, 'engines' | 'clientEngine'>): string[] {
  return [...engines, clientEngine].flatMap((one) => one?.runtimeId ?? []);
}

/** Undefined: the engine wasn't found by a context. */
export function contextName(runtimeId: string): string | undefined {
  return /^context:(.+)$/s.exec(runtimeId)?.[1];
}

/** The passport of the named engine, or else of the first. */
export function passportOf(
  { engines }: Pick<Plan, 'engines'>,
  engine: string = engines[0].id,
): PlanEngine['passport'] {
  return (engines.find(({ id }) => id === engine) ?? engines[0]).passport;
}
