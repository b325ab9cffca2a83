import { randomInt, randomUUID } from 'node:crypto';
import { isContainerStorage } from '../../shared/model/names.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { imagesOf, type Plan, type Scenario } from '../../shared/model/plan.ts';
import {
  connectionLevels,
  presetScenarios,
  type Preset,
  type PresetScenario,
} from '../../shared/model/preset.ts';
import { shortForm } from '../../shared/model/preset-forms.ts';
import { levelName } from '../../shared/words/level-names.ts';
import { createRandom, shuffled } from '../../shared/random.ts';
import { planClientImage, needsClientImage } from '../load/client-image.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { isKnownImage } from '../target/image.ts';
import { PATHS } from '../target/paths.ts';
import { storageName } from '../target/storage/storage-names.ts';
import { unsupportedReason } from '../target/support.ts';
import { estimatePlan } from './plan-estimate.ts';
import { findPlanFacts, type PlanFacts } from './plan-facts.ts';
import { planNotices } from './plan-notices.ts';
import { chooseImages } from './plan-images.ts';
import { planSetups } from './plan-setups.ts';
import { setupId } from '../../shared/model/setup-id.ts';
import { planReference } from './reference.ts';
import { placeOf, ServerIds } from './server-ids.ts';

export interface PlanRequest {
  preset: Preset;
  mode: 'full' | 'short';
  runtime: ContainerRuntime;
  /** True when the user named the image himself: then it is only replaced within its major version. */
  imageNamedByUser: boolean;
  /** True when the user gave the external server's address for this plan, or has agreed to load that server. */
  asksExternal?: boolean;
  /** Files of the client image, name → content. */
  clientImageFiles: Record<string, string>;
  /** Our data folder, in which bind mounts are made unless the preset names another; undefined: not looked at yet. */
  dataDir?: string;
  /** Folder of the published experiments. */
  referenceDir: string;
}

/** Id of the second measurement of a baseline. */
const NOISE_FLOOR_SUFFIX = '~again';

/**
 * Everything a run will do, before it does anything. Rejects with NOTHING_TO_RUN, IMAGE_NOT_FOUND,
 * REGISTRY_UNREACHABLE (nothing compatible is local), BIND_REFUSED, or PRESET_INVALID when no baseline can run here or an
 * option of the server can't be the user's.
 */
export async function makePlan(request: PlanRequest): Promise<Plan> {
  const { runtime, mode } = request;
  const preset = mode === 'short' ? shortForm(request.preset) : request.preset;
  const { passport } = runtime;
  const wanted = presetScenarios(preset);
  const facts = await findPlanFacts(preset, wanted, runtime, request);
  const excluded: Plan['excluded'] = [];
  const leaveOut = (spec: PresetScenario, reason: string | undefined): boolean => {
    if (reason !== undefined) excluded.push({ id: spec.id, name: scenarioName(preset, spec), reason });
    return reason === undefined;
  };
  const supported = wanted.filter((spec) =>
    leaveOut(spec, unsupportedReason(passport, { ...spec, workload: preset.workload }, facts.support)),
  );
  const images = await chooseImages(request, preset, supported);
  const possible = supported.filter((spec) => leaveOut(spec, images.missing(spec)));
  const baseline = chooseBaseline(preset, possible, excluded);
  const serverIds = new ServerIds();
  const scenarios = possible.flatMap((spec) =>
    plannedScenarios(preset, spec, {
      serverId: serverIds.of(spec),
      baselineId: baselineOf(spec, possible, baseline),
      twice:
        preset.noiseFloor &&
        spec.baseId === baseline &&
        spec.connections === middleOf(connectionLevels(preset)),
    }),
  );
  const setups = await planSetups(preset, possible, facts, images.choices);
  const { schedule, workload } = preset;
  const seed = preset.seed ?? randomInt(0, 2 ** 32 - 1);
  const random = createRandom(seed);
  const ids = scenarios.map(({ id }) => id);
  const plan = {
    id: randomUUID(),
    preset: { id: preset.id, name: preset.name, question: preset.question },
    mode,
    runtimeId: runtime.id,
    passport,
    setups,
    workload,
    connections: Math.max(...connectionLevels(preset)),
    rate: preset.rate ?? null,
    scenarios,
    excluded,
    baselineId: possible.find(({ baseId }) => baseId === baseline)?.id ?? '',
    schedule,
    equivalence: preset.equivalence,
    seed,
    rounds: Array.from({ length: schedule.rounds }, () => shuffled(ids, random)),
    bindRoot: preset.bindRoot ?? null,
    toPrepare: await toPrepare(request, imagesOf({ setups, scenarios }), scenarios),
    consents: planConsents(scenarios, setups, facts),
    reference: await planReference(preset, ids, request.referenceDir),
  };
  return { ...plan, estimate: estimatePlan(plan), notices: planNotices(preset, plan) };
}

/** The first of the preset's baselines that can run. */
function chooseBaseline(preset: Preset, possible: PresetScenario[], excluded: Plan['excluded']): string {
  const reasons = excluded.map(({ name, reason }) => `${name}: ${reason}`);
  if (possible.length === 0) throw new BenchmarkError('NOTHING_TO_RUN', {}, { evidence: reasons });
  const wanted = [preset.baseline].flat();
  const found = wanted.find((id) => possible.some(({ baseId }) => baseId === id));
  if (found !== undefined) return found;
  throw new BenchmarkError(
    'PRESET_INVALID',
    { name: preset.id, count: '1' },
    { evidence: [`baseline: “${wanted.join(', ')}” can't run on this runtime`, ...reasons] },
  );
}

/**
 * The level of a ramp at which the baseline is measured twice. One A/A pair keeps a ramp affordable; in its middle it
 * speaks for few connections, which are the noisiest, as much as for many.
 */
function middleOf(levels: number[]): number | undefined {
  return levels[Math.floor(levels.length / 2)];
}

/** The baseline in a scenario's regime, at its level and under its driver, where it runs under that one, too. */
function baselineOf(spec: PresetScenario, possible: PresetScenario[], baseline: string): string {
  const beside = possible.filter(
    ({ regime, connections }) => regime === spec.regime && connections === spec.connections,
  );
  const base = beside.find(({ baseId }) => baseId === baseline);
  const sameDriver = beside.find(
    (one) =>
      one.driver === spec.driver &&
      one.server === base?.server &&
      one.storageId === base?.storageId &&
      placeOf(one.storage) === placeOf(base.storage) &&
      one.path === base.path &&
      one.clientNode === base.clientNode,
  );
  return (base?.driver === spec.driver ? base : (sameDriver ?? base))?.id ?? baseline;
}

/** The scenario, and for the preset's own baseline the same once more. */
function plannedScenarios(
  preset: Preset,
  spec: PresetScenario,
  { serverId, baselineId, twice }: { serverId: string; baselineId: string; twice: boolean },
): Scenario[] {
  const scenario: Scenario = {
    id: spec.id,
    name: scenarioName(preset, spec),
    setupId: setupId(spec),
    storage: spec.storage,
    path: spec.path,
    placement: spec.driver === 'sysbench' ? 'container' : PATHS[spec.path].placement,
    serverId,
    connections: spec.connections,
    driver: spec.driver,
    regime: spec.regime ?? null,
    baselineId,
    isBaseline: spec.id === baselineId,
    isNoiseFloor: false,
    clientNode: spec.clientNode ?? null,
  };
  if (!twice) return [scenario];
  const again = {
    ...scenario,
    id: `${scenario.id}${NOISE_FLOOR_SUFFIX}`,
    name: `${scenario.name} (again)`,
    isBaseline: false,
    isNoiseFloor: true,
  };
  return [scenario, again];
}

function scenarioName(preset: Preset, spec: PresetScenario): string {
  const server = spec.server === undefined ? undefined : (preset.servers[spec.server]?.name ?? spec.server);
  const regime = spec.regime === undefined ? undefined : preset.regimes[spec.regime]?.name;
  const place = isContainerStorage(spec.storage.kind)
    ? `${storageName(spec.storage)} × ${PATHS[spec.path].name}`
    : storageName(spec.storage);
  const node = spec.clientNode === undefined ? '' : ' from another node';
  const name = spec.name ?? `${server === undefined ? '' : `${server}: `}${place}${node}`;
  const drivers = new Set(presetScenarios(preset).map(({ driver }) => driver));
  return [
    name,
    ...(drivers.size > 1 ? [spec.driver] : []),
    ...(regime === undefined ? [] : [regime]),
    ...(preset.ramp === undefined ? [] : [levelName(spec.connections)]),
  ].join(', ');
}

async function toPrepare(
  { runtime, clientImageFiles }: PlanRequest,
  images: Plan['setups'][number]['image'][],
  scenarios: Scenario[],
): Promise<Plan['toPrepare']> {
  const pulls = images
    .filter(({ imageId }) => imageId === null)
    .map(({ used }) => ({ kind: 'pull' as const, reference: used, bytes: null }));
  return needsClientImage(runtime.passport, scenarios)
    ? [...pulls, ...(await planClientImage(runtime, clientImageFiles))]
    : pulls;
}

function planConsents(
  scenarios: Scenario[],
  setups: Plan['setups'],
  { consents }: PlanFacts,
): Plan['consents'] {
  const attachments = new Set(scenarios.map(({ path }) => PATHS[path].attach));
  const onHost = scenarios.filter(({ path }) => PATHS[path].attach === 'host');
  const strangers = imagesOf({ setups, scenarios: onHost }).filter((image) => !isKnownImage(image));
  const images = [...new Set(strangers.map(({ used }) => used))].join(', ');
  return [
    ...consents.filter(({ consent }) =>
      consent === 'external'
        ? attachments.has('external')
        : attachments.has('overlay') || attachments.has('ingress'),
    ),
    ...(images === ''
      ? []
      : [
          {
            consent: 'host-network' as const,
            message: `Not a known server image (mysql, mariadb, percona): ${images}. On the host network it can reach whatever the engine’s machine can reach, including services that listen on 127.0.0.1 only. Agree only if you trust the image.`,
          },
        ]),
  ];
}
