import { describe, expect, it } from 'vitest';
import { builtIn, builtInPresets } from '../../built-in-presets.ts';
import { repeatedPreset, repeatPlan } from '../../../../src/benchmark/plan/repeat.ts';
import { shareable } from '../../../../src/benchmark/privacy/shareable.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { presetOfPlan } from '../../../../src/shared/preset/preset-of-plan.ts';
import { makeState } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { mysqlEngine, planned, presetWith } from '../../planned.ts';

const REFERENCE_DIR = 'assets/reference';
const clientImageFiles = { Dockerfile: 'FROM scratch' };

function engine(): FakeRuntime {
  // The largest buffer pool of a preset is 26.4 GiB.
  const runtime = mysqlEngine({ memoryBytes: 32 * 2 ** 30 });
  runtime.addImage('mariadb:11.8', { env: { MARIADB_VERSION: '11.8.6' } });
  runtime.addImage('percona/percona-server:8.4', { env: { PS_VERSION: '8.4.5' } });
  return runtime;
}

async function again(plan: Plan, runtime: FakeRuntime): Promise<Plan> {
  return repeatPlan(plan, { engines: [runtime], clientImageFiles, referenceDir: REFERENCE_DIR });
}

/** A plan without its id, and without what wasn't possible, which a repetition doesn't know. */
const comparable = (plan: Plan): unknown => ({ ...plan, id: '', excluded: [], notices: [] });

describe('a plan made again from a finished run', async () => {
  const presets = await builtInPresets();
  expect(presets.length).toBeGreaterThanOrEqual(8);

  it.each(presets.flatMap((preset) => (['full', 'small'] as const).map((mode) => ({ preset, mode }))))(
    'is the same for $preset.id ($mode), which has its published numbers, and is short if it is small',
    async ({ preset, mode }) => {
      const runtime = engine();
      const first = await planned(preset, runtime, { mode });
      expect(comparable(await again(first, runtime))).toEqual(comparable(first));
      expect(first.scenarios.length).toBeGreaterThan(1);
      const { reference, estimate } = first;
      if (mode === 'small' && preset.small !== undefined)
        expect(estimate.seconds).toBeLessThan(preset.reference === undefined ? 700 : 600);
      expect(reference === null).toBe(preset.reference === undefined);
      if (reference !== null) expect([reference.cells, reference.claims]).not.toContainEqual([]);
    },
  );

  it('is the same with storages that have names and options, options of servers, and a folder', async () => {
    const runtime = engine();
    const preset = presetWith({
      server: { image: 'mysql:8.4', options: ['--innodb-io-capacity=400'], settings: { bufferPool: '30%' } },
      servers: {
        fast: { name: 'Fast, unsafe', options: ['--innodb-doublewrite=OFF'], settings: { binlog: true } },
      },
      storages: {
        small: { kind: 'tmpfs', name: 'Small tmpfs', sizeMiB: 900 },
        tmpfs: { kind: 'tmpfs', sizeMiB: 700 },
        share: { kind: 'nfs', nfs: { address: 'nas.lan', path: '/export', version: 3 } },
      },
      workload: { kind: 'oltp_point_select', tables: 2, preparedStatements: false, distribution: 'pareto' },
      connections: 4,
      bufferPools: { cold: { name: 'Small, cold', bufferPool: 16 }, warm: { name: 'Warm', bufferPool: 512 } },
      scenarios: [
        { storage: 'small', path: 'published-port' },
        { id: 'named', name: 'My own, name', storage: 'share', path: 'user-bridge' },
        { server: 'fast', storage: 'tmpfs', path: 'container-ip' },
      ],
      baseline: 'named',
      equivalence: 0.1,
      schedule: { rounds: 4, warmupSeconds: 1, durationSeconds: 2, untilConclusive: { budgetMinutes: 9 } },
    });
    const first = await planned(preset, runtime);
    expect(first.excluded).toEqual([]);
    const second = await again(first, runtime);
    expect(comparable(second)).toEqual(comparable(first));
    expect(second.excluded).toEqual([]);
  });

  it('takes the image that stood in where it is here, and asks for the wanted one where it is not', async () => {
    const runtime = engine();
    const plan = await planned(await builtIn('docker-options'), runtime);
    const substituted = {
      ...plan,
      configs: plan.configs.map((config) => ({
        ...config,
        image: { ...config.image, used: 'mariadb:11.8', substituted: true },
      })),
    };
    expect((await repeatedPreset(substituted, runtime)).preset.server.image).toBe('mariadb:11.8');
    expect((await repeatedPreset(substituted, new FakeRuntime())).preset.server.image).toBe('mysql:8.4');
  });

  it('leaves out what a given-away result no longer holds, and says so', async () => {
    const runtime = engine();
    const nfs = await builtIn('nfs-vs-local');
    const nas = {
      kind: 'nfs' as const,
      name: 'NFS',
      nfs: { address: 'nas.lan', path: '/export', version: '4.2' as const, soft: false, lock: true },
    };
    const plan = await planned({ ...nfs, storages: { nfs: nas } }, runtime, { mode: 'small' });
    const shared = shareable({ ...makeState(), plan }).state.plan;
    const second = await again(shared, runtime);
    expect(second.scenarios.map(({ storage }) => storage.kind)).not.toContain('nfs');
    expect(second.excluded.map(({ label }) => label)).toEqual(
      plan.scenarios.filter(({ storage }) => storage.kind === 'nfs').map(({ label }) => label),
    );
  });

  it('is refused where the baseline itself was taken out', async () => {
    const plan = await planned(await builtIn('docker-options'), engine());
    const nothing = {
      ...plan,
      scenarios: plan.scenarios.map((one) => ({ ...one, storage: { ...one.storage, name: '<private>' } })),
    };
    expect(presetOfPlan(nothing)).toBeUndefined();
    await expect(repeatedPreset(nothing, engine())).rejects.toMatchObject({ code: 'RESULT_NOT_REPEATABLE' });
  });
});
