import { describe, expect, it } from 'vitest';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import { type Plan, planSchema } from '../../../../src/shared/model/plan.ts';
import { presetOfPlan } from '../../../../src/shared/preset/preset-of-plan.ts';
import type { Engines } from '../../../../src/benchmark/runtime/container-runtime.ts';
import type { PlanOverrides } from '../../../../src/benchmark/presets/plan-overrides.ts';
import { shareable } from '../../../../src/benchmark/privacy/shareable.ts';
import { sampleState } from '../../builders.ts';
import { makePassport } from '../../plan-builder.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { planned, presetWith } from '../../planned.ts';
import { testWhalemark } from '../../whalemark.ts';

const GIB = 2 ** 30;
const PRESET = presetWith({
  baseline: 'named-volume.published-port',
  server: { image: 'mysql:8.4', settings: { bufferPool: 1024 } },
  workload: { tables: 1, tableSize: 1000 },
  grid: { storages: ['named-volume', 'tmpfs'], paths: ['published-port'] },
  schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 4, sliceSeconds: 1 },
});

function engine(runtime: Partial<Passport['runtime']>, id = 'context:fake'): FakeRuntime {
  const fake = Object.assign(new FakeRuntime(makePassport(runtime)), { id });
  fake.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.10' } });
  return fake;
}

function planOn(first: Partial<Passport['runtime']>, second: Partial<Passport['runtime']>): Promise<Plan> {
  return planned(PRESET, [engine(first), engine(second)]);
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
      presetWith({ ...PRESET, grid: { ...PRESET.grid, paths: ['published-port', 'user-bridge'] } }),
      [engine(desktop), engine({ ...orbstack, remote: true })],
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

  it.each([
    ['context:default', 'context:prod', 'Docker Engine 28.1.1 (default)', 'Docker Engine 28.1.1 (prod)'],
    ['socket:/run/y', 'socket:/run/x', 'Docker Engine 28.1.1', 'Docker Engine 28.1.1 (2)'],
    ['context:one', 'env:DOCKER_HOST', 'Docker Engine 28.1.1 (one)', 'Docker Engine 28.1.1 (DOCKER_HOST)'],
  ])('tells equal ones apart: %s and %s', async (one, other, ...expected) => {
    const { engines, scenarios } = await planned(PRESET, [engine({}, one), engine({}, other)]);
    expect(engines.map(({ id }) => id)).toEqual(['docker-engine', 'docker-engine-2']);
    expect(engines.map(({ name }) => name)).toEqual(expected);
    for (const { label, engine: on } of scenarios) {
      expect(label.engine).toBe(expected[on === 'docker-engine' ? 0 : 1]);
    }
  });

  it('has no name of a context when it is shared, and still tells them apart', async () => {
    const contexts = ['context:payments-prod', 'context:payments-dev'] as const;
    const plan = await planned(PRESET, [engine({}, contexts[0]), engine({}, contexts[1])], {
      enginesNamed: true,
    });
    const state = { ...sampleState(), plan };
    const shared = shareable(state).state;
    expect(JSON.stringify(shared)).not.toContain('payments');
    expect(shared.plan.engines.map(({ name }) => name)).toEqual([
      'Docker Engine 28.1.1 (engine A)',
      'Docker Engine 28.1.1 (engine B)',
    ]);
    expect(planSchema.parse(shared.plan)).toEqual(shared.plan);
    expect(JSON.stringify(shareable(state, {}, ['context']).state)).toContain('payments-prod');
  });

  const asked = ({ consents }: Plan): string[] => consents.map(({ consent }) => consent);

  it.each([
    ['of this machine that the user names', false, [false, false], []],
    ['that a file names', true, [false, false], ['engine:here', 'engine:there']],
    ['on another machine', false, [false, true], ['engine:there']],
  ])('asks for a confirmation for engines %s', async (_, enginesNamed, remote, expected) => {
    const grid = { ...PRESET.grid, paths: ['user-bridge'] };
    const preset = presetWith({ ...PRESET, grid, baseline: 'named-volume.user-bridge' });
    const here = engine({ remote: remote[0] === true }, 'context:here');
    const there = engine({ remote: remote[1] === true }, 'context:there');
    expect(asked(await planned(preset, [here, there], { enginesNamed }))).toEqual(expected);
    expect(asked(await planned(preset, there))).toEqual(remote[1] === true ? ['engine:there'] : []);
  });

  it('asks for what a preset’s own list names, not for what is named in its place', async () => {
    const preset = { ...PRESET, engines: ['here', 'there'] };
    const found: Engines = { engines: [engine({}, 'context:here'), engine({}, 'context:there')] };
    const planWith = async (overrides: PlanOverrides): Promise<string[]> =>
      asked((await testWhalemark().plan(preset, overrides, () => Promise.resolve(found))).plan);
    expect(await planWith({})).toEqual(['engine:here', 'engine:there']);
    expect(await planWith({ engines: ['here', 'there'] })).toEqual([]);
    expect(await planWith({ engines: 'all' })).toEqual([]);
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
