import { readFile } from 'node:fs/promises';
import { reportAssets } from '../../../../scripts/build/report-assets.mjs';
import type { PngAssets } from '../../../../src/benchmark/report/png.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { demoOutcomes, makeState, sampleState, type ScenarioShape } from '../../builders.ts';

export const BASE = 'named-volume.published-port';
export const BIND = 'bind-mount.published-port';
const PATHS = ['published-port', 'user-bridge', 'host-network'] as const;

const TWO: ScenarioShape[] = [
  { storage: 'named-volume', path: 'published-port' },
  { storage: 'bind-mount', path: 'published-port' },
];
const TWELVE: ScenarioShape[] = (['named-volume', 'bind-mount', 'image-layer', 'tmpfs'] as const).flatMap(
  (storage) => PATHS.map((path) => ({ storage, path })),
);

/** Everything that a run can come to, the unlucky ends included. */
export const STATES: Record<string, () => RunState> = {
  'a good run': sampleState,
  'twelve scenarios': () => makeState({ scenarios: TWELVE, rounds: 3, noiseFloor: false }),
  'extreme ratios': () =>
    makeState({ scenarios: TWO, outcomes: demoOutcomes({ [BASE]: 1, [BIND]: 0.05, [`${BASE}~again`]: 1 }) }),
  'one round': () => makeState({ scenarios: TWO, rounds: 1, outcomes: { [BASE]: [800], [BIND]: [400] } }),
  'stopped early': () =>
    makeState({
      scenarios: TWO,
      outcomes: { [BASE]: [800, 810], [BIND]: [400], [`${BASE}~again`]: [801] },
      outcome: 'stopped',
    }),
  'no baseline': () =>
    makeState({ scenarios: TWO, rounds: 2, outcomes: { [BASE]: ['SERVER_EXITED', 'SERVER_EXITED'] } }),
  'nothing measured': () =>
    makeState({
      scenarios: TWO,
      rounds: 2,
      outcomes: { [BASE]: ['LOAD_FAILED'], [BIND]: [], [`${BASE}~again`]: [] },
      outcome: 'failed',
    }),
  'no transactions': () =>
    makeState({ scenarios: TWO, rounds: 2, outcomes: { [BASE]: [800, 800], [BIND]: [0, 0] } }),
  'still going on': () =>
    makeState({
      scenarios: TWO,
      rounds: 2,
      outcomes: { [BASE]: [800], [BIND]: [], [`${BASE}~again`]: [] },
      outcome: null,
    }),
};

/** The assets that the build would have copied. */
export async function pngAssets(): Promise<PngAssets> {
  const files = await Promise.all(
    reportAssets().map(async ({ from, to }) => ({ to, bytes: await readFile(from) })),
  );
  const wasm = files.find(({ to }) => to === 'resvg.wasm')?.bytes;
  if (wasm === undefined) throw new Error('no resvg.wasm among the report assets');
  return { wasm, fonts: files.filter(({ to }) => to.endsWith('.ttf')).map(({ bytes }) => bytes) };
}
