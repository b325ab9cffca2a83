import { join } from 'node:path';
import { DatasetCache } from '../../src/benchmark/servers/dataset/dataset-cache.ts';
import type { Engines } from '../../src/benchmark/runtime/container-runtime.ts';
import { makePlan } from '../../src/benchmark/plan/plan.ts';
import { PresetStore } from '../../src/benchmark/presets/preset-store.ts';
import { startSession } from '../../src/benchmark/run/session.ts';
import { analyze } from '../../src/shared/analysis/analyze.ts';
import type { Effect } from '../../src/shared/analysis/analysis.ts';
import type { RatioEstimate } from '../../src/shared/statistics/estimate.ts';
import { CONSENTS } from '../../src/shared/model/plan.ts';
import { type Preset, resolvedPreset } from '../../src/shared/model/preset.ts';
import type { RunState } from '../../src/shared/model/run-state.ts';
import { installation, realRuntime, temporaryHome } from '../../tests/integration/helpers/bench.ts';

export interface SessionOutcome {
  effects: Effect[];
  state: RunState;
  /** Seconds from Start to the first ratio; null: none. */
  firstLine: number | null;
  /** Seconds from Start to the end of the cleanup. */
  whole: number;
  /** Share of the time from the first server's start to the verdict in which slices are measured. */
  share: number;
  isConclusive: boolean;
}

/** Runs presets through the real session, with one data folder and dataset cache for all. */
export async function withSessions(
  work: (run: (preset: Preset) => Promise<SessionOutcome>) => Promise<void>,
): Promise<void> {
  const home = await temporaryHome();
  const directory = join(home.dataDir, 'datasets');
  const cache = new DatasetCache({ runtime: await realRuntime(), directory, appVersion: '0.0.0-bench' });
  try {
    await work((preset) => runOnce(preset, home.dataDir, directory));
  } finally {
    await cache.clear();
    await home.remove();
  }
}

async function runOnce(preset: Preset, dataDir: string, directory: string): Promise<SessionOutcome> {
  const installed = await installation(dataDir, directory);
  const engines: Engines['engines'] = [await realRuntime()];
  const plan = await makePlan({
    resolved: resolvedPreset(preset),
    mode: 'full',
    engines,
    imageNamedByUser: true,
    clientImageFiles: installed.clientImageFiles,
    referenceDir: 'assets/reference',
  });
  const began = Date.now();
  let measuring = 0;
  let firstLine: number | null = null;
  const session = await startSession(
    plan,
    { engines },
    installed,
    (event, state) => {
      if (event.type === 'step-started' && event.kind === 'start') measuring ||= event.at;
      if (firstLine !== null || !['first-look', 'slice-finished', 'trial-finished'].includes(event.type))
        return;
      if (analyze(state).effects.some(({ ratio }) => ratio !== null)) firstLine = (event.at - began) / 1000;
    },
    { consents: CONSENTS },
  );
  const { state } = await session.done;
  const { effects } = analyze(state);
  const ended = Math.max(...state.trials.map(({ finishedAt }) => finishedAt ?? 0));
  return {
    effects,
    state,
    firstLine,
    whole: (Date.now() - began) / 1000,
    share: slicesMs(state) / (ended - measuring),
    isConclusive: state.roundsEnded === 'conclusive',
  };
}

function slicesMs({ trials }: RunState): number {
  return trials.flatMap(({ slices }) => slices).reduce((sum, { durationMs }) => sum + durationMs, 0);
}

export async function builtInPreset(id: string, image?: string): Promise<Preset> {
  const home = await temporaryHome();
  const preset = await new PresetStore('presets', home.dataDir).open(id);
  await home.remove();
  return image === undefined ? preset : { ...preset, server: { ...preset.server, image } };
}

export function halfWidth(ratio: RatioEstimate | null): number | null {
  if (ratio === null || ratio.low === null || ratio.high === null) return null;
  return Math.sqrt(ratio.high / ratio.low) - 1;
}
