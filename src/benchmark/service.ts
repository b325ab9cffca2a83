import { join } from 'node:path';
import type { Consent, Plan } from '../shared/model/plan.ts';
import type { Preset } from '../shared/model/preset.ts';
import type { RunState } from '../shared/model/run-state.ts';
import type { Setup } from '../shared/model/setup.ts';
import type { ExportFormat } from '../shared/model/sharing.ts';
import { serviceOf } from '../shared/project/setup-preset.ts';
import { loadInstallation, withSettings, type InstallationPaths } from './installation/installation.ts';
import { FEW_ROUNDS } from '../shared/preset/small-form.ts';
import { makePlan, type PlanRequest } from './plan/plan.ts';
import { prepareSetup } from './plan/plan-of-setup.ts';
import { type PlanOverrides, withOverrides } from './presets/plan-overrides.ts';
import { PresetStore, requireAnswers } from './presets/preset-store.ts';
import { renderExport, type ExportOptions } from './report/export.ts';
import { loadPngAssets } from './report/png.ts';
import type { RunSecrets } from './run/context.ts';
import {
  continueSession,
  startSession,
  type OnEvent,
  type RunSession,
  type SessionOptions,
} from './run/session.ts';
import { RunStore } from './runs/run-store.ts';
import type { ContainerRuntime } from './runtime/container-runtime.ts';

export interface PlanToRun {
  plan: Plan;
  runtime: ContainerRuntime;
  secrets: RunSecrets;
  continues?: string;
}

/** All that Whalemark does, from a preset to a file to share; terminal and app are adapters. */
export class Whalemark {
  readonly paths: InstallationPaths;
  readonly presets: PresetStore;
  readonly runs: RunStore;

  constructor(paths: InstallationPaths) {
    this.paths = paths;
    this.presets = new PresetStore(paths.presetsDir, paths.dataDir);
    this.runs = new RunStore(paths.dataDir);
  }

  async plan(
    found: Preset,
    overrides: PlanOverrides,
    consents: readonly Consent[],
    findRuntime: () => Promise<ContainerRuntime>,
    { imageNamedByUser = overrides.image !== undefined }: { imageNamedByUser?: boolean } = {},
  ): Promise<PlanToRun> {
    const preset = withOverrides(found, overrides);
    requireAnswers(preset);
    const runtime = await findRuntime();
    const { quick, small, rounds = FEW_ROUNDS } = overrides;
    const plan = await makePlan({
      preset,
      mode: quick === true ? 'quick' : small === true ? 'small' : 'full',
      quickRounds: quick === true ? rounds : undefined,
      runtime,
      imageNamedByUser,
      asksExternal: consents.includes('external') || (overrides.dsn ?? overrides.dsnIfExternal) !== undefined,
      ...(await this.planContext()),
    });
    return { plan, runtime, secrets: { dsn: preset.server.dsn } };
  }

  /** Of one service of a user's setup. Rejects like `plan`, and with SETUP_REFUSED. */
  async planSetup(
    setup: Setup,
    service: string,
    overrides: PlanOverrides,
    consents: readonly Consent[],
    findRuntime: () => Promise<ContainerRuntime>,
  ): Promise<PlanToRun> {
    // What can't be measured is refused before an engine is looked for.
    serviceOf(setup, service);
    const runtime = await findRuntime();
    const { preset, complete } = await prepareSetup(setup, service, runtime, this.paths.dataDir);
    const found = (): Promise<ContainerRuntime> => Promise.resolve(runtime);
    const made = await this.plan(preset, overrides, consents, found, { imageNamedByUser: true });
    return { ...made, plan: complete(made.plan) };
  }

  async start(
    { plan, runtime, secrets, continues }: PlanToRun,
    onEvent: OnEvent,
    { keepDatasets = true, ...options }: SessionOptions & { keepDatasets?: boolean },
  ): Promise<RunSession> {
    const installation = await loadInstallation(withSettings(this.paths, { keepDatasets }));
    const how = { ...options, secrets };
    return continues === undefined
      ? startSession(plan, runtime, installation, onEvent, how)
      : continueSession(continues, runtime, installation, onEvent, how);
  }

  /** Analyzes and renders a run without private details. */
  export(format: ExportFormat, state: RunState, options?: ExportOptions): Promise<Uint8Array> {
    return renderExport(format, state, () => loadPngAssets(this.paths.assetsDir), options);
  }

  async planContext(): Promise<Pick<PlanRequest, 'clientImageFiles' | 'dataDir' | 'referenceDir'>> {
    const { dataDir, assetsDir } = this.paths;
    const { clientImageFiles } = await loadInstallation(this.paths);
    return { clientImageFiles, dataDir, referenceDir: join(assetsDir, 'reference') };
  }
}
