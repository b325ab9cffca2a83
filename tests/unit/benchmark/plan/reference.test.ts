import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtIn, builtInPresets } from '../../built-in-presets.ts';
import { loadReference, planReference } from '../../../../src/benchmark/plan/reference.ts';
import {
  isNamed,
  presetScenarios,
  type Preset,
  type PresetScenario,
} from '../../../../src/shared/model/preset.ts';

const DIRECTORY = 'assets/reference';

/** The published cell next to each scenario of a preset, or next to those that `runs` keeps. */
async function published(id: string, runs: (scenario: PresetScenario) => boolean = () => true) {
  const preset = await builtIn(id);
  const reference = await planReference(preset, presetScenarios(preset).filter(runs), DIRECTORY);
  if (reference === null) throw new Error(`${id} has no reference`);
  return (scenarioId: string) => reference.cells.find((cell) => cell.scenarioId === scenarioId);
}

describe('published experiments', () => {
  it('are whole: every baseline is a cell, and every path is shown by words of the source', async () => {
    const files = await readdir(DIRECTORY);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) {
      const { paths, cells } = await loadReference(basename(file, '.json'), DIRECTORY);
      const ids = cells.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { baseline } of cells) expect(ids).toContain(baseline);
      expect(new Set(cells.map(({ path }) => path))).toEqual(new Set(paths.map(({ path }) => path)));
      expect(paths.flatMap((one) => one.quotes)).not.toEqual([]);
    }
  });

  it('belong to the built-in presets; no cell is left over', async () => {
    const used = new Map<string, Set<string>>();
    for (const { reference } of await builtInPresets()) {
      if (reference === undefined) continue;
      const cells = used.get(reference.id) ?? new Set();
      used.set(reference.id, cells);
      for (const cell of Object.values(reference.cells)) cells.add(cell);
    }
    for (const file of await readdir(DIRECTORY)) {
      const { id, cells } = await loadReference(basename(file, '.json'), DIRECTORY);
      expect([...(used.get(id) ?? [])].sort()).toEqual(cells.map((cell) => cell.id).sort());
    }
  });

  it('are next to scenarios over the path that they were measured over, if this can be planned', async () => {
    for (const preset of await builtInPresets()) {
      if (preset.reference === undefined) continue;
      const { cells } = await loadReference(preset.reference.id, DIRECTORY);
      const scenarios = presetScenarios(preset);
      const mapped = Object.entries(preset.reference.cells).flatMap(([scenarioId, cellId]) =>
        scenarios.filter((one) => isNamed(one, scenarioId)).map(({ path }) => ({ cellId, path })),
      );
      for (const { id, path } of cells) {
        const paths = mapped.filter(({ cellId }) => cellId === id).map((one) => one.path);
        // The mesh can't be entered on another node, so the overlay is the nearest path.
        const expected = id === 'nfs.pool-2048.overlay' ? 'overlay-other-node' : path;
        if (paths.length > 0)
          expect([preset.id, id, paths]).toEqual([preset.id, id, expect.arrayContaining([expected])]);
      }
    }
  });

  it.each([
    ['oracle-2016-storage', 'named-volume.container-ip.io-bound', 868, 868 / 847],
    ['oracle-2016-storage', 'native.loopback.in-memory', 12686, 1],
    ['oracle-2016-storage', 'data-container.container-ip.in-memory', 11662, 11662 / 12686],
    ['percona-2016-network-paths', 'named-volume.published-port.builtin', 2200, 2200 / 7100],
    ['percona-2016-network-paths', 'named-volume.shared-netns.sysbench', 7100, 1],
    ['nfs-vs-local', 'large-pool.nfs.ingress', 252.27, 252.27 / 181.45],
    ['overlay-network', 'named-volume.overlay-other-node', 197.36, 197.36 / 252.27],
    ['smash-mysql-docker-for-mac', 'bind-mount.user-bridge', 433.04, 433.04 / 347.81],
  ])('%s: %s is %d TPS as printed', async (preset, scenario, tps, ratio) => {
    const cell = (await published(preset))(scenario);
    expect(cell?.tps).toBe(tps);
    expect(cell?.ratio).toBeCloseTo(ratio, 10);
  });

  it.each([
    [
      'nfs-vs-local',
      'default-pool.nfs.ingress',
      { qps: 3289.66, meanMs: 86.72, p95Ms: 262.64, maxMs: 2303.8, ignoredErrorsPerSecond: 0.52 },
    ],
    [
      'smash-mysql-docker-for-mac',
      'bind-mount.user-bridge',
      {
        ...{ readWriteRequests: 8230.66, minMs: 3.29, meanMs: 36.94, p95Ms: 55.54, maxMs: 1097.63 },
        deadlocksPerMinute: 10.6,
      },
    ],
  ])('%s: %s has its other figures as printed', async (preset, scenario, figures) => {
    const cell = (await published(preset))(scenario);
    expect(Object.fromEntries(cell?.figures.map(({ measure, value }) => [measure, value]) ?? [])).toEqual(
      figures,
    );
  });

  it('have ratios of all figures to the experiment’s own baseline', async () => {
    const { figures = [] } = (await published('smash-mysql-docker-for-mac'))('bind-mount.user-bridge') ?? {};
    const ratioOf = (measure: string) => figures.find((one) => one.measure === measure)?.ratio;
    expect(ratioOf('maxMs')).toBeCloseTo(1097.63 / 467.57, 10);
    expect(ratioOf('deadlocksPerMinute')).toBeCloseTo(53 / 27, 10);
  });

  it('say only what their own numbers confirm', async () => {
    for (const file of await readdir(DIRECTORY)) {
      const { cells, claims } = await loadReference(basename(file, '.json'), DIRECTORY);
      const logOf = (id: string): number => Math.log(cells.find((one) => one.id === id)?.tps ?? NaN);
      expect(claims).not.toEqual([]);
      for (const { says, of, against, low, high } of claims) {
        const logs = of.map((id, index) => logOf(id) - logOf(against[index] ?? ''));
        const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
        expect(against).toHaveLength(of.length);
        expect([says.en, mean > Math.log(low ?? 0), mean < Math.log(high ?? Infinity)]).toEqual([
          says.en,
          true,
          true,
        ]);
        if (low === null || high === null) continue;
        // "Costs nothing" means Whalemark's margin; "costs 11%" means half to twice that cost.
        const isNothing = low < 1 && high > 1;
        if (isNothing) expect([1.05, 1.1]).toContain(high);
        const logRange = isNothing ? [-Math.log(high), Math.log(high)] : [mean / 2, 2 * mean];
        const range = logRange.map((log) => Math.round(100 * Math.exp(log)) / 100).sort();
        expect([says.en, low, high]).toEqual([says.en, ...range]);
      }
    }
  });

  it('are claims about the scenarios that run, each with its own load generator', async () => {
    const claimsOf = async (id: string, runs: (scenario: PresetScenario) => boolean = () => true) => {
      const preset = await builtIn(id);
      return (await planReference(preset, presetScenarios(preset).filter(runs), DIRECTORY))?.claims ?? [];
    };
    const percona = await claimsOf('percona-2016-network-paths', ({ path }) => path !== 'loopback');
    expect(percona.map(({ pairs }) => pairs.length)).toEqual([0, 2, 2, 2]);
    expect(percona[1]?.pairs).toEqual(
      ['builtin', 'sysbench'].map((generator) => ({
        scenarioId: `named-volume.published-port.${generator}`,
        referenceId: `named-volume.host-network.${generator}`,
      })),
    );
    // Another preset has the cells of the overlay network.
    expect(await claimsOf('nfs-vs-local')).toHaveLength(2);
    expect(await claimsOf('overlay-network')).toHaveLength(1);
  });

  it('go to the nearest path where the experiment’s own can’t be measured, and say so', async () => {
    const noMesh = await published('overlay-network', ({ path }) => path !== 'ingress');
    expect(noMesh('named-volume.published-port')).toMatchObject({ tps: 252.27, otherPath: 'ingress' });
    const all = await published('overlay-network');
    expect(all('named-volume.published-port')).toBeUndefined();
    expect(all('named-volume.ingress')).toMatchObject({ tps: 252.27, otherPath: null });
  });

  it('give only the scenarios that run, and nothing for a preset of none', async () => {
    const preset = await builtIn('smash-mysql-docker-for-mac');
    const bind = presetScenarios(preset).filter(({ id }) => id === 'bind-mount.user-bridge');
    expect(await planReference(preset, bind, DIRECTORY)).toMatchObject({
      cells: [{ scenarioId: 'bind-mount.user-bridge' }],
      source: expect.stringContaining('Smash MySQL') as string,
    });
    expect(await planReference(await builtIn('docker-options'), [], DIRECTORY)).toBeNull();
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
