import * as z from 'zod';
import { DRIVER_KINDS, PATH_KINDS, type DriverKind } from './names.ts';
import { bufferPoolSchema, serverOverrideSchema, serverSpecSchema } from './server-spec.ts';
import { storageSpecSchema, type StorageSpec } from './storage-spec.ts';
import { workloadSchema } from './workload.ts';

const slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.~-]*$/,
    'use lower-case letters, digits, dots and hyphens, starting with a letter or digit',
  );

export const scheduleSchema = z.strictObject({
  rounds: z.number().int().min(1).max(100),
  warmupSeconds: z.number().min(0).max(3600),
  durationSeconds: z.number().min(1).max(86_400),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** A storage by its kind, by its name under `storages`, or with options in place. */
const storageRefSchema = z.union([slug, storageSpecSchema]);
type StorageRef = z.infer<typeof storageRefSchema>;

const scenarioSpecSchema = z.strictObject({
  id: slug.optional(),
  name: z.string().min(1).optional(),
  /** One of `servers`; without it the preset's own server. */
  server: slug.optional(),
  storage: storageRefSchema,
  path: z.enum(PATH_KINDS),
  driver: z.enum(DRIVER_KINDS).optional(),
  /** On a swarm: the node that the client runs on, by its host name, or `other`: any but the server's. */
  clientNode: z.string().min(1).optional(),
});

const connections = z.number().int().min(1).max(512);
const regimesSchema = z.record(
  slug,
  z.strictObject({
    /** For people, for example "I/O-bound". */
    name: z.string().min(1),
    bufferPool: bufferPoolSchema,
  }),
);

/** What the short form of a preset changes: laid over the preset, field by field. */
const shortSchema = z.strictObject({
  schedule: scheduleSchema,
  connections: connections.optional(),
  workload: z.record(z.string(), z.unknown()).optional(),
  server: z.record(z.string(), z.unknown()).optional(),
  servers: z.record(slug, z.record(z.string(), z.unknown())).optional(),
  regimes: z.record(slug, z.record(z.string(), z.unknown())).optional(),
});

const presetObjectSchema = z.strictObject({
  whalemark: z.literal(1),
  id: slug,
  name: z.string().min(1),
  /** The question that this preset answers, in the user's words. */
  question: z.string().min(1),
  server: serverSpecSchema.prefault({}),
  /** Further servers by name; each changes fields of `server`. */
  servers: z.record(slug, serverOverrideSchema).default({}),
  /** Storages with options, by name. */
  storages: z.record(slug, storageSpecSchema).default({}),
  workload: workloadSchema.prefault({}),
  connections: connections.default(8),
  driver: z.enum(DRIVER_KINDS).default('node'),
  /** Every storage with every path, and with every server and driver where several are named. */
  grid: z
    .strictObject({
      servers: z.array(slug).min(1).optional(),
      storages: z.array(storageRefSchema).min(1),
      paths: z.array(z.enum(PATH_KINDS)).min(1),
      drivers: z.array(z.enum(DRIVER_KINDS)).min(1).optional(),
    })
    .optional(),
  /** Scenarios one by one; added to the grid's. */
  scenarios: z.array(scenarioSpecSchema).default([]),
  /** Every scenario once in each of these; comparisons stay within one. */
  regimes: regimesSchema.default({}),
  /**
   * Id of the scenario that the others are compared with, without the regime; a grid's ids are `storage.path`,
   * `server.storage.path` and `….driver` where servers and drivers are named. Of several the first that can run.
   */
  baseline: z.union([slug, z.array(slug).min(1)]),
  /** Measure the baseline a second time as if it were another scenario (an A/A pair). */
  noiseFloor: z.boolean().default(true),
  /** The experiment's own schedule. */
  schedule: scheduleSchema,
  /** A shorter form that keeps the regime; without it there is only the full one. */
  short: shortSchema.optional(),
  /** Published numbers to show beside: a file of assets/reference, and which scenario is which of its cells. */
  reference: z.strictObject({ id: slug, cells: z.record(slug, z.string()) }).optional(),
  seed: z.number().int().min(0).max(0xffff_ffff).optional(),
  /** Folder in which bind mounts and native datadirs are made; default: the app's data folder. */
  bindRoot: z.string().min(1).optional(),
});
type PresetObject = z.infer<typeof presetObjectSchema>;

/** A preset as its YAML file holds it. */
export const presetSchema = presetObjectSchema.superRefine((preset, context) => {
  const problem = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  for (const { place, name, known, what } of danglingNames(preset)) {
    problem(place, `there is no ${what} “${name}”; known: ${known.join(', ') || '(none)'}`);
  }
  const scenarios = presetScenarios(preset);
  const ids = scenarios.map(({ id }) => id);
  if (ids.length === 0) {
    problem(['scenarios'], 'name at least one scenario, or a grid');
    return;
  }
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) problem(['scenarios'], `the id “${twice}” is there twice`);
  const bases = new Set(scenarios.map(({ baseId }) => baseId));
  for (const baseline of [preset.baseline].flat()) {
    if (!bases.has(baseline)) {
      problem(['baseline'], `there is no scenario “${baseline}”; known: ${[...bases].join(', ')}`);
    }
  }
  for (const { id, storage, path } of scenarios) {
    const wrong = storagePathProblem(storage, path);
    if (wrong !== undefined) problem(['scenarios'], `“${id}”: ${wrong}`);
  }
  for (const id of Object.keys(preset.reference?.cells ?? {})) {
    if (!ids.includes(id)) problem(['reference', 'cells', id], `there is no scenario “${id}”`);
  }
});
export type Preset = z.infer<typeof presetSchema>;

/** A scenario of a preset with everything it names looked up. */
export interface PresetScenario {
  id: string;
  /** The id without the regime. */
  baseId: string;
  name: string | undefined;
  /** One of the preset's `servers`; undefined: its own. */
  server: string | undefined;
  storage: StorageSpec;
  /** What the preset calls the storage: its kind, or its name under `storages`. */
  storageId: string;
  path: (typeof PATH_KINDS)[number];
  driver: DriverKind;
  clientNode: string | undefined;
  regime: string | undefined;
}

/** The scenarios of a preset, grid first, each with its id; with regimes, all of one before all of the next. */
export function presetScenarios(preset: PresetObject): PresetScenario[] {
  const { grid } = preset;
  const single = preset.scenarios.map((spec) => ({
    ...spec,
    baseId: spec.id ?? scenarioId(spec.server, storageId(spec.storage), spec.path, spec.driver),
  }));
  const fromGrid = (grid?.servers ?? [undefined]).flatMap((server) =>
    (grid?.storages ?? []).flatMap((storage) =>
      (grid?.paths ?? []).flatMap((path) =>
        (grid?.drivers ?? [undefined]).map((driver) => ({
          baseId: scenarioId(server, storageId(storage), path, driver),
          name: undefined,
          server,
          storage,
          path,
          driver,
          clientNode: undefined,
        })),
      ),
    ),
  );
  const all = [...fromGrid, ...single].map((spec) => ({
    baseId: spec.baseId,
    name: spec.name,
    server: spec.server,
    storage: storageOf(preset, spec.storage),
    storageId: storageId(spec.storage),
    path: spec.path,
    driver: spec.driver ?? preset.driver,
    clientNode: spec.clientNode,
  }));
  const regimes = Object.keys(preset.regimes);
  if (regimes.length === 0) return all.map((one) => ({ ...one, id: one.baseId, regime: undefined }));
  return regimes.flatMap((regime) => all.map((one) => ({ ...one, id: `${one.baseId}.${regime}`, regime })));
}

/** The preset with its short form laid over it; itself when it has none. */
export function shortForm(preset: Preset): Preset {
  const { short, ...full } = preset;
  return short === undefined ? preset : presetSchema.parse(laidOver(full, short));
}

function laidOver(value: unknown, change: unknown): unknown {
  if (!isRecord(value) || !isRecord(change)) return change;
  const merged: Record<string, unknown> = { ...value };
  for (const [key, part] of Object.entries(change)) {
    if (part !== undefined) merged[key] = key in value ? laidOver(value[key], part) : part;
  }
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function scenarioId(
  server: string | undefined,
  storage: string,
  path: string,
  driver: string | undefined,
): string {
  return [server, storage, path, driver].filter((part) => part !== undefined).join('.');
}

function storageId(storage: StorageRef): string {
  return typeof storage === 'string' ? storage : storage.kind;
}

function storageOf(preset: PresetObject, storage: StorageRef): StorageSpec {
  if (typeof storage !== 'string') return storage;
  const named = preset.storages[storage];
  if (named !== undefined) return named;
  const parsed = storageSpecSchema.safeParse(storage);
  // A name that is not there is an issue of its own; anything does until it is reported.
  return parsed.success ? parsed.data : { kind: 'named-volume' };
}

/** Every server and storage that is named but not there. */
function danglingNames(preset: PresetObject) {
  const servers = Object.keys(preset.servers);
  const storages = Object.keys(preset.storages);
  const found: { place: (string | number)[]; name: string; known: string[]; what: string }[] = [];
  const server = (name: string | undefined, place: (string | number)[]): void => {
    if (name !== undefined && !servers.includes(name)) {
      found.push({ place, name, known: servers, what: 'server' });
    }
  };
  const storage = (ref: StorageRef, place: (string | number)[]): void => {
    if (typeof ref !== 'string' || storages.includes(ref) || storageSpecSchema.safeParse(ref).success) return;
    found.push({ place, name: ref, known: [...STORAGE_NAMES_TO_CHOOSE, ...storages], what: 'storage' });
  };
  preset.grid?.servers?.forEach((name, index) => server(name, ['grid', 'servers', index]));
  preset.grid?.storages.forEach((ref, index) => storage(ref, ['grid', 'storages', index]));
  preset.scenarios.forEach((spec, index) => {
    server(spec.server, ['scenarios', index, 'server']);
    storage(spec.storage, ['scenarios', index, 'storage']);
  });
  return found;
}

/** Storages that need no options. */
const STORAGE_NAMES_TO_CHOOSE = [
  'named-volume',
  'anonymous-volume',
  'bind-mount',
  'image-layer',
  'data-container',
  'tmpfs',
  'native',
  'external',
];

/** Why a storage and a path can never go together; undefined when they can. */
function storagePathProblem(storage: StorageSpec, path: string): string | undefined {
  if (storage.kind === 'native') {
    return path === 'loopback' ? undefined : 'a native server is reached over the path loopback';
  }
  if (storage.kind === 'external') {
    return path === 'external' ? undefined : 'an external server is reached over the path external';
  }
  if (path === 'loopback') return 'the path loopback belongs to the storage native';
  return path === 'external' ? 'the path external belongs to the storage external' : undefined;
}
