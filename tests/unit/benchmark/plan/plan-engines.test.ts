import { describe, expect, it } from 'vitest';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { presetOfPlan } from '../../../../src/shared/preset/preset-of-plan.ts';
import { checkPreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { makePassport } from '../../plan-builder.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { planned } from '../../planned.ts';

const GIB = 2 ** 30;
const PRESET = checkPreset(
  {
    ...{ whalemark: 1, id: 'two', name: 'Two', question: 'Which?', baseline: 'named-volume.published-port' },
    server: { image: 'mysql:8.4', settings: { bufferPool: 1024 } },
    workload: { tables: 1, tableSize: 1000 },
    grid: { storages: ['named-volume', 'tmpfs'], paths: ['published-port'] },
    schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 4, sliceSeconds: 1 },
  },
  'test',
);

function engine(runtime: Partial<Passport['runtime']>): FakeRuntime {
  const fake = new FakeRuntime(makePassport(runtime));
  fake.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.10' } });
  return fake;
}

function planOn(first: Partial<Passport['runtime']>, second: Partial<Passport['runtime']>): Promise<Plan> {
  return planned(PRESET, engine(first), { further: [engine(second)] });
}

describe('a plan for two engines', () => {
  const desktop = { kind: 'docker-desktop', name: 'Docker Desktop 4.41', vm: true } as const;
  const orbstack = { kind: 'orbstack', name: 'OrbStack 1.10', vm: true } as const;

  it('measures every place on each, the baseline’s repeat on the first alone', async () => {
    const { scenarios, configs, baselineId } = await planOn(desktop, orbstack);
    expect(scenarios.map(({ engine: on, storage, isAaRepeat }) => [on, storage.kind, isAaRepeat])).toEqual([
      ['docker-desktop', 'named-volume', false],
      ['orbstack', 'named-volume', false],
      ['docker-desktop', 'named-volume', true],
      ['docker-desktop', 'tmpfs', false],
      ['orbstack', 'tmpfs', false],
    ]);
    expect(scenarios.filter(({ isBaseline }) => isBaseline).map(({ id }) => id)).toEqual([baselineId]);
    expect(new Set(scenarios.map(({ baselineId: of }) => of))).toEqual(new Set([baselineId]));
    expect(configs.map(({ engine: on }) => on)).toEqual(['docker-desktop', 'orbstack']);
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(5);
  });

  it('compares what an engine can do with the first’s baseline, and says what it can’t', async () => {
    const { scenarios, excluded, baselineId } = await planned(
      checkPreset({ ...PRESET, grid: { ...PRESET.grid, paths: ['published-port', 'user-bridge'] } }, 'test'),
      engine(desktop),
      { further: [engine({ ...orbstack, remote: true })] },
    );
    const own = scenarios.filter(({ engine: on }) => on === 'orbstack');
    expect(own.map(({ path }) => path)).toEqual(['user-bridge', 'user-bridge']);
    expect(own.map(({ baselineId: of }) => of)).toEqual([baselineId, baselineId]);
    expect(excluded.map(({ engine: on, path }) => [on, path])).toEqual([
      ['orbstack', 'published-port'],
      ['orbstack', 'published-port'],
    ]);
  });

  it('refuses an engine that can do nothing of it', async () => {
    const nothing = planOn(desktop, { ...orbstack, remote: true });
    await expect(nothing).rejects.toMatchObject({ code: 'NOTHING_TO_RUN' });
  });

  it('tells equal ones apart by a number, and names no context', async () => {
    const { engines } = await planOn({}, {});
    expect(engines.map(({ id, name }) => [id, name])).toEqual([
      ['docker-engine', 'Docker Engine 28.1.1'],
      ['docker-engine-2', 'Docker Engine 28.1.1 (2)'],
    ]);
  });

  it.each([
    ['all servers at once where each engine has memory of its own', true, 1],
    ['in groups where they share this machine’s', false, 3],
  ])('runs %s', async (_, vm, groups) => {
    const memory = { vm, memoryBytes: 10 * GIB };
    expect((await planOn({ ...desktop, ...memory }, { ...orbstack, ...memory })).groups).toHaveLength(groups);
  });

  it('is a preset that asks for the same engines', async () => {
    const plan = await planOn(desktop, orbstack);
    expect(presetOfPlan(plan)?.preset).toMatchObject({
      engines: plan.engines.map(({ runtimeId }) => runtimeId),
      scenarios: [{ storage: 'named-volume' }, { storage: 'tmpfs' }],
    });
  });
});
