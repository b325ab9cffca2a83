import { randomInt, randomUUID } from 'node:crypto';
import { msg, type Message } from '../../shared/message.ts';
import { BenchmarkError, errorMessage } from '../../shared/errors.ts';
import {
  type Consent,
  type ImageChoice,
  imagesOf,
  type Plan,
  type PlanEngine,
  plansOn,
  type Scenario,
} from '../../shared/model/plan.ts';
import {
  connectionLevels,
  type Preset,
  type PresetScenario,
  type ResolvedPreset,
} from '../../shared/model/preset.ts';
import { type Task, taskImage } from '../../shared/model/task.ts';
import { CAN_BLOCK } from '../load/blocking.ts';
import { chooseTransport } from '../../shared/model/transports.ts';
import { createRandom } from '../random.ts';
import type { ContainerRuntime, Engines } from '../runtime/container-runtime.ts';
import { chooseImage, isKnownImage } from '../servers/image.ts';
import { PATHS, usesOtherNode, usesSwarm } from '../../shared/kinds/paths.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';
import { unsupportedReason } from '../servers/support.ts';
import { engineConsent, type EnginePart, joinedParts, planEngines } from './plan-engines.ts';
import { findPlanFacts, type PlanFacts } from './plan-facts.ts';
import { requireDisk, requireMemory, requireStorageSizes } from './plan-fits.ts';
import { planClients } from './plan-clients.ts';
import { planNotices } from './plan-notices.ts';
import { identityOf, planScenarios } from './plan-scenarios.ts';
import {
  baseServer,
  isOtherImageAlone,
  isWithoutEffect,
  namedServers,
  planConfigs,
  serverOf,
  serverOptions,
} from './plan-configs.ts';
import { estimatePlan, planRounds } from './plan-schedule.ts';
import { planGroups } from './groups.ts';
import { planReference } from './reference.ts';
import { expectedApart } from '../store/equal-servers.ts';
import { isContainerStorage } from '../../shared/kinds/storages.ts';
import { orFailure } from '../runtime/engine/engine-error.ts';

export interface PlanRequest extends Engines {
  resolved: ResolvedPreset;
  mode: Plan['mode'];
  /** The user's image is only replaced within its major version. */
  imageNamedByUser: boolean;
  /** Every image is measured as it is named, and must differ. */
  comparesImages?: boolean;
  task?: Task | undefined;
  /** A file names the engines. */
  enginesNamed?: boolean;
  clientImageFiles: Record<string, string>;
  dataDir?: string;
  /** The folder of bind mounts; null: one in the data folder. */
  bindRoot?: string | null;
  referenceDir: string;
}

export async function makePlan(request: PlanRequest): Promise<Plan> {
  const { resolved, engines: runtimes, client, mode, bindRoot = null } = request;
  const { preset } = resolved;
  const engines = planEngines(runtimes);
  const [runtime] = runtimes;
  const [engine] = engines;
  const first = await planPart(request, { runtime, engine }, resolved);
  const parts: EnginePart[] = [first];
  // Servers outside of Docker are measured once for all engines.
  const inside = resolved.scenarios.filter(({ storage }) => isContainerStorage(storage.kind));
  for (const [index, one] of engines.entries()) {
    const own = { runtime: runtimes[index] ?? runtime, engine: one };
    if (index > 0) parts.push(await planPart(request, own, { ...resolved, scenarios: inside }, first));
  }
  const { scenarios, ...joined } = joinedParts(parts, request.enginesNamed);
  const seed = preset.seed ?? randomInt(0, 2 ** 32 - 1);
  const random = createRandom(seed);
  const { baselineId } = first;
  const levels = connectionLevels(preset);
  const plan = {
    id: randomUUID(),
    preset: { id: preset.id, name: preset.name, question: preset.question },
    mode,
    engines,
    ...joined,
    clientEngine:
      client !== undefined && scenarios.some(({ path }) => usesOtherNode(path))
        ? { runtimeId: client.id, passport: client.passport }
        : null,
    scenarios,
    workload: preset.workload,
    connections: Math.max(...levels),
    task: request.task ?? preset.task ?? null,
    transport: chooseTransport({ workload: preset.workload, levels, canBlock: CAN_BLOCK }),
    schedule: preset.schedule,
    rounds: planRounds(scenarios, preset.schedule, baselineId, random),
    baselineId,
    equivalence: preset.equivalence,
    serversApart: await expectedApart(engines, request.dataDir),
    seed,
    bindRoot,
    reference: await planReference(preset, scenarios, request.referenceDir),
    database: null,
  };
  const { notices, ...grouped } = planGroups(plan);
  const measured = { ...plan, ...grouped };
  for (const one of plansOn(plan)) requireMemory(preset, one);
  requireStorageSizes(plan);
  const dataRoots = await Promise.all(runtimes.map((one) => one.dataRoot()));
  await requireDisk(
    preset,
    plansOn(plan).map((one, index) => ({ plan: one, dataRoot: dataRoots[index] })),
    bindRoot ?? request.dataDir,
  );
  return {
    ...measured,
    estimate: estimatePlan(measured),
    notices: [...planNotices(preset, measured), ...notices],
  };
}

type PartRequest = PlanRequest & { runtime: ContainerRuntime };

interface PlannedPart extends EnginePart {
  baseline: string;
  possible: PresetScenario[];
  named: Preset;
}

async function planPart(
  request: PlanRequest,
  { runtime, engine }: { runtime: ContainerRuntime; engine: PlanEngine },
  resolved: ResolvedPreset,
  first?: PlannedPart,
): Promise<PlannedPart> {
  const { preset, scenarios: wanted } = resolved;
  const { passport } = engine;
  const facts = await findPlanFacts(resolved, runtime, request);
  const excluded: Plan['excluded'] = [];
  const leaveOut = (spec: PresetScenario, reason: Message | undefined): boolean => {
    if (reason !== undefined) excluded.push({ ...identityOf(preset, spec, engine.id), reason });
    return reason === undefined;
  };
  const supported = wanted.filter((spec) =>
    leaveOut(spec, unsupportedReason(passport, { ...spec, workload: preset.workload }, facts.support)),
  );
  const images = await chooseImages({ ...request, runtime }, preset, supported);
  const served = supported.filter((spec) => leaveOut(spec, images.missing(spec)));
  const clients = await planClients({ ...request, runtime }, served);
  const possible = served.filter((spec) => leaveOut(spec, clients.missing(spec)));
  if (possible.length === 0)
    throw new BenchmarkError('NOTHING_TO_RUN', {}, { evidence: reasonsOf(excluded) });
  if (request.engines.length === 1) requireChange(possible, excluded);
  const baseline = first?.baseline ?? chooseBaseline(preset, possible, excluded);
  const named = first?.named ?? namedServers(preset, images.choices);
  const scenarios = planScenarios(named, possible, {
    engine: engine.id,
    baseline,
    bases: first?.possible,
  });
  const configs = planConfigs(
    named,
    engine.id,
    possible,
    facts.native,
    images.choices,
    await serverOptions(preset, possible),
  );
  return {
    baseline,
    possible,
    named,
    engine,
    scenarios,
    configs,
    excluded,
    baselineId: possible.find(({ baseId }) => baseId === baseline)?.id ?? '',
    toPrepare: [
      ...imagesOf({ configs, scenarios }).flatMap(({ imageId, used }) =>
        imageId === null ? [pullOf(used)] : [],
      ),
      ...clients.toPrepare,
      ...(await missingTaskImage({ ...request, runtime })),
    ],
    clientImage: clients.image,
    consents: planConsents(scenarios, configs, facts, request),
  };
}

function chooseBaseline(preset: Preset, possible: PresetScenario[], excluded: Plan['excluded']): string {
  const wanted = [preset.baseline].flat();
  const found = wanted.find((id) => possible.some(({ baseId }) => baseId === id));
  if (found !== undefined) return found;
  throw new BenchmarkError(
    'PRESET_INVALID',
    { name: preset.id, count: '1' },
    { evidence: [msg('plan.baselineImpossible', { wanted: wanted.join(', ') }), ...reasonsOf(excluded)] },
  );
}

/** Throws NOTHING_TO_COMPARE if the other scenarios would be the same. */
function requireChange(possible: PresetScenario[], excluded: Plan['excluded']): void {
  const isSame = excluded.some(({ reason }) => 'code' in reason && SAME.has(reason.code));
  if (possible.length > 1 || !isSame) return;
  throw new BenchmarkError('NOTHING_TO_COMPARE', {}, { evidence: reasonsOf(excluded) });
}

const SAME = new Set(['plan.sameImage', 'plan.sameSettings']);

function reasonsOf(excluded: Plan['excluded']): Message[] {
  return excluded.map(({ label, reason }) =>
    msg('field.problem', { field: labelText(label, ENGLISH), problem: reason }),
  );
}

function pullOf(reference: string): Plan['toPrepare'][number] {
  return { kind: 'pull', reference, bytes: null };
}

async function missingTaskImage({ runtime, task }: PartRequest): Promise<Plan['toPrepare']> {
  const image = taskImage({ task: task ?? null });
  if (image === undefined || (await runtime.images.inspect(image)) !== undefined) return [];
  await runtime.images.probeRegistry(image);
  return [pullOf(image)];
}

function planConsents(
  scenarios: Scenario[],
  configs: Plan['configs'],
  { consents }: PlanFacts,
  { task, client }: Pick<PlanRequest, 'task' | 'client'>,
): Plan['consents'] {
  const onHost = scenarios.filter(({ path }) => PATHS[path].attach === 'host');
  const strangers = imagesOf({ configs, scenarios: onHost }).filter((image) => !isKnownImage(image));
  const images = [...new Set(strangers.map(({ used }) => used))].join(', ');
  return [
    ...(scenarios.some(({ path }) => usesSwarm(path)) ? consents : []),
    ...(client !== undefined && scenarios.some(({ path }) => usesOtherNode(path))
      ? [engineConsent(client.id, 'consent.engineElsewhere')]
      : []),
    ...consentIf(images !== '', 'host-network', msg('consent.hostNetwork', { images })),
    ...consentIf(task?.kind === 'command', 'own-command', msg('consent.ownCommand')),
  ];
}

function consentIf(isNeeded: boolean, consent: Consent, message: Message): Plan['consents'] {
  return isNeeded ? [{ consent, message }] : [];
}

function requireDifferent(images: readonly ImageChoice[]): void {
  for (const { used, imageId } of images) {
    const other = images.find((one) => imageId !== null && one.imageId === imageId && one.used !== used);
    if (other === undefined) continue;
    throw new BenchmarkError('USAGE', {
      problem: `--image ${used} and --image ${other.used} are the same image.`,
      fix: 'Give images of different servers or versions.',
    });
  }
}

interface PlannedImages {
  choices: Map<string, ImageChoice>;
  missing(scenario: PresetScenario): Message | undefined;
}

/**
 * A missing image excludes its scenarios; without any, rejects with the first's IMAGE_NOT_FOUND,
 * REGISTRY_UNREACHABLE, or IMAGE_UNKNOWN_FLAVOR.
 */
async function chooseImages(
  { runtime, imageNamedByUser, comparesImages = false }: PartRequest,
  preset: Preset,
  scenarios: PresetScenario[],
): Promise<PlannedImages> {
  const imageOf = (scenario: PresetScenario): string | undefined =>
    isContainerStorage(scenario.storage.kind) ? serverOf(preset, scenario).image : undefined;
  const choices = new Map<string, ImageChoice>();
  const failures = new Map<string, BenchmarkError>();
  for (const image of new Set(scenarios.map(imageOf))) {
    if (image === undefined) continue;
    const choice = await orFailure(chooseImage(runtime, image, imageNamedByUser, !comparesImages));
    if (!(choice instanceof BenchmarkError)) {
      choices.set(image, choice);
    } else if (comparesImages) {
      const evidence = [`--image ${image}`, ...choice.evidence];
      throw new BenchmarkError(choice.code, choice.params, { evidence, cause: choice });
    } else {
      failures.set(image, choice);
    }
  }
  if (comparesImages) requireDifferent([...choices.values()]);
  const [first] = failures.values();
  if (first !== undefined && choices.size === 0) throw first;
  return {
    choices,
    missing: (scenario) => {
      const image = imageOf(scenario) ?? '';
      const failure = failures.get(image);
      if (failure !== undefined) return errorMessage(failure.toData());
      const base = baseServer(scenario);
      const choice = choices.get(image);
      if (scenario.server === base) return undefined;
      if (choice?.imageId !== choices.get(preset.server.image)?.imageId) return undefined;
      if (isOtherImageAlone(preset, scenario)) return msg('plan.sameImage', { image });
      const isBaseMeasured = scenarios.some(
        ({ server, storageId, path }) =>
          server === base && storageId === scenario.storageId && path === scenario.path,
      );
      return choice !== undefined && isBaseMeasured && isWithoutEffect(preset, scenario, choice)
        ? msg('plan.sameSettings')
        : undefined;
    },
  };
}
