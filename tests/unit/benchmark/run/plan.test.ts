import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { makePlan } from '../../../../src/benchmark/run/plan.ts';
import { findPreset } from '../../../../src/benchmark/run/preset-file.ts';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import { FAKE_PASSPORT, FakeRuntime } from '../../fake-runtime.ts';

/** A machine by what differs from the native Linux engine. */
function runtimeOf(runtime: Partial<Passport['runtime']> = {}): FakeRuntime {
  const fake = new FakeRuntime({ ...FAKE_PASSPORT, runtime: { ...FAKE_PASSPORT.runtime, ...runtime } });
  fake.images.push({
    id: 'sha256:mysql',
    references: ['mysql:8.4'],
    labels: {},
    env: { MYSQL_VERSION: '8.4.10' },
    architecture: 'amd64',
    bytes: 1,
  });
  return fake;
}

describe('the plan of Compare my setup', () => {
  let Dockerfile: string;
  beforeAll(async () => {
    Dockerfile = await readFile('assets/client-image/Dockerfile', 'utf8');
  });
  const plan = async (runtime: FakeRuntime, mode: 'full' | 'quick' = 'full', fields: object = {}) =>
    makePlan({
      preset: { ...(await findPreset('compare-my-setup', 'presets')), ...fields },
      mode,
      runtime,
      imageNamedByUser: false,
      clientImageFiles: { Dockerfile },
    });

  it('has every storage with every path on a native engine, and the baseline twice', async () => {
    const { scenarios, excluded, baselineId } = await plan(runtimeOf());
    expect(scenarios.length).toBe(10);
    expect(excluded).toEqual([]);
    expect(scenarios.filter(({ isBaseline }) => isBaseline).map(({ id }) => id)).toEqual([baselineId]);
    const again = scenarios.find(({ isNoiseFloor }) => isNoiseFloor);
    expect(again?.serverId).toBe(scenarios.find(({ isBaseline }) => isBaseline)?.serverId);
  });

  it.each([
    ['Docker Desktop', { kind: 'docker-desktop', vm: true, hostNetworking: false }, /Docker Desktop/],
    ['a rootless engine', { kind: 'docker-rootless', rootless: true, hostNetworking: false }, /rootless/],
    ['Colima', { kind: 'colima', vm: true, hostNetworking: false }, /virtual machine/],
  ] as const)('fits itself to %s, and says why host networking is left out', async (_, runtime, reason) => {
    const { scenarios, excluded } = await plan(runtimeOf(runtime));
    expect(scenarios.map(({ path }) => path)).not.toContain('host-network');
    expect(scenarios.length).toBe(7);
    expect(excluded.length).toBe(3);
    for (const left of excluded) expect(left.reason).toMatch(reason);
  });

  it('includes host networking where Docker Desktop has it switched on', async () => {
    const { scenarios } = await plan(runtimeOf({ kind: 'docker-desktop', vm: true, hostNetworking: true }));
    expect(scenarios.length).toBe(10);
  });

  it('runs every scenario once a round, in an order that the seed alone decides', async () => {
    const first = await plan(runtimeOf(), 'full', { seed: 42 });
    const second = await plan(runtimeOf(), 'full', { seed: 42 });
    const third = await plan(runtimeOf(), 'full', { seed: 43 });
    const ids = first.scenarios.map(({ id }) => id).sort();
    for (const round of first.rounds) expect([...round].sort()).toEqual(ids);
    expect(second.rounds).toEqual(first.rounds);
    expect(third.rounds).not.toEqual(first.rounds);
    expect(new Set(first.rounds.map((round) => round.join())).size).toBeGreaterThan(1);
  });

  it('takes at most ten minutes, and a quick look much less', async () => {
    const full = await plan(runtimeOf());
    const quick = await plan(runtimeOf(), 'quick');
    expect(full.estimate.seconds).toBeLessThanOrEqual(600);
    expect(quick.estimate.seconds).toBeLessThan(full.estimate.seconds * 0.6);
    expect(full.estimate.diskBytes).toBeGreaterThan(full.estimate.dataBytes);
  });

  it('names what must be fetched or built, and nothing that is there', async () => {
    const bare = runtimeOf();
    bare.images.length = 0;
    expect(
      (await plan(bare)).toPrepare.map(({ kind, reference }) => [kind, reference.split(':')[0]]),
    ).toEqual([
      ['pull', 'mysql'],
      ['pull', 'debian'],
      ['build', 'whalemark-client'],
    ]);
  });

  it('refuses when the baseline itself can not run, naming the reason', async () => {
    await expect(
      plan(runtimeOf({ kind: 'colima', vm: true, hostNetworking: false }), 'full', {
        baseline: 'named-volume.host-network',
      }),
    ).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: expect.arrayContaining([expect.stringContaining('baseline')]) as string[],
    });
    await expect(
      plan(runtimeOf({ kind: 'colima', vm: true, hostNetworking: false }), 'full', {
        grid: { storages: [{ kind: 'tmpfs' }], paths: ['host-network'] },
      }),
    ).rejects.toMatchObject({ code: 'NOTHING_TO_RUN' });
  });
});
