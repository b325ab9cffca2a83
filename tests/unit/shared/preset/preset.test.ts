import { describe, expect, it } from 'vitest';
import { checkPreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { builtInPresets } from '../../built-in-presets.ts';
import { defaultSettings } from '../../../../src/benchmark/servers/server-options.ts';
import { resolvedSettings } from '../../../../src/shared/model/server-settings.ts';
import { overriddenServer } from '../../../../src/shared/model/server-spec.ts';
import { dataBytes } from '../../../../src/shared/model/workload.ts';
import { presetScenarios, type Preset } from '../../../../src/shared/model/preset.ts';
import { smallForm } from '../../../../src/benchmark/presets/small-form.ts';
import { withOverrides } from '../../../../src/benchmark/presets/plan-overrides.ts';
import { saying } from '../../../helpers/saying.ts';

const MIB = 2 ** 20;
const base = {
  whalemark: 1,
  id: 'mine',
  name: 'Mine',
  question: 'Why?',
  baseline: 'a.named-volume.published-port',
  schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 2 },
  servers: { a: {}, b: { image: 'mariadb:11.8', settings: { bufferPool: '10%' } } },
  grid: { servers: ['a', 'b'], storages: ['named-volume'], paths: ['published-port', 'user-bridge'] },
  bufferPools: { small: { name: 'Small', bufferPool: 64 }, all: { name: 'All', bufferPool: 'in-memory' } },
};

const refusal = (evidence: string | RegExp) =>
  expect.objectContaining({ code: 'PRESET_INVALID', evidence: [saying(evidence)] }) as Error;

/** Share of the data that each buffer pool holds, by server and buffer-pool size. */
function poolShares({ server, servers, bufferPools, workload }: Preset): Map<string, number> {
  const known = defaultSettings({ flavor: 'mysql', version: '8.4' });
  const pools = [
    ['own', server.settings],
    ...Object.entries(servers).map(([name, one]) => [name, overriddenServer(server, one).settings] as const),
    ...Object.entries(bufferPools),
  ] as const;
  return new Map(
    pools.map(([name, { bufferPool }]) => {
      const { bufferPoolMiB } = resolvedSettings({ ...server.settings, bufferPool }, workload, known);
      return [name, (bufferPoolMiB * MIB) / dataBytes(workload)];
    }),
  );
}

describe('scenarios of a preset', () => {
  it('are every server × storage × path, in every buffer-pool size', () => {
    const scenarios = presetScenarios(checkPreset(base, 'mine'));
    expect(scenarios.length).toBe(8);
    expect(scenarios[1]).toMatchObject({
      id: 'a.named-volume.user-bridge.small',
      baseId: 'a.named-volume.user-bridge',
      server: 'a_small',
      loadGenerator: 'builtin',
    });
  });

  it('are each with every load generator of a list', () => {
    const both = checkPreset({ ...base, loadGenerator: ['builtin', 'sysbench'] }, 'mine');
    expect(presetScenarios(both).map(({ id }) => id)).toEqual(
      presetScenarios(checkPreset(base, 'mine')).flatMap(({ baseId, id }) =>
        ['builtin', 'sysbench'].map((one) => id.replace(baseId, `${baseId}.${one}`)),
      ),
    );
    expect(() => checkPreset({ ...base, loadGenerator: 'hammer' }, 'mine')).toThrow(
      refusal(/^loadGenerator: use one of builtin, sysbench/),
    );
  });

  const named = (servers: string[], bufferPools: string[]): object => ({
    ...base,
    servers: Object.fromEntries(servers.map((name) => [name, {}])),
    grid: { ...base.grid, servers },
    bufferPools: Object.fromEntries(bufferPools.map((name) => [name, { name, bufferPool: 64 }])),
    baseline: `${servers[0] ?? ''}.named-volume.published-port`,
  });

  it('may have dots in the names of servers and buffer-pool sizes', () => {
    expect(() => checkPreset(named(['a', 'a.b'], ['c', 'd.e']), 'mine')).not.toThrow();
  });

  const cells = { 'a.named-volume.published-port': 'y' };
  it.each<[string, object, RegExp]>([
    [
      'a server',
      { grid: { ...base.grid, servers: ['c'] } },
      /servers\.0: .*“c” doesn’t exist; available: a, b/,
    ],
    ['a baseline', { baseline: ['nowhere'] }, /baseline: .*“nowhere”/],
    [
      'a scenario of the reference',
      { reference: { id: 'x', cells } },
      /reference\.cells\.a\.named-volume\.pub/,
    ],
    [
      'a path for a native server',
      { scenarios: [{ storage: 'native', path: 'published-port' }] },
      /loopback/,
    ],
    ['a server', named(['default'], []), /servers\.default: this name is reserved/],
  ])('must name %s that is there, and no other by that name', (_, change, evidence) => {
    expect(() => checkPreset({ ...base, ...change }, 'mine')).toThrow(
      expect.objectContaining({
        code: 'PRESET_INVALID',
        evidence: expect.arrayContaining([saying(evidence)]),
      }) as Error,
    );
  });
});

describe('a sweep', () => {
  it('has every scenario once at each level, after the buffer-pool size', () => {
    const scenarios = presetScenarios(checkPreset({ ...base, sweep: [1, 4] }, 'mine'));
    expect(scenarios.length).toBe(16);
    expect(scenarios.map(({ server, connections }) => `${server} ${connections}`)).toEqual(
      ['small 1', 'small 4', 'all 1', 'all 4'].flatMap((one) =>
        ['a', 'a', 'b', 'b'].map((server) => `${server}_${one}`),
      ),
    );
    expect(scenarios[5]).toMatchObject({
      id: 'a.named-volume.user-bridge.small.c4',
      baseId: 'a.named-volume.user-bridge',
    });
  });

  it.each<[string, object, RegExp]>([
    ['one level', { sweep: [4] }, /^sweep: a sweep has 2 to 12 connection counts/],
    ['many levels', { sweep: Array.from({ length: 13 }, (_, i) => i + 1) }, /^sweep: a sweep has 2 to 12/],
    ['a level twice', { sweep: [1, 4, 4] }, /^sweep: each connection count must be larger than the one/],
    ['half a connection', { sweep: [1.5, 4] }, /^sweep\.0: /],
    ['connections beside it', { sweep: [1, 4], connections: 8 }, /^connections: .*“connections”.*“sweep”/],
  ])('is refused with %s', (_, change, evidence) => {
    expect(() => checkPreset({ ...base, ...change }, 'mine')).toThrow(refusal(evidence));
  });

  it('can be laid over any preset and its small form, without published numbers', async () => {
    for (const preset of await builtInPresets()) {
      if (preset.task !== undefined) {
        expect(() => withOverrides(preset, { connections: [2, 3, 5] })).toThrow(
          expect.objectContaining({ code: 'PRESET_INVALID' }),
        );
        continue;
      }
      for (const small of preset.small === undefined ? [false] : [false, true]) {
        const form = withOverrides(preset, { small, connections: [2, 3, 5] });
        expect(form).toMatchObject({ sweep: [2, 3, 5] });
        expect([form.connections, form.reference]).toEqual([undefined, undefined]);
        const whole = (small ? smallForm(preset) : undefined) ?? preset;
        const places = new Set(
          presetScenarios(whole).map((one) => `${one.baseId} ${one.server} ${one.loadGenerator}`),
        );
        expect(presetScenarios(form)).toHaveLength(3 * places.size);
      }
    }
  });
});

describe('the small form', () => {
  it('has its share of rows, buffer pool, and redo log, and shorter trials', () => {
    const preset = checkPreset(
      {
        ...base,
        server: { settings: { bufferPool: 1000, redoLogMiB: 2000 } },
        servers: {
          a: { settings: { bufferPool: 20 } },
          b: { settings: { bufferPool: '10%', redoLogMiB: 'default' } },
        },
        bufferPools: { large: { name: 'Large', bufferPool: 4000 } },
        workload: { tables: 2, tableSize: 50_000 },
        schedule: {
          rounds: 9,
          warmupSeconds: 30,
          durationSeconds: 60,
          untilConclusive: { budgetMinutes: 9 },
        },
        small: { scale: 0.1, warmupSeconds: 1, durationSeconds: 2 },
      },
      'mine',
    );
    expect(smallForm(preset)).toMatchObject({
      server: { settings: { bufferPool: 100, redoLogMiB: 200 } },
      servers: {
        a: { settings: { bufferPool: 5 } },
        b: { settings: { bufferPool: '10%', redoLogMiB: 'default' } },
      },
      bufferPools: { large: { name: 'Large', bufferPool: 400 } },
      workload: { tables: 2, tableSize: 5000 },
    });
    expect(smallForm(preset)?.schedule).toEqual({ rounds: 3, warmupSeconds: 1, durationSeconds: 2 });
    const tiny = smallForm({ ...preset, small: { scale: 0.001, warmupSeconds: 0, durationSeconds: 1 } });
    expect(tiny?.server.settings).toMatchObject({ bufferPool: 5, redoLogMiB: 128 });
    expect(checkPreset(tiny, 'tiny').workload).toMatchObject({ tableSize: 100 });
  });

  it('of every built-in preset measures the same, fits a laptop and a coffee break', async () => {
    for (const preset of await builtInPresets()) {
      const small = smallForm(preset);
      if (small === undefined) {
        expect(preset.reference, preset.id).toBeUndefined();
        continue;
      }
      const placesOf = (form: Preset) =>
        new Set(presetScenarios(form).map(({ baseId, server }) => `${baseId} ${server}`));
      expect(placesOf(small)).toEqual(placesOf(preset));
      if (preset.reference !== undefined)
        expect(small.schedule.untilConclusive?.budgetMinutes).toBeLessThan(9);
      expect(dataBytes(small.workload), preset.id).toBeLessThanOrEqual(105e6);
      expect(small.schedule.rounds).toBe(3);
      const little = poolShares(small);
      for (const [name, share] of poolShares(preset)) {
        const smallShare = little.get(name) ?? 0;
        // A pool that holds all data still does, and one that holds a part holds the same part.
        if (share >= 1) expect(smallShare, `${preset.id} ${name}`).toBeGreaterThanOrEqual(0.99);
        else if (usesPool(preset, name))
          expect(Math.abs(smallShare / share - 1), `${preset.id} ${name}`).toBeLessThan(0.1);
      }
    }
  });
});

/** The preset's own pool counts only where neither servers nor buffer-pool sizes bring one. */
function usesPool({ servers, bufferPools }: Preset, name: string): boolean {
  return name !== 'own' || Object.keys({ ...servers, ...bufferPools }).length === 0;
}

describe('the built-in presets', () => {
  it('ask a question, compare with something and can be read by people', async () => {
    for (const preset of await builtInPresets()) {
      expect(preset.question).toMatch(/\?$/);
      expect(presetScenarios(preset).length).toBeGreaterThan(1);
      for (const server of Object.values(preset.servers)) expect(server.name).toBeDefined();
    }
  });
});
