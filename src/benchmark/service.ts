import { join } from 'node:path';
import type { Consent, Plan } from '../shared/model/plan.ts';
import type { Preset } from '../shared/model/preset.ts';
import type { RunState } from '../shared/model/run-state.ts';
import type { Setup } from '../shared/model/setup.ts';
import type { ExportFormat } from '../shared/model/sharing.ts';
import { presetOfSetup } from '../shared/setup/setup-preset.ts';
import { loadInstallation, withSettings, type InstallationPaths } from './installation/installation.ts';
import { makePlan, type PlanRequest } from './plan/plan.ts';
import { isTooLarge, suggestingQuick } from './plan/plan-fits.ts';
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

/** The fewest that give an interval. */
const QUICK_ROUNDS = 3;

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
  ): Promise<PlanToRun> {
    const preset = withOverrides(found, overrides);
    requireAnswers(preset);
    const runtime = await findRuntime();
    const request: Omit<PlanRequest, 'mode'> = {
      preset,
      quickRounds:
        overrides.quick === true && found.quick === undefined
          ? (overrides.rounds ?? QUICK_ROUNDS)
          : undefined,
      runtime,
      imageNamedByUser: overrides.image !== undefined,
      asksExternal: consents.includes('external') || (overrides.dsn ?? overrides.dsnIfExternal) !== undefined,
      ...(await this.planContext()),
    };
    const plan = await makePlan({ ...request, mode: overrides.quick === true ? 'quick' : 'full' }).catch(
      async (error: unknown) => {
        if (!isTooLarge(error) || overrides.quick === true || found.quick === undefined) throw error;
        const quick = withOverrides(found, { ...overrides, quick: true });
        const fits = await makePlan({ ...request, preset: quick, mode: 'quick' }).then(
          () => true,
          () => false,
        );
        throw fits ? suggestingQuick(error) : error;
      },
    );
    return { plan, runtime, secrets: { dsn: preset.server.dsn } };
  }

  /** Stub: the merge takes the real one. */
  async planSetup(
    setup: Setup,
    service: string,
    overrides: PlanOverrides,
    consents: readonly Consent[],
    findRuntime: () => Promise<ContainerRuntime>,
  ): Promise<PlanToRun> {
    const made = await this.plan(presetOfSetup(setup, service), overrides, consents, findRuntime);
    return { ...made, plan: { ...made.plan, setup: { source: setup.source, service } } };
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
