import { readFile, writeFile } from 'node:fs/promises';
import { it } from 'vitest';
import { reportAssets } from '../../../../scripts/build/report-assets.mjs';
import { renderPng } from '../../../../src/benchmark/report/png.ts';
import { shareCard } from '../../../../src/benchmark/report/share-card.ts';
import { analyse } from '../../../../src/shared/analyse.ts';
import { demoOutcomes, makeState, sampleState, type ScenarioShape, type StateShape } from '../../builders.ts';

const P = ['published-port', 'user-bridge', 'host-network'] as const;
const grid = (s: readonly ('named-volume' | 'bind-mount' | 'image-layer' | 'tmpfs')[]): ScenarioShape[] => s.flatMap((storage) => P.map((path) => ({ storage, path })));
const B = 'named-volume.published-port';
const cases: Record<string, StateShape | null> = {
  sample: null,
  three: { scenarios: [{ storage: 'named-volume', path: 'published-port' }, { storage: 'bind-mount', path: 'published-port' }, { storage: 'tmpfs', path: 'published-port' }], outcomes: demoOutcomes({ [B]: 1, 'bind-mount.published-port': 0.05, 'tmpfs.published-port': 1.01, [`${B}~again`]: 1 }), runtime: { kind: 'docker-desktop', name: 'Docker Desktop 4.67.0', vm: true, memoryBytes: 7.654 * 2 ** 30 } },
  twelve: { scenarios: grid(['named-volume', 'bind-mount', 'image-layer', 'tmpfs']), outcomes: { ...demoOutcomes({ [B]: 1, [`${B}~again`]: 0.8, 'named-volume.user-bridge': 1.06, 'named-volume.host-network': 1.19, 'bind-mount.published-port': 0.4, 'bind-mount.user-bridge': 0.45, 'image-layer.published-port': 0.6, 'tmpfs.published-port': 2.4, 'tmpfs.user-bridge': 2.6, 'tmpfs.host-network': 3.1 }), 'bind-mount.host-network': Array(5).fill('PATH_NO_TRAFFIC') as 'PATH_NO_TRAFFIC'[], 'image-layer.user-bridge': [300, 700, 200, 900, 500], 'image-layer.host-network': [] }, image: { used: 'registry.example.com/platform/database-team/mysql-server-hardened:8.0.42-2026-05-debian', version: '8.0.42-0ubuntu0.24.04.1', substituted: true }, notices: [{ code: 'IMAGE_SUBSTITUTED', message: 'x' }], outcome: 'stopped' },
  nobase: { scenarios: grid(['named-volume', 'bind-mount']).slice(0, 4), outcomes: { [B]: Array(5).fill('SERVER_EXITED') as 'SERVER_EXITED'[], [`${B}~again`]: [] } },
  nothing: { scenarios: grid(['named-volume']), outcomes: { [B]: [], 'named-volume.user-bridge': [], 'named-volume.host-network': ['LOAD_FAILED'], [`${B}~again`]: [] }, outcome: 'failed' },
  tworounds: { rounds: 2, scenarios: [{ storage: 'named-volume', path: 'published-port' }, { storage: 'bind-mount', path: 'published-port', name: 'A scenario with an extraordinarily long name that somebody wrote into a preset of their own, <b>& more</b>' }, { storage: 'tmpfs', path: 'published-port' }], outcomes: { [B]: [800, 700], 'bind-mount.published-port': [400, 600], 'tmpfs.published-port': [3, 4] } },
};
it('draws', async () => {
  const assets = Object.fromEntries(await Promise.all(reportAssets().map(async ({ from, to }) => [to, await readFile(from)] as const)));
  const png = { wasm: assets['resvg.wasm']!, fonts: [assets['Inter-Regular.ttf']!, assets['Inter-SemiBold.ttf']!, assets['Inter-Bold.ttf']!] };
  for (const [name, shape] of Object.entries(cases)) {
    const state = shape === null ? sampleState() : makeState(shape);
    const svg = shareCard(state, analyse(state));
    await writeFile(`/tmp/cards/${name}.svg`, svg);
    const started = Date.now();
    await writeFile(`/tmp/cards/${name}.png`, await renderPng(svg, png));
    process.stdout.write(`${name} ${Date.now() - started} ms\n`);
  }
});
