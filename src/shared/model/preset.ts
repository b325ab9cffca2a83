import * as z from 'zod';
import { type PathKind, pathTraits } from '../kinds/paths.ts';
import type { LoadGenerator } from './names.ts';
import { DEFAULT_CONNECTIONS, presetObjectSchema, type PresetObject } from './preset-parts.ts';
import { mismatch } from './cells.ts';
import { danglingNames, knownNames, MOST_SCENARIOS, scenarioCount } from './preset-checks.ts';
import { complaint } from '../field-problems.ts';
import { OWN_SERVER, serverInPool, type StorageSpec, storageSpecSchema } from './server-spec.ts';
import { type Message, type MessageCode, msg, saidSchema } from '../message.ts';
import { optionProblem } from '../kinds/mount-options.ts';
import { errorDataSchema } from '../errors.ts';

export const presetSchema = presetObjectSchema.superRefine((preset, context) => {
  const problem: Complaint = (path, code, params) => context.addIssue(complaint(path, code, params));
  checkTogether(preset, problem);
});
export type Preset = z.infer<typeof presetSchema>;

type Complaint = (path: PropertyKey[], code: MessageCode, params?: Message['params']) => void;

function checkTogether(preset: PresetObject, problem: Complaint): void {
  const count = scenarioCount(preset);
  if (count > MOST_SCENARIOS) {
    const place = preset.grid === undefined ? 'scenarios' : 'grid';
    problem([place], 'preset.tooManyScenarios', { count, most: MOST_SCENARIOS });
    return;
  }
  if (preset.sweep !== undefined && preset.connections !== undefined) {
    problem(['connections'], 'preset.connectionsWithSweep');
  }
  for (const { place, name, known, code } of danglingNames(preset)) {
    problem(place, code, { name, known: knownNames(known) });
  }
  const scenarios = presetScenarios(preset);
  if (Object.hasOwn(preset.servers, OWN_SERVER)) {
    problem(['servers', OWN_SERVER], 'preset.ownServerName');
  }
  for (const [id, storage] of Object.entries(preset.storages)) {
    const wrong = optionProblem(storage);
    if (wrong !== undefined) problem(['storages', id, ...wrong.field.split('.')], wrong.code, wrong.params);
  }
  const ids = scenarios.map(({ id }) => id);
  if (ids.length === 0) {
    problem(['scenarios'], 'preset.noScenarios');
    return;
  }
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) problem(['scenarios'], 'preset.idTwice', { id: twice });
  const bases = new Set(scenarios.map(({ baseId }) => baseId));
  for (const baseline of [preset.baseline].flat()) {
    if (!bases.has(baseline)) {
      problem(['baseline'], 'preset.noScenarioOf', { name: baseline, known: knownNames([...bases]) });
    }
  }
  for (const { id, storage, path } of scenarios) {
    const why = mismatch({ storage: storage.kind, path });
    if (why !== undefined) problem(['scenarios'], 'field.problem', { field: id, problem: why });
  }
  checkTask(preset, scenarios, problem);
  for (const id of Object.keys(preset.reference?.cells ?? {})) {
    if (!scenarios.some((one) => isNamed(one, id)))
      problem(['reference', 'cells', id], 'preset.noScenario', { name: id });
  }
}

/** A name may be the scenario's id without its load generator. */
export function isNamed(
  { id, baseId, loadGenerator }: Pick<PresetScenario, 'id' | 'baseId' | 'loadGenerator'>,
  name: string,
): boolean {
  return id === name || (baseId === name && id === `${name}.${loadGenerator}`);
}

function checkTask(
  { task, sweep, schedule }: PresetObject,
  scenarios: readonly PresetScenario[],
  problem: Complaint,
): void {
  for (const { id, storage, path, loadGenerator } of scenarios) {
    if (storage.starts !== undefined && task?.kind !== 'ready') {
      problem(['scenarios'], 'field.problem', { field: id, problem: msg('preset.startsWithoutReady') });
    }
    const isOdd = loadGenerator === 'sysbench' || pathTraits(path).placement !== 'host';
    if (task !== undefined && isOdd) {
      problem(['scenarios'], 'field.problem', { field: id, problem: msg('preset.taskScenario') });
    }
  }
  if (task === undefined) return;
  if (sweep !== undefined) problem(['sweep'], 'preset.notWithTask');
  if (schedule.sliceSeconds !== undefined) problem(['schedule', 'sliceSeconds'], 'preset.notWithTask');
}

export interface PresetScenario {
  id: string;
  baseId: string;
  name: string | undefined;
  server: string | undefined;
  storage: StorageSpec;
  storageId: string;
  path: PathKind;
  loadGenerator: LoadGenerator;
  connections: number;
}

/** A preset, expanded once for all of a plan. */
export interface ResolvedPreset {
  preset: Preset;
  scenarios: PresetScenario[];
}

export function resolvedPreset(preset: Preset): ResolvedPreset {
  return { preset: { ...preset, servers: presetServers(preset) }, scenarios: presetScenarios(preset) };
}

function presetServers({ servers, bufferPools }: Preset): Preset['servers'] {
  const inPools = Object.entries(bufferPools).flatMap(([pool, { name: poolName, bufferPool }]) =>
    [undefined, ...Object.keys(servers)].map((server): [string, Preset['servers'][string]] => {
      const own = server === undefined ? undefined : servers[server];
      const name = [own?.name ?? server, poolName].filter((part) => part !== undefined).join(', ');
      return [serverInPool(server, pool), { ...own, name, settings: { ...own?.settings, bufferPool } }];
    }),
  );
  return { ...servers, ...Object.fromEntries(inPools) };
}

export function connectionLevels({ sweep, connections }: Pick<Preset, 'sweep' | 'connections'>): number[] {
  return sweep ?? [connections ?? DEFAULT_CONNECTIONS];
}

/** Grid scenarios first, by buffer-pool size and level, each with all load generators. */
export function presetScenarios(preset: PresetObject): PresetScenario[] {
  const { grid } = preset;
  const fromGrid = (grid?.servers ?? [undefined]).flatMap((server) =>
    (grid?.storages ?? []).flatMap((storage) =>
      (grid?.paths ?? []).map((path): PresetObject['scenarios'][number] => ({ server, storage, path })),
    ),
  );
  const all = [...fromGrid, ...preset.scenarios].map(({ id, name, server, storage, path }) => ({
    baseId: id ?? idOf(server, storage, path),
    ...{ name, server, path, storage: storageOf(preset, storage), storageId: storage },
  }));
  const pools = Object.keys(preset.bufferPools);
  const loadGenerators = loadGeneratorsOf(preset);
  return (pools.length === 0 ? [undefined] : pools).flatMap((pool) =>
    connectionLevels(preset).flatMap((connections) =>
      all.flatMap((one) =>
        loadGenerators.map((loadGenerator) => {
          const generator = loadGenerators.length === 1 ? undefined : loadGenerator;
          const level = preset.sweep === undefined ? undefined : `c${connections}`;
          const id = idOf(one.baseId, generator, pool, level);
          const server = pool === undefined ? one.server : serverInPool(one.server, pool);
          return { ...one, id, server, loadGenerator, connections };
        }),
      ),
    ),
  );
}

export function loadGeneratorsOf({ loadGenerator }: Pick<PresetObject, 'loadGenerator'>): LoadGenerator[] {
  return [loadGenerator].flat();
}

function idOf(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('.');
}

function storageOf(preset: PresetObject, storage: string): StorageSpec {
  const named = preset.storages[storage];
  if (named !== undefined) return named;
  const parsed = storageSpecSchema.safeParse(storage);
  // `danglingNames` reports a missing name.
  return parsed.success ? parsed.data : { kind: 'named-volume' };
}

export const presetSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  question: z.string(),
  builtIn: z.boolean(),
  reference: z.object({ title: z.string(), source: z.string(), date: z.string() }).nullable(),
  hasSmall: z.boolean(),
  /** The preset is unusable, and only its file name is known. */
  error: errorDataSchema.optional(),
});
export type PresetSummary = z.infer<typeof presetSummarySchema>;

export const presetProblemSchema = z.object({
  line: z.number().int().nullable(),
  problem: saidSchema,
});
export type PresetProblem = z.infer<typeof presetProblemSchema>;
