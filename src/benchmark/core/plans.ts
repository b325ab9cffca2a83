import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { asContinued, whatIsLeft } from '../../shared/run/continuing.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Core, Params } from '../../shared/contract/ipc.ts';
import type { Consent, Plan } from '../../shared/model/plan.ts';
import { type Preset, presetScenarios, presetSchema } from '../../shared/model/preset.ts';
import { ramped, rated, untilSettled } from '../../shared/model/preset-forms.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import type { Runtimes } from './runtimes.ts';
import { loadInstallation, type InstallationPaths } from '../installation/installation.ts';
import type { RunSecrets } from '../run/context.ts';
import { makePlan } from '../plan/plan.ts';
import { updateNotice } from '../plan/plan-notices.ts';
import { type PresetStore, requireAnswers } from '../presets/preset-store.ts';
import { checkPreset, parsePreset } from '../presets/preset-file.ts';
import { repeatedPreset, repeatPlan } from '../plan/repeat-plan.ts';
import { requireSameBench } from '../run/same-bench.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { PATH_KINDS, STORAGE_KINDS } from '../../shared/model/names.ts';
import { workloadSchema, type Workload } from '../../shared/model/workload.ts';
import type { WizardSupport } from '../../shared/contract/requests/presets.ts';
import { CONTAINER_PATHS, mismatch } from '../../shared/model/cells.ts';
import { sysbenchCan } from '../load/sysbench/arguments.ts';
import { findPlanFacts } from '../plan/plan-facts.ts';
import { unsupportedReason } from '../target/support.ts';

type PlanRequests = 'plan:make' | 'plan:repeat' | 'plan:continue' | 'wizard:support' | 'wizard:plan';

/** A plan of this session, and what running it takes. */
interface PlanToRun {
  plan: Plan;
  runtime: ContainerRuntime;
  secrets: RunSecrets;
  /** The run that it goes on with. */
  continues?: string;
}

interface PlanContext {
  runtimes: Runtimes;
  presets: PresetStore;
  /** A run as windows show it. */
  view(runId: string): Promise<RunView>;
  /** A run that ended early and may go on. Rejects when it may not. */
  continuable(runId: string): Promise<RunState>;
}

/** The window shows one plan at a time. */
const MOST_PLANS = 20;

/** The last plans that were made in this session: a run starts from one of them, by its id. */
export class Plans {
  readonly #paths: InstallationPaths;
  readonly #context: PlanContext;
  readonly #made = new Map<string, PlanToRun>();

  constructor(paths: InstallationPaths, context: PlanContext) {
    this.#paths = paths;
    this.#context = context;
  }

  get(id: string): PlanToRun {
    const made = this.#made.get(id);
    if (made !== undefined) return made;
    throw new BenchmarkError('USAGE', {
      problem: 'This plan is no longer known.',
      fix: 'Make a new plan.',
    });
  }

  forget(id: string): void {
    this.#made.delete(id);
  }

  readonly handlers: Pick<Core, PlanRequests> = {
    'plan:make': async (asked) => {
      const { presetId, presetText } = asked;
      const found =
        presetText === undefined
          ? await this.#context.presets.find(presetId)
          : parsePreset(presetText, presetId);
      return this.#keep(await this.#planOf(withChoices(found, asked), asked));
    },
    'wizard:support': async (asked) =>
      wizardSupport(await this.#context.runtimes.inUse(asked.runtimeId), asked),
    'wizard:plan': async ({ text, runtimeId, consents }) => {
      const preset = parsePreset(text, 'preset');
      return (await this.#planOf(preset, { mode: 'full', runtimeId, consents })).plan;
    },
    'plan:repeat': async ({ runId, runtimeId, consents }) => {
      const stored = (await this.#context.view(runId)).plan;
      const runtime = await this.#context.runtimes.inUse(runtimeId);
      const { preset, leftOut } = await repeatedPreset(stored, runtime);
      const dsn = await this.#dsnOf(stored);
      const plan = await repeatPlan(
        stored,
        { preset: dsn === undefined ? preset : { ...preset, server: { ...preset.server, dsn } }, leftOut },
        { runtime, asksExternal: agreedToLoad(consents), ...(await this.#forPlans()) },
      );
      return this.#keep({ plan, runtime, secrets: { dsn } });
    },
    'plan:continue': async ({ runId, runtimeId }) => {
      const state = await this.#context.continuable(runId);
      const runtime = await this.#context.runtimes.inUse(runtimeId);
      const secrets = { dsn: await this.#dsnOf(state.plan) };
      await requireSameBench(state, {
        runtime,
        appVersion: this.#paths.appVersion,
        secrets,
        asksExternal: false,
      });
      const update = updateNotice(state, runtime.passport);
      // The first sitting may have been planned in this very session, and be started anew.
      const plan = {
        ...state.plan,
        id: randomUUID(),
        toPrepare: stillToPrepare(state.plan),
        notices: [...state.plan.notices, ...(update === undefined ? [] : [update])],
      };
      const left = whatIsLeft(asContinued(state, runtime.passport));
      return { plan: this.#keep({ plan, runtime, secrets, continues: runId }), left };
    },
  };

  #keep(made: PlanToRun): Plan {
    this.#made.set(made.plan.id, made);
    const [oldest] = this.#made.keys();
    if (this.#made.size > MOST_PLANS && oldest !== undefined) this.#made.delete(oldest);
    return made.plan;
  }

  async #planOf(
    preset: Preset,
    {
      mode,
      image,
      runtimeId,
      consents,
    }: Pick<Params<'plan:make'>, 'mode' | 'image' | 'runtimeId' | 'consents'>,
  ): Promise<PlanToRun> {
    const runtime = await this.#context.runtimes.inUse(runtimeId);
    requireAnswers(preset);
    const plan = await makePlan({
      preset: image === undefined ? preset : { ...preset, server: { ...preset.server, image } },
      mode,
      runtime,
      imageNamedByUser: image !== undefined,
      asksExternal: agreedToLoad(consents),
      dataDir: this.#paths.dataDir,
      ...(await this.#forPlans()),
    });
    return { plan, runtime, secrets: { dsn: preset.server.dsn } };
  }

  /** A plan never holds the address of the user's own server; his preset of the same id may. */
  async #dsnOf({ preset }: Plan): Promise<string | undefined> {
    return (await this.#context.presets.find(preset.id).catch(() => undefined))?.server.dsn;
  }

  async #forPlans() {
    const { clientImageFiles } = await loadInstallation(this.#paths);
    return { clientImageFiles, referenceDir: join(this.#paths.assetsDir, 'reference') };
  }
}

/** Without this word no address that a preset names is connected to. */
function agreedToLoad(consents: readonly Consent[] = []): boolean {
  return consents.includes('external');
}

/** What had to be fetched when the run began is here by now, unless it ended before. */
function stillToPrepare({ toPrepare, setups }: Plan): Plan['toPrepare'] {
  const missing = new Set(setups.flatMap(({ image }) => (image.imageId === null ? [image.used] : [])));
  return toPrepare.filter(({ reference }) => missing.has(reference));
}

/** The preset with what the plan screen changes of it. Rejects with PRESET_INVALID where the choices contradict it. */
function withChoices(
  preset: Preset,
  { untilSettledMinutes, rate, ramp }: Pick<Params<'plan:make'>, 'untilSettledMinutes' | 'rate' | 'ramp'>,
): Preset {
  const timed = untilSettledMinutes === undefined ? preset : untilSettled(preset, untilSettledMinutes);
  const graded = ramp === undefined ? timed : ramped(timed, ramp);
  return rate === undefined && ramp === undefined
    ? graded
    : checkPreset(rate === undefined ? graded : rated(graded, rate), preset.id);
}

/**
 * The support matrix for everything that the wizard offers, with what only looking can tell. An address of the user's
 * own is not tried: the plan does that.
 */
export async function wizardSupport(
  runtime: ContainerRuntime,
  { image, nativeBinary, driver, workload: kind, distribution }: Params<'wizard:support'>,
): Promise<WizardSupport> {
  const everything = presetSchema.parse({
    whalemark: 1,
    id: 'everything',
    name: 'Everything',
    question: 'What can this runtime do?',
    server: { image, ...(nativeBinary === undefined ? {} : { nativeBinary }) },
    grid: { storages: ['named-volume'], paths: CONTAINER_PATHS },
    scenarios: [{ storage: 'native', path: 'loopback' }],
    baseline: 'native.loopback',
    schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
  });
  const { support } = await findPlanFacts(everything, presetScenarios(everything), runtime);
  const cells = STORAGE_KINDS.flatMap((storage) => PATH_KINDS.map((path) => ({ storage, path })));
  const refused = cells
    .filter((cell) => mismatch(cell) === undefined)
    .flatMap(({ storage, path }) => {
      const needs = { storage: { kind: storage }, path, driver, clientNode: undefined };
      // What sysbench can't run at all is said once, and not of every combination.
      const reason = unsupportedReason(runtime.passport, { ...needs, workload: PLAIN }, support);
      return reason === undefined ? [] : [{ storage, path, reason }];
    });
  const workload = workloadSchema.parse(kind === 'tpcc' ? { kind } : { kind, distribution });
  return { refused, sysbench: sysbenchCan(workload) ?? null };
}

/** A load that every driver runs. */
const PLAIN: Workload = workloadSchema.parse({ kind: 'oltp_read_write' });
