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

/** A name has the engine's context where there are several. */
const planEngineSchema = z.object({
  id: z.string(),
  name: z.string(),
  runtimeId: z.string(),
  passport: passportSchema,
});
export type PlanEngine = z.infer<typeof planEngineSchema>;

/** For `labelText`; nothing parses an id or a label. Null: the same for all scenarios. */
export const scenarioLabelSchema = z.object({
  ownName: z.string().nullable(),
  engine: z.string().nullable().default(null),
  server: z.string().nullable(),
  storage: z.enum(STORAGE_KINDS),
  storageName: z.string().nullable(),
  path: z.enum(PATH_KINDS),
  /** All scenarios have the same, which says nothing. */
  omitsPath: z.boolean().default(false),
  loadGenerator: z.enum(LOAD_GENERATORS).nullable(),
  connections: z.number().int().nullable(),
  isRepeat: z.boolean(),
});
export type ScenarioLabel = z.infer<typeof scenarioLabelSchema>;

export type SaidParts = Pick<ScenarioLabel, 'server' | 'loadGenerator' | 'connections'>;

/** Belongs to the numbers and is shown with them in the app, the terminal, and every export. */
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
  /** Registry digest (sha256:…); null: not pulled yet, or built locally. */
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
  /** One of the plan's `engines`. */
  engine: z.string(),
  engineName: z.string().nullable().default(null),
  server: z.string().nullable(),
  serverName: z.string().nullable(),
  image: imageChoiceSchema,
  settings: serverSettingsSchema,
  limits: limitsSchema.prefault({}),
  /** The user's; they come after Whalemark's. */
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
  /** The A/A repeat of the baseline: its "difference" is noise. */
  isAaRepeat: z.boolean(),
});
export type Scenario = z.infer<typeof scenarioSchema>;

export const excludedScenarioSchema = scenarioIdentitySchema.extend({ reason: messageSchema });
export type ExcludedScenario = z.infer<typeof excludedScenarioSchema>;

/**
 * `existing-swarm`: use it; `host-network`: run an unknown image there; `database-folder`: next to the user's data;
 * `own-command`: run it before it has shown which server it uses; `project-files`: mount those outside a project.
 */
export const CONSENTS = [
  'swarm',
  'existing-swarm',
  'host-network',
  'database-folder',
  'own-command',
  'project-files',
] as const;
/** With the name of an engine that a preset file names, or that is on another machine. */
export const ENGINE_CONSENT = 'engine:';
export const consentSchema = z.union([
  z.enum(CONSENTS),
  z
    .string()
    .max(1024)
    .pipe(z.templateLiteral([ENGINE_CONSENT, z.string().min(1)])),
]);
export type Consent = z.infer<typeof consentSchema>;
/** What the user has confirmed so far. */
export const consentsSchema = z.array(consentSchema).max(CONSENTS.length + MOST_ENGINES + 1);

export const planModeSchema = z.enum(['full', 'small']);

export const planSchema = z.object({
  id: z.string(),
  preset: z.object({ id: z.string(), name: z.string(), question: z.string() }),
  mode: planModeSchema,
  engines: z.tuple([planEngineSchema], planEngineSchema),
  /** Where clients of `overlay-other-node` run; null: there are none. */
  clientEngine: z.object({ runtimeId: z.string(), passport: passportSchema }).nullable().default(null),
  configs: z.array(serverConfigSchema).min(1),
  workload: workloadSchema,
  connections: z.number().int(),
  /** Timed in place of load, each time on a new copy of its starting state. */
  task: taskSchema.nullable().default(null),
  transport: z.enum(TRANSPORTS).default('loop'),
  scenarios: z.array(scenarioSchema),
  excluded: z.array(excludedScenarioSchema),
  baselineId: z.string(),
  schedule: scheduleSchema,
  equivalence: z.number().default(0.05),
  /** Variance between equal servers that earlier runs of this machine make likely; without any, the default applies. */
  serversApart: z.object({ variance: z.number(), degrees: z.number(), runs: z.number().int() }).optional(),
  seed: z.number().int(),
  /** Scenario ids in measuring order, by round; of a run until conclusive only the rounds that ran. */
  rounds: z.array(z.array(z.string())),
  /** Side by side: ids of servers that run at the same time. Each group has the baseline's. */
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
  /** What client containers run in, or what the image with sysbench is built on; null: none is needed. */
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

/** Throws for a scenario of another plan. */
export function configOf(plan: Pick<Plan, 'configs'>, scenario: Pick<Scenario, 'configId'>): ServerConfig {
  const config = plan.configs.find(({ id }) => id === scenario.configId);
  if (config === undefined) throw new Error(`no config ${scenario.configId}`);
  return config;
}

function usesImage(plan: Pick<Plan, 'scenarios'>, config: ServerConfig): boolean {
  return plan.scenarios.some(
    ({ configId, storage }) => configId === config.id && isContainerStorage(storage.kind),
  );
}

export function imagesOf(plan: Pick<Plan, 'configs' | 'scenarios'>): ImageChoice[] {
  const seen = new Set<string>();
  return plan.configs.flatMap((config) => {
    const { image, engine } = config;
    const key = JSON.stringify([engine, image.requested]);
    if (seen.has(key) || !usesImage(plan, config)) return [];
    seen.add(key);
    return [image];
  });
}

/** Whether a user's image brings options that the plan doesn't have: then no change is a gain for that user. */
export function lacksOwnOptions({ notices }: Pick<Plan, 'notices'>): boolean {
  return notices.some(({ message }) => message.code === 'compose.ownStart');
}

export type OnEngines = Pick<Plan, 'engines' | 'scenarios' | 'configs'>;

/** One plan for each engine. */
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

/** Of the engines that are measured, then the client's. */
export function runtimeIds({ engines, clientEngine }: Pick<Plan, 'engines' | 'clientEngine'>): string[] {
  return [...engines, clientEngine].flatMap((one) => one?.runtimeId ?? []);
}

/** Undefined: it wasn't found by a context. */
export function contextName(runtimeId: string): string | undefined {
  return /^context:(.+)$/s.exec(runtimeId)?.[1];
}

/** Of the first engine unless another is named. */
export function passportOf(
  { engines }: Pick<Plan, 'engines'>,
  engine: string = engines[0].id,
): PlanEngine['passport'] {
  return (engines.find(({ id }) => id === engine) ?? engines[0]).passport;
}
