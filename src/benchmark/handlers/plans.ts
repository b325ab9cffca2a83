import { randomUUID } from 'node:crypto';
import { asContinued, whatIsLeft, withLaterRounds } from '../../shared/run/continuing.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Core, Params } from '../../shared/contract/ipc.ts';
import { excludedScenarioSchema, type Plan } from '../../shared/model/plan.ts';
import { type Preset, presetScenarios, presetSchema } from '../../shared/model/preset.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import type { Runtimes } from './runtimes.ts';
import type { Setups } from './setups.ts';
import { updateNotice } from '../plan/plan-notices.ts';
import type { PlanOverrides } from '../presets/plan-overrides.ts';
import type { PlanToRun, Whalemark } from '../service.ts';
import { readPreset } from '../presets/preset-file.ts';
import { requireSameBench } from '../run/same-bench.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { PATH_KINDS, STORAGE_KINDS } from '../../shared/model/names.ts';
import { workloadSchema, type Workload } from '../../shared/model/workload.ts';
import type { WizardSupport } from '../../shared/contract/requests/presets.ts';
import { CONTAINER_PATHS, mismatch } from '../../shared/model/cells.ts';
import { sysbenchRefusal } from '../../shared/preset/sysbench.ts';
import { findPlanFacts } from '../plan/plan-facts.ts';
import { unsupportedReason } from '../target/support.ts';
import { existsSync } from 'node:fs';
import { msg } from '../../shared/message.ts';
import { presetOfPlan, type RepeatedPreset } from '../../shared/preset/preset-of-plan.ts';
import { makePlan, type PlanRequest } from '../plan/plan.ts';
import { estimatePlan } from '../plan/plan-schedule.ts';

type PlanRequests = 'plan:make' | 'plan:repeat' | 'plan:continue' | 'wizard:support' | 'wizard:plan';

interface PlanContext {
  runtimes: Pick<Runtimes, 'inUse'>;
  setups: Pick<Setups, 'get'>;
  /** Whether the run comes from a result file. */
  isFromFile(runId: string): Promise<boolean>;
  view(runId: string): Promise<RunView>;
  continuable(runId: string): Promise<RunState>;
}

const MOST_PLANS = 20;

/** The session's last plans; a run starts from one by id. */
export class Plans {
  readonly #whalemark: Whalemark;
  readonly #context: PlanContext;
  readonly #made = new Map<string, PlanToRun>();

  constructor(whalemark: Whalemark, context: PlanContext) {
    this.#whalemark = whalemark;
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
    'plan:make': async ({
      presetId,
      presetText,
      setup,
      mode,
      untilConclusiveMinutes,
      sweep,
      rate,
      image,
      ...asked
    }) => {
      const overrides: PlanOverrides = {
        quick: mode === 'quick',
        small: mode === 'small',
        untilConclusive: untilConclusiveMinutes,
        connections: sweep,
        rate,
        image,
      };
      if (setup !== undefined) {
        const { runtimeId, consents = [] } = asked;
        const runtime = (): Promise<ContainerRuntime> => this.#context.runtimes.inUse(runtimeId);
        const read = this.#context.setups.get(setup.key);
        return this.#keep(await this.#whalemark.planSetup(read, setup.service, overrides, consents, runtime));
      }
      const preset =
        presetText === undefined
          ? await this.#whalemark.presets.find(presetId)
          : await readPreset(presetText, presetId);
      return this.#keep(await this.#planOf(preset, overrides, asked));
    },
    'wizard:support': async (asked) =>
      wizardSupport(await this.#context.runtimes.inUse(asked.runtimeId), asked),
    'wizard:plan': async ({ text, runtimeId, consents }) => {
      return (await this.#planOf(await readPreset(text, 'preset'), {}, { runtimeId, consents })).plan;
    },
    'plan:repeat': async ({ runId, runtimeId, consents }) => {
      const stored = (await this.#context.view(runId)).plan;
      const runtime = await this.#context.runtimes.inUse(runtimeId);
      // The files that a stranger's result names are never read.
      const setup = (await this.#context.isFromFile(runId)) ? null : stored.setup;
      // Goes with the last of Whalemark's folders in it.
      const itsFolder = setup === null ? null : stored.bindRoot;
      const { preset, leftOut } = await repeatedPreset(stored, runtime, itsFolder);
      const dsn = await this.#dsnOf(stored);
      const plan = await repeatPlan(
        stored,
        { preset: dsn === undefined ? preset : { ...preset, server: { ...preset.server, dsn } }, leftOut },
        {
          runtime,
          asksExternal: consents?.includes('external') === true,
          ...(await this.#whalemark.planContext()),
        },
      );
      const made = setup === null ? plan : ofSetup(plan, stored);
      return this.#keep({ plan: made, runtime, secrets: { dsn } });
    },
    'plan:continue': async ({ runId, runtimeId }) => {
      const state = await this.#context.continuable(runId);
      const runtime = await this.#context.runtimes.inUse(runtimeId);
      const secrets = { dsn: await this.#dsnOf(state.plan) };
      await requireSameBench(state, {
        runtime,
        appVersion: this.#whalemark.paths.appVersion,
        secrets,
        asksExternal: false,
      });
      const update = updateNotice(state, runtime.passport);
      const whole = withLaterRounds(state.plan);
      const plan = {
        ...whole,
        estimate: estimatePlan(whole),
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

  #planOf(
    preset: Preset,
    overrides: PlanOverrides,
    { runtimeId, consents = [] }: Pick<Params<'plan:make'>, 'runtimeId' | 'consents'>,
  ): Promise<PlanToRun> {
    return this.#whalemark.plan(preset, overrides, consents, () => this.#context.runtimes.inUse(runtimeId));
  }

  /** Plans never contain the address; the user's preset of the same id may. */
  async #dsnOf({ preset }: Plan): Promise<string | undefined> {
    return (await this.#whalemark.presets.find(preset.id).catch(() => undefined))?.server.dsn;
  }
}

/** With what no preset asks the user to confirm: a folder next to the setup's. */
function ofSetup(plan: Plan, { setup, consents }: Plan): Plan {
  const asked = plan.consents.map(({ consent }) => consent);
  return {
    ...plan,
    setup,
    consents: [...plan.consents, ...consents.filter(({ consent }) => !asked.includes(consent))],
  };
}

function stillToPrepare({ toPrepare, setups }: Plan): Plan['toPrepare'] {
  const missing = new Set(setups.flatMap(({ image }) => (image.imageId === null ? [image.used] : [])));
  return toPrepare.filter(({ reference }) => missing.has(reference));
}

export async function wizardSupport(
  runtime: ContainerRuntime,
  { image, nativeBinary, loadGenerator, workload: kind, distribution }: Params<'wizard:support'>,
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
      const needs = { storage: { kind: storage }, path, loadGenerator, clientNode: undefined };
      const reason = unsupportedReason(runtime.passport, { ...needs, workload: PLAIN }, support);
      return reason === undefined ? [] : [{ storage, path, reason }];
    });
  const workload = workloadSchema.parse(kind === 'tpcc' ? { kind } : { kind, distribution });
  return { refused, sysbench: sysbenchRefusal(workload) ?? null };
}

const PLAIN: Workload = workloadSchema.parse({ kind: 'oltp_read_write' });

/**
 * The preset of a finished run for this engine: with the same image if present, otherwise the requested one; without
 * folders and programs that are missing here; `madeAgain` is a folder that may be.
 */
export async function repeatedPreset(
  plan: Plan,
  runtime: ContainerRuntime,
  madeAgain: string | null = null,
): Promise<RepeatedPreset> {
  const here = new Set<string>();
  for (const { image } of plan.setups) {
    if (image.substituted && (await runtime.images.inspect(image.used)) !== undefined) here.add(image.used);
  }
  const { later } = plan;
  // Of a quick look, what it is the beginning of.
  const whole =
    later === null
      ? plan
      : { ...plan, ...later, schedule: { ...later.schedule, rounds: later.rounds.length } };
  const repeated = presetOfPlan(whole, {
    imageOf: ({ requested, used }) => (here.has(used) ? used : requested),
    hasPath: (path) => path === madeAgain || existsSync(path),
  });
  if (repeated === undefined) throw new BenchmarkError('RESULT_NOT_REPEATABLE', { name: plan.preset.name });
  return repeated;
}

export async function repeatPlan(
  stored: Plan,
  { preset, leftOut }: { preset: Preset; leftOut: RepeatedPreset['leftOut'] },
  request: Omit<PlanRequest, 'preset' | 'mode' | 'imageNamedByUser'>,
): Promise<Plan> {
  const plan = await makePlan({
    ...request,
    preset,
    mode: stored.mode,
    quickRounds: stored.later === null ? undefined : stored.rounds.length,
    imageNamedByUser: false,
  });
  const ids = new Set((plan.later ?? plan).scenarios.map(({ id }) => id));
  const { reference } = stored;
  return {
    ...plan,
    excluded: [
      ...plan.excluded,
      ...leftOut.map((scenario) =>
        excludedScenarioSchema.parse({
          ...scenario,
          reason: msg('plan.takenOut'),
        }),
      ),
    ],
    reference:
      reference === null
        ? null
        : { ...reference, cells: reference.cells.filter(({ scenarioId }) => ids.has(scenarioId)) },
  };
}
