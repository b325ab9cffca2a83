import type { Core } from '../../shared/contract/ipc.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { Preset } from '../../shared/model/preset.ts';
import { ownStartOf } from '../../shared/model/task.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { firstStorage, withLevels } from '../../shared/preset/task-preset.ts';
import { wizardSupport } from '../plan/wizard-support.ts';
import type { PlanOverrides } from '../presets/plan-overrides.ts';
import { readPreset } from '../presets/preset-file.ts';
import type { Timed } from '../context/own-task.ts';
import type { PlanToRun, Whalemark } from '../service.ts';
import type { Runtimes } from './runtimes.ts';
import type { Databases } from './databases.ts';
import type { OwnTasks } from './own-tasks.ts';

interface PlanContext {
  runtimes: Pick<Runtimes, 'finder'>;
  databases: Pick<Databases, 'get' | 'readAgain'>;
  ownTasks: Pick<OwnTasks, 'get'>;
  runs: Record<'load' | 'continuable', (runId: string) => Promise<RunState>>;
  isFromFile(runId: string): Promise<boolean>;
}

const MOST_PLANS = 20;
const START: Timed = { task: { kind: 'ready' } };

export class Plans {
  readonly #plans = new Map<string, PlanToRun>();

  constructor(
    private readonly whalemark: Whalemark,
    private readonly context: PlanContext,
  ) {}

  get(id: string): PlanToRun {
    const planToRun = this.#plans.get(id);
    if (planToRun !== undefined) return planToRun;
    throw new BenchmarkError('USAGE', {
      problem: 'This plan is no longer known.',
      fix: 'Make a new plan.',
    });
  }

  forget(id: string): void {
    this.#plans.delete(id);
  }

  readonly handlers = {
    'plan:make': async ({
      presetId,
      presetText,
      database,
      ownTask,
      mode,
      untilConclusiveMinutes,
      image,
      comparedImage,
      runtimeId,
    }) => {
      const overrides: PlanOverrides = {
        small: mode === 'small',
        untilConclusive: untilConclusiveMinutes,
        image,
      };
      if (database !== undefined) {
        const engines = this.context.runtimes.finder(runtimeId);
        const read = this.context.databases.get(database.key);
        const timed: Timed = database.isStart === true ? START : {};
        const { service } = database;
        return this.#keep(await this.whalemark.planDatabase(read, service, overrides, engines, { timed }));
      }
      if (ownTask !== undefined) {
        const timed = this.context.ownTasks.get(ownTask);
        const own = await this.whalemark.presetOfTask(timed.task.kind);
        return this.#keep(await this.#planOf(own, overrides, runtimeId, { ...timed, comparedImage }));
      }
      const preset =
        presetText === undefined
          ? await this.whalemark.presets.find(presetId)
          : await readPreset(presetText, presetId);
      return this.#keep(await this.#planOf(preset, overrides, runtimeId, { comparedImage }));
    },
    'wizard:support': async (params) =>
      wizardSupport(
        await this.context.runtimes.finder(params.runtimeId)(undefined, params.clientEngine),
        params,
      ),
    'wizard:plan': async ({ text, runtimeId }) => {
      return (await this.#planOf(await readPreset(text, 'preset'), {}, runtimeId)).plan;
    },
    'plan:repeat': async ({ runId, together, runtimeId }) => {
      const { plan } = await this.context.runs.load(runId);
      const isFromFile = await this.context.isFromFile(runId);
      const engines = this.context.runtimes.finder(runtimeId);
      const isStart = ownStartOf(plan) !== undefined;
      if (together !== undefined || isStart) {
        if (isFromFile || plan.database === null) throw new BenchmarkError('DATABASE_ELSEWHERE');
        const { source, service } = plan.database;
        const read = await this.context.databases.readAgain(source);
        const timed: Timed = isStart ? START : {};
        return this.#keep(await this.whalemark.planDatabase(read, service, {}, engines, { together, timed }));
      }
      return this.#keep(await this.whalemark.planAgain(plan, isFromFile, engines));
    },
    'plan:continue': async ({ runId, runtimeId }) => {
      const state = await this.context.runs.continuable(runId);
      const engines = this.context.runtimes.finder(runtimeId);
      const { left, ...planToRun } = await this.whalemark.planRest(state, engines);
      return { plan: this.#keep(planToRun), left };
    },
  } satisfies Partial<Core>;

  #keep(planToRun: PlanToRun): Plan {
    this.#plans.set(planToRun.plan.id, planToRun);
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > MOST_PLANS && oldest !== undefined) this.#plans.delete(oldest);
    return planToRun.plan;
  }

  #planOf(
    preset: Preset,
    overrides: PlanOverrides,
    runtimeId: string | undefined,
    { comparedImage, ...timed }: Timed & { comparedImage?: string | undefined } = {},
  ): Promise<PlanToRun> {
    const engines = this.context.runtimes.finder(runtimeId);
    const { image, ...others } = overrides;
    if (image === undefined || comparedImage === undefined)
      return this.whalemark.plan(preset, overrides, engines, timed);
    const compared = withLevels(preset, { storages: firstStorage(preset) });
    const comparedImages = [image, comparedImage];
    return this.whalemark.plan(compared, others, engines, { ...timed, comparedImages });
  }
}
