import { randomInt, randomUUID } from 'node:crypto';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Notice, Plan, Scenario } from '../../shared/model/plan.ts';
import {
  presetScenarios,
  type Preset,
  type Schedule,
  type ServerSettings,
  type StorageSpec,
  type Workload,
} from '../../shared/model/preset.ts';
import type { PathKind } from '../../shared/model/names.ts';
import { TRIAL_OVERHEAD_MS } from '../../shared/progress.ts';
import { createRandom, shuffled } from '../../shared/random.ts';
import { planClientImage } from '../load/client-image.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { chooseImage } from '../target/image.ts';
import { PATHS } from '../target/paths.ts';
import { STORAGE_NAMES } from '../target/storage.ts';
import { unsupportedReason } from '../target/support.ts';

export interface PlanRequest {
  preset: Preset;
  mode: 'full' | 'quick';
  runtime: ContainerRuntime;
  /** True when the user named the image himself: then it is only replaced within its major version. */
  imageNamedByUser: boolean;
  /** Files of the client image, name → content. */
  clientImageFiles: Record<string, string>;
}

/** Id of the second measurement of the baseline. */
const NOISE_FLOOR_SUFFIX = '~again';

/**
 * Everything a run will do, before it does anything. Rejects with NOTHING_TO_RUN, IMAGE_NOT_FOUND,
 * REGISTRY_UNREACHABLE (nothing compatible is local), or PRESET_INVALID when the baseline can't run here.
 */
export async function makePlan(request: PlanRequest): Promise<Plan> {
  const { preset, runtime, mode } = request;
  const { passport } = runtime;
  const excluded: Plan['excluded'] = [];
  const scenarios: Scenario[] = [];
  for (const spec of presetScenarios(preset)) {
    const name = spec.name ?? scenarioName(spec.storage, spec.path);
    const reason = unsupportedReason(passport, spec.storage, spec.path);
    if (reason !== undefined) {
      excluded.push({ id: spec.id, name, reason });
      continue;
    }
    scenarios.push({
      id: spec.id,
      name,
      storage: spec.storage,
      path: spec.path,
      placement: PATHS[spec.path].placement,
      serverId: serverId(spec.storage, spec.path),
      connections: preset.connections,
      driver: preset.driver,
      isBaseline: spec.id === preset.baseline,
      isNoiseFloor: false,
    });
  }
  const baseline = scenarios.find(({ isBaseline }) => isBaseline);
  const reasons = excluded.map(({ name, reason }) => `${name}: ${reason}`);
  if (scenarios.length === 0) throw new BenchmarkError('NOTHING_TO_RUN', {}, { evidence: reasons });
  if (baseline === undefined) {
    throw new BenchmarkError(
      'PRESET_INVALID',
      { name: preset.id, count: '1' },
      { evidence: [`baseline: “${preset.baseline}” can't run on this runtime`, ...reasons] },
    );
  }
  if (preset.noiseFloor) {
    scenarios.push({
      ...baseline,
      id: `${baseline.id}${NOISE_FLOOR_SUFFIX}`,
      name: `${baseline.name} (again)`,
      isBaseline: false,
      isNoiseFloor: true,
    });
  }

  const image = await chooseImage(runtime, preset.server.image, request.imageNamedByUser);
  const schedule = (mode === 'quick' ? preset.quick : undefined) ?? preset.schedule;
  const seed = preset.seed ?? randomInt(0, 2 ** 32 - 1);
  const random = createRandom(seed);
  const ids = scenarios.map(({ id }) => id);
  const toPrepare: Plan['toPrepare'] = [];
  if (image.imageId === null) toPrepare.push({ kind: 'pull', reference: image.used, bytes: null });
  if (scenarios.some(({ placement }) => placement === 'container')) {
    toPrepare.push(...(await planClientImage(runtime, request.clientImageFiles)));
  }
  const { settings } = preset.server;
  const { workload } = preset;
  return {
    id: randomUUID(),
    preset: { id: preset.id, name: preset.name, question: preset.question },
    mode,
    runtimeId: runtime.id,
    passport,
    image,
    settings,
    workload,
    connections: preset.connections,
    scenarios,
    excluded,
    baselineId: baseline.id,
    schedule,
    seed,
    rounds: Array.from({ length: schedule.rounds }, () => shuffled(ids, random)),
    bindRoot: preset.bindRoot ?? null,
    toPrepare,
    estimate: estimate(scenarios, schedule, workload, settings),
    notices: imageNotices(image),
  };
}

/** Scenarios that agree in this share a server container. */
function serverId(storage: StorageSpec, path: PathKind): string {
  const size = 'sizeMiB' in storage && storage.sizeMiB !== undefined ? `-${storage.sizeMiB}` : '';
  return `${storage.kind}${size}.${PATHS[path].attach}`;
}

function scenarioName(storage: StorageSpec, path: PathKind): string {
  return `${STORAGE_NAMES[storage.kind]} × ${PATHS[path].name}`;
}

/** Size of the tables, bytes: 236 per row with its index (source: a published 10-million-row sysbench table of 2358 MB). */
export function dataBytes(workload: Workload): number {
  return workload.tables * workload.tableSize * 236;
}

/** Size that a datadir is expected to have: tables, redo log, and what every server brings (system tables, undo). */
export function datadirBytes(workload: Workload, settings: ServerSettings): number {
  return dataBytes(workload) * 1.15 + settings.redoLogMiB * 2 ** 20 + 150 * 2 ** 20;
}

/**
 * Time and disk that a run takes on cached images. The constants are what was seen on a two-core Linux machine;
 * the live view corrects itself from the trials already done.
 */
function estimate(
  scenarios: Scenario[],
  schedule: Schedule,
  workload: Workload,
  settings: ServerSettings,
): Plan['estimate'] {
  const servers = new Set(scenarios.map(({ serverId: id }) => id)).size;
  const initialise = 12;
  const load = (workload.tables * workload.tableSize) / 25_000 + 2;
  const perDatadir = datadirBytes(workload, settings);
  const clone = servers * (1 + perDatadir / 150e6);
  const trial = schedule.warmupSeconds + schedule.durationSeconds + TRIAL_OVERHEAD_MS / 1000;
  return {
    seconds: Math.round(initialise + load + clone + schedule.rounds * scenarios.length * trial + 5),
    diskBytes: Math.round(perDatadir * (servers + 1)),
    dataBytes: dataBytes(workload),
  };
}

/** A substituted image is said wherever numbers stand. */
function imageNotices(image: Plan['image']): Notice[] {
  if (!image.substituted) return [];
  return [
    {
      code: 'IMAGE_SUBSTITUTED',
      message: `${image.requested} could not be fetched (${image.reason ?? 'registry unreachable'}); the local image ${image.used} (${image.flavour ?? ''} ${image.version ?? ''}) was used instead.`,
    },
  ];
}
