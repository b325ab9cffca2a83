import { join } from 'node:path';
import type { Plan } from '../shared/model/plan.ts';
import { type Preset, resolvedPreset } from '../shared/model/preset.ts';
import { usesOtherNode } from '../shared/kinds/paths.ts';
import type { WhatIsLeft } from '../shared/model/leftovers.ts';
import { whatIsLeft } from '../shared/run/continuing.ts';
import type { RunState } from '../shared/model/run-state.ts';
import type { TaskKind } from '../shared/model/task.ts';
import { planLikeTheirs } from './database/data-size.ts';
import type { Message } from '../shared/message.ts';
import type { Database, DatabaseChange } from '../shared/model/database.ts';
import type { ExportFormat } from '../shared/model/sharing.ts';
import { clientEngineOf } from '../shared/preset/preset-of-plan.ts';
import { PRESET_OF_TASK, presetOfTask, withImages } from '../shared/preset/task-preset.ts';
import { serviceOf } from '../shared/compose/database-preset.ts';
import { loadInstallation, withSettings, type InstallationPaths } from './installation/installation.ts';
import { makePlan, type PlanRequest } from './plan/plan.ts';
import { asItAnswers } from './database/as-it-answers.ts';
import { prepareDatabase } from './plan/plan-of-database.ts';
import { repeatPlan, restOfPlan } from './plan/repeat.ts';
import { type PlanOverrides, withOverrides } from './presets/plan-overrides.ts';
import { PresetStore, requireAnswers } from './presets/preset-store.ts';
import { renderExport, type ExportOptions } from './report/export.ts';
import { loadPngAssets } from './report/png.ts';
import type { OwnTask, Timed } from './context/own-task.ts';
import { requireSameBench } from './run/same-bench.ts';
import {
  continueSession,
  startSession,
  type OnEvent,
  type RunSession,
  type SessionOptions,
} from './run/session.ts';
import { RunStore } from './store/run-store.ts';
import type { Engines } from './runtime/container-runtime.ts';
import type { WantedEngines } from './runtime/engine/dockerode-runtime.ts';

export interface PlanToRun extends Engines {
  plan: Plan;
  own?: OwnTask | undefined;
  continues?: string;
}

/** `client` names an engine of another swarm node. */
export type FindEngines = (wanted?: WantedEngines, client?: string) => Promise<Engines>;

interface PlanDetails extends Timed {
  imageNamedByUser?: boolean;
  bindRoot?: string | null;
}

interface DatabaseDetails {
  timed?: Timed | undefined;
  together?: DatabaseChange | undefined;
  dataBytes?: number | undefined;
}

/** The terminal and the app are adapters. */
export class Whalemark {
  readonly presets: PresetStore;
  readonly runs: RunStore;

  constructor(readonly paths: InstallationPaths) {
    this.presets = new PresetStore(paths.presetsDir, paths.dataDir);
    this.runs = new RunStore(paths.dataDir);
  }

  async presetOfTask(kind: TaskKind): Promise<Preset> {
    return presetOfTask(await this.presets.open(PRESET_OF_TASK[kind]), kind);
  }

  async plan(
    found: Preset,
    overrides: PlanOverrides,
    findEngines: FindEngines,
    details: PlanDetails = {},
  ): Promise<PlanToRun> {
    const { task, own, bindRoot, comparedImages } = details;
    const comparesImages = comparedImages !== undefined;
    const { imageNamedByUser = comparesImages || overrides.image !== undefined } = details;
    const base = !comparesImages ? found : withImages(found, comparedImages);
    const resolved = resolvedPreset(withOverrides(base, overrides));
    requireAnswers(resolved);
    const { preset, scenarios } = resolved;
    const client = scenarios.some(({ path }) => usesOtherNode(path)) ? preset.clientEngine : undefined;
    const engines = await findEngines(preset.engines, client);
    const plan = await makePlan({
      resolved,
      mode: overrides.small === true ? 'small' : 'full',
      ...engines,
      imageNamedByUser,
      comparesImages,
      task,
      ...(bindRoot === undefined ? {} : { bindRoot }),
      enginesNamed: Array.isArray(found.engines) && overrides.engines === undefined,
      ...(await this.planContext()),
    });
    return { plan, ...engines, own };
  }

  /**
   * Without `dataBytes`, the plan has the database's amount. Rejects like `plan`, and with DATABASE_REFUSED.
   */
  async planDatabase(
    database: Database,
    service: string,
    overrides: PlanOverrides,
    findEngines: FindEngines,
    { timed = {}, together, dataBytes }: DatabaseDetails = {},
  ): Promise<PlanToRun> {
    // Refusals come before the search for an engine.
    const own = serviceOf(database, service);
    const inUse = await findEngines();
    const [runtime] = inUse.engines;
    const found: FindEngines = (wanted) =>
      wanted === undefined ? Promise.resolve(inUse) : findEngines(wanted);
    const isTimed = timed.task !== undefined;
    const answered = await asItAnswers(own, runtime);
    const planWith = async (bytes: number | null, reason: Message | null): Promise<PlanToRun> => {
      const {
        preset,
        bindRoot,
        complete,
        timed: asked,
      } = await prepareDatabase(database, answered, runtime, this.paths.dataDir, {
        ...{ timed, together },
        dataBytes: bytes ?? undefined,
        ...(overrides.image === undefined ? {} : { newestImage: null }),
      });
      const details = { imageNamedByUser: true, bindRoot, ...asked };
      const compared = { ...preset, scenarios: preset.scenarios.slice(0, 1) };
      const asItIs = asked.comparedImages === undefined ? preset : compared;
      const planned = await this.plan(asItIs, overrides, found, details);
      const plan = complete(planned.plan);
      // The user may have set another size.
      const isTheirs = bytes !== null && Math.abs(plan.estimate.dataBytes - bytes) < bytes / 100;
      const notices = reason !== null && isTheirs ? [{ code: 'DATABASE_SIZE', message: reason }] : [];
      return { ...planned, plan: { ...plan, notices: [...notices, ...plan.notices] } };
    };
    if (dataBytes !== undefined || isTimed) return planWith(dataBytes ?? null, null);
    return planLikeTheirs(own, runtime, planWith);
  }

  /** Rejects like `plan`, and with RESULT_NOT_REPEATABLE. */
  async planAgain(stored: Plan, isFromFile: boolean, findEngines: FindEngines): Promise<PlanToRun> {
    const engines = await findEngines(...enginesOf(stored));
    // Files that a stranger's result names are never read.
    const plan = await repeatPlan(isFromFile ? { ...stored, database: null } : stored, {
      ...engines,
      enginesNamed: isFromFile && stored.engines.length > 1,
      ...(await this.planContext()),
    });
    return { plan, ...engines };
  }

  /** Rejects like `plan`, and with RUN_NOT_RESUMABLE. */
  async planRest(state: RunState, findEngines: FindEngines): Promise<PlanToRun & { left: WhatIsLeft }> {
    const engines = await findEngines(...enginesOf(state.plan));
    const { appVersion } = this.paths;
    await requireSameBench(state, { ...engines, appVersion });
    return {
      plan: restOfPlan(state.plan),
      ...engines,
      continues: state.runId,
      left: whatIsLeft(state),
    };
  }

  async start(
    { plan, own, continues, ...engines }: PlanToRun,
    onEvent: OnEvent,
    { keepDatasets = true, ...options }: SessionOptions & { keepDatasets?: boolean },
  ): Promise<RunSession> {
    const installation = await loadInstallation(withSettings(this.paths, { keepDatasets }));
    const how = { ...options, own };
    return continues === undefined
      ? startSession(plan, engines, installation, onEvent, how)
      : continueSession(continues, engines, installation, onEvent, how);
  }

  export(format: ExportFormat, state: RunState, options?: ExportOptions): Promise<Uint8Array> {
    return renderExport(format, state, () => loadPngAssets(this.paths.assetsDir), options);
  }

  async planContext(): Promise<Pick<PlanRequest, 'clientImageFiles' | 'dataDir' | 'referenceDir'>> {
    const { dataDir, assetsDir } = this.paths;
    const { clientImageFiles } = await loadInstallation(this.paths);
    return { clientImageFiles, dataDir, referenceDir: join(assetsDir, 'reference') };
  }
}

export function enginesOf(plan: Plan): Parameters<FindEngines> {
  const { engines } = plan;
  const wanted = engines.length === 1 ? undefined : engines.map(({ runtimeId }) => runtimeId);
  return [wanted, clientEngineOf(plan)];
}
