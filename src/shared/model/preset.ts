import * as z from 'zod';
import { DRIVER_KINDS, PATH_KINDS, STORAGE_KINDS } from './names.ts';
import { workloadSchema } from './workload.ts';

const slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.~-]*$/,
    'use lower-case letters, digits, dots and hyphens, starting with a letter or digit',
  );

/** A storage by its name, or with options. */
export const storageSpecSchema = z.union(
  [
    z.enum(STORAGE_KINDS).transform((kind) => ({ kind })),
    z.strictObject({
      kind: z.enum(STORAGE_KINDS),
      /** Size of a tmpfs, MiB. */
      sizeMiB: z.number().int().min(1).optional(),
    }),
  ],
  { error: `use one of ${STORAGE_KINDS.join(', ')}, or { kind, sizeMiB } with sizeMiB 1 or more` },
);
export type StorageSpec = z.infer<typeof storageSpecSchema>;

/** Server settings; each one is passed explicitly and equally to every scenario, and read back. */
export const serverSettingsSchema = z.strictObject({
  bufferPoolMiB: z.number().int().min(5).default(256),
  redoLogMiB: z.number().int().min(8).default(256),
  flushLogAtTrxCommit: z.union([z.literal(0), z.literal(1), z.literal(2)]).default(1),
  binlog: z.boolean().default(false),
  syncBinlog: z.number().int().min(0).default(1),
});
export type ServerSettings = z.infer<typeof serverSettingsSchema>;

const serverSpecSchema = z.strictObject({
  image: z.string().min(1).default('mysql:8.4'),
  settings: serverSettingsSchema.prefault({}),
});
export type ServerSpec = z.infer<typeof serverSpecSchema>;

export const scheduleSchema = z.strictObject({
  rounds: z.number().int().min(1).max(100),
  warmupSeconds: z.number().min(0).max(3600),
  durationSeconds: z.number().min(1).max(86_400),
});
export type Schedule = z.infer<typeof scheduleSchema>;

const scenarioSpecSchema = z.strictObject({
  id: slug.optional(),
  name: z.string().min(1).optional(),
  storage: storageSpecSchema,
  path: z.enum(PATH_KINDS),
});

/** A preset as its YAML file holds it. */
export const presetSchema = z
  .strictObject({
    whalemark: z.literal(1),
    id: slug,
    name: z.string().min(1),
    /** The question that this preset answers, in the user's words. */
    question: z.string().min(1),
    server: serverSpecSchema.prefault({}),
    workload: workloadSchema.prefault({}),
    connections: z.number().int().min(1).max(512).default(8),
    driver: z.enum(DRIVER_KINDS).default('node'),
    /** Every storage with every path. */
    grid: z
      .strictObject({
        storages: z.array(storageSpecSchema).min(1),
        paths: z.array(z.enum(PATH_KINDS)).min(1),
      })
      .optional(),
    /** Scenarios one by one; added to the grid's. */
    scenarios: z.array(scenarioSpecSchema).default([]),
    /** Id of the scenario that the others are compared with; a grid's ids are `storage.path`. */
    baseline: slug,
    /** Measure the baseline a second time as if it were another scenario (an A/A pair). */
    noiseFloor: z.boolean().default(true),
    schedule: scheduleSchema,
    /** The shorter schedule of "quick look"; without it the normal one is used. */
    quick: scheduleSchema.optional(),
    seed: z.number().int().min(0).max(0xffff_ffff).optional(),
    /** Folder in which bind mounts are made; default: the app's data folder. */
    bindRoot: z.string().min(1).optional(),
  })
  .superRefine((preset, context) => {
    const ids = presetScenarioIds(preset);
    if (ids.length === 0) {
      context.addIssue({
        code: 'custom',
        path: ['scenarios'],
        message: 'name at least one scenario, or a grid',
      });
      return;
    }
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) {
      context.addIssue({ code: 'custom', path: ['scenarios'], message: `the id “${twice}” is there twice` });
    }
    if (!ids.includes(preset.baseline)) {
      context.addIssue({
        code: 'custom',
        path: ['baseline'],
        message: `there is no scenario “${preset.baseline}”; known: ${ids.join(', ')}`,
      });
    }
  });
export type Preset = z.infer<typeof presetSchema>;
export type ScenarioSpec = z.infer<typeof scenarioSpecSchema>;

/** Default id of a scenario: `storage.path`. */
export function scenarioId(storage: StorageSpec, path: string): string {
  return `${storage.kind}.${path}`;
}

/** The scenarios of a preset, grid first, each with its id. */
export function presetScenarios(
  preset: Pick<Preset, 'grid' | 'scenarios'>,
): (ScenarioSpec & { id: string })[] {
  const fromGrid = (preset.grid?.storages ?? []).flatMap((storage) =>
    (preset.grid?.paths ?? []).map((path) => ({ id: scenarioId(storage, path), storage, path })),
  );
  const single = preset.scenarios.map((spec) => ({
    ...spec,
    id: spec.id ?? scenarioId(spec.storage, spec.path),
  }));
  return [...fromGrid, ...single];
}

function presetScenarioIds(preset: Pick<Preset, 'grid' | 'scenarios'>): string[] {
  return presetScenarios(preset).map(({ id }) => id);
}
