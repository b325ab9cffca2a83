import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtIn, builtInPresets } from '../../built-in-presets.ts';
import { loadReference, planReference } from '../../../../src/benchmark/plan/reference.ts';
import { presetScenarios, type Preset } from '../../../../src/shared/model/preset.ts';

const DIRECTORY = 'assets/reference';

async function published(id: string) {
  const preset = await builtIn(id);
  const ids = presetScenarios(preset).map((scenario) => scenario.id);
  const reference = await planReference(preset, ids, DIRECTORY);
  if (reference === null) throw new Error(`${id} has no reference`);
  return (scenarioId: string) => reference.cells.find((cell) => cell.scenarioId === scenarioId);
}

describe('published experiments', () => {
  it('are whole: every baseline is a cell, and every file is named like its id', async () => {
    const files = await readdir(DIRECTORY);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) {
      const { cells } = await loadReference(basename(file, '.json'), DIRECTORY);
      const ids = cells.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { baseline } of cells) expect(ids).toContain(baseline);
    }
  });

  it('belong to the built-in presets, whose cells all exist; no cell is left over', async () => {
    const used = new Map<string, Set<string>>();
    for (const preset of await builtInPresets()) {
      const ids = presetScenarios(preset).map(({ id }) => id);
      const reference = await planReference(preset, ids, DIRECTORY);
      if (preset.reference === undefined || reference === null) continue;
      expect(reference.cells.map(({ scenarioId }) => scenarioId)).toEqual(
        Object.keys(preset.reference.cells),
      );
      const cells = used.get(preset.reference.id) ?? new Set();
      used.set(preset.reference.id, cells);
      for (const cell of Object.values(preset.reference.cells)) cells.add(cell);
    }
    for (const file of await readdir(DIRECTORY)) {
      const { id, cells } = await loadReference(basename(file, '.json'), DIRECTORY);
      expect([...(used.get(id) ?? [])].sort()).toEqual(cells.map((cell) => cell.id).sort());
    }
  });

  it.each([
    ['oracle-2016-storage', 'native.loopback.io-bound', 847, 1],
    ['oracle-2016-storage', 'named-volume.published-port.io-bound', 868, 868 / 847],
    ['oracle-2016-storage', 'native.loopback.in-memory', 12686, 1],
    ['oracle-2016-storage', 'named-volume.host-network.in-memory', 12201, 12201 / 12686],
    ['oracle-2016-storage', 'data-container.published-port.in-memory', 11662, 11662 / 12686],
    ['percona-2016-network-paths', 'named-volume.published-port.node', 2200, 2200 / 7100],
    ['percona-2016-network-paths', 'named-volume.published-port.sysbench', 2200, 2200 / 7100],
    ['percona-2016-network-paths', 'named-volume.user-bridge.node', 6300, 6300 / 7100],
    ['percona-2016-network-paths', 'named-volume.shared-netns.sysbench', 7100, 1],
    ['nfs-vs-local', 'default-pool.nfs.published-port', 115.29, 115.29 / 181.45],
    ['nfs-vs-local', 'large-pool.nfs.published-port', 252.27, 252.27 / 181.45],
    ['overlay-network', 'named-volume.overlay.other-node', 197.36, 197.36 / 252.27],
    ['smash-mysql-docker-for-mac', 'bind-mount.published-port', 433.04, 433.04 / 347.81],
  ])('%s: %s is %d TPS as printed', async (preset, scenario, tps, ratio) => {
    const cell = (await published(preset))(scenario);
    expect(cell?.tps).toBe(tps);
    expect(cell?.ratio).toBeCloseTo(ratio, 10);
  });

  it('give only the scenarios that run', async () => {
    const preset = await builtIn('smash-mysql-docker-for-mac');
    const reference = await planReference(preset, ['bind-mount.published-port'], DIRECTORY);
    expect(reference?.cells.map(({ scenarioId }) => scenarioId)).toEqual(['bind-mount.published-port']);
    expect(reference?.source).toContain('Smash MySQL');
    expect(await planReference(await builtIn('compare-my-setup'), [], DIRECTORY)).toBeNull();
  });

  it.each<[string, NonNullable<Preset['reference']>, RegExp]>([
    ['experiment', { id: 'nowhere', cells: {} }, /^reference\.id: .*“nowhere”/],
    [
      'cell',
      { id: 'percona-2016-network-paths', cells: { 'a.b': 'bare' } },
      /^reference\.cells\.a\.b: .*“bare”; known: bare-metal/,
    ],
  ])('refuse a %s that is not there, and name the field', async (_, reference, evidence) => {
    await expect(planReference({ id: 'mine', reference }, [], DIRECTORY)).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [expect.stringMatching(evidence)],
    });
  });
});
