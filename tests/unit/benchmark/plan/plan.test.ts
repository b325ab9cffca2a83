import { preparationMs } from '../../../../src/shared/run/planned-time.ts';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { NODE_IMAGE, sysbenchTag } from '../../../../src/benchmark/load/client-image.ts';
import type { PlanRequest } from '../../../../src/benchmark/plan/plan.ts';
import { checkPreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { builtIn } from '../../built-in-presets.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { SETTING_NAMES } from '../../../../src/shared/model/server-settings.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';
import { presetOfPlan } from '../../../../src/shared/preset/preset-of-plan.ts';
import type { FakeRuntime } from '../../fake-runtime.ts';
import { mysqlEngine, planned, presetWith } from '../../planned.ts';
import { newFolder } from '../../../helpers/folders.ts';

describe('the plan of a command in a container', () => {
  const timed = async (runtime: FakeRuntime): Promise<Plan> => {
    const task = { kind: 'command', limitSeconds: 1, image: 'own/tools:1' } as const;
    return planned(await builtIn('time-migrations'), runtime, { task });
  };

  it('pulls an image that is not there', async () => {
    const runtime = mysqlEngine();
    const pull = { kind: 'pull', reference: 'own/tools:1', bytes: null };
    expect((await timed(runtime)).toPrepare).toEqual([pull]);
    runtime.addImage('own/tools:1');
    expect((await timed(runtime)).toPrepare).toEqual([]);
  });

  it('is refused for an image that no registry has', async () => {
    const runtime = mysqlEngine();
    const missing = new BenchmarkError('IMAGE_NOT_FOUND', { image: 'own/tools:1', reason: 'x', local: '–' });
    runtime.failing.set('probeRegistry own/tools:1', missing);
    await expect(timed(runtime)).rejects.toBe(missing);
  });
});

describe('the plan of Docker storage and network', async () => {
  const Dockerfile = await readFile('assets/client-image/Dockerfile', 'utf8');
  // Tests don't depend on servers that are installed on this machine.
  beforeEach(() => vi.stubEnv('WHALEMARK_MYSQLD', '/nowhere/mysqld'));
  afterAll(() => vi.unstubAllEnvs());
  const plan = async (runtime = mysqlEngine(), fields: object = {}) =>
    planned(checkPreset({ ...(await builtIn('docker-options')), ...fields }, 'test'), runtime, {
      clientImageFiles: { Dockerfile },
    });

  it('has every storage with every path on a native engine, and the baseline twice', async () => {
    const { scenarios, excluded, baselineId, groups } = await plan();
    expect(scenarios.length).toBe(10);
    expect(excluded.map(({ id }) => id)).toEqual(['native.loopback']);
    expect(scenarios.filter(({ isBaseline }) => isBaseline).map(({ id }) => id)).toEqual([baselineId]);
    // The repeat has a separate server, and all take turns.
    const again = scenarios.find(({ isAaRepeat }) => isAaRepeat)?.serverId;
    expect(scenarios.filter(({ serverId }) => serverId === again)).toHaveLength(1);
    expect(groups.map((ids) => [...ids].sort())).toEqual([
      [...new Set(scenarios.map(({ serverId }) => serverId))].sort(),
    ]);
  });

  it.each([
    ['darwin', 'mysql:8.4', 'brew install mysql@8.4'],
    ['darwin', 'mariadb:11.8', 'brew install mariadb'],
    ['linux', 'mysql:8.4', 'sudo apt install mysql-server'],
    ['win32', 'mysql:8.4', 'winget install Oracle.MySQL'],
  ] as const)('says on %s how to get a native %s', async (platform, image, command) => {
    const fake = mysqlEngine();
    fake.passport.host = { ...fake.passport.host, platform };
    const { notices, baselineId } = await plan(fake, { server: { image } });
    expect(baselineId).toBe('named-volume.published-port');
    expect(notices.find(({ code }) => code === 'NATIVE_MISSING')?.message.params['command']).toBe(command);
  });

  it('leaves the settings to the image, and plans with what its manual says', async () => {
    const made = await plan();
    const [config] = made.configs;
    expect(config?.settings).toEqual({
      ...{ bufferPoolMiB: 128, redoLogMiB: 100, flushLogAtTrxCommit: 1 },
      ...{ binlog: true, syncBinlog: 1, performanceSchema: true, defaults: [...SETTING_NAMES] },
    });
    expect(presetOfPlan(made)?.preset.server.settings).toEqual(
      (await builtIn('docker-options')).server.settings,
    );
  });

  it('includes the binary logs in the disk that it needs', async () => {
    const withBinlog = await plan(mysqlEngine(), { server: { settings: { binlog: true } } });
    const without = await plan(mysqlEngine(), { server: { settings: { binlog: false } } });
    const more = await plan(mysqlEngine(), {
      server: { settings: { binlog: true } },
      schedule: { rounds: 24, warmupSeconds: 1, durationSeconds: 3000 },
    });
    const disk = ({ estimate }: typeof without): number => estimate.diskBytes - without.estimate.diskBytes;
    expect(disk(withBinlog)).toBeGreaterThan(0);
    // The server removes full logs.
    expect(disk(more)).toBeLessThanOrEqual(2 * 2 ** 30 * 8);
  });

  it.each([1, 2, 3, 4, 5])(
    'starts each server once a round, in an order that the seed %i decides',
    async (seed) => {
      const { rounds, scenarios, baselineId } = await plan(mysqlEngine(), { seed });
      const serverOf = (id: string) => scenarios.find((one) => one.id === id)?.serverId;
      for (const ids of rounds) {
        expect([...ids].sort()).toEqual(scenarios.map(({ id }) => id).sort());
        const starts = ids.map(serverOf).filter((server, index, all) => server !== all[index - 1]);
        expect(starts).toHaveLength(7);
      }
      // The baseline is early in the first round.
      const starts = [...new Set(rounds[0]?.map(serverOf))];
      expect(starts.indexOf(serverOf(baselineId))).toBeOneOf([0, 1]);
      expect(new Set(rounds.map((round) => round.join())).size).toBeGreaterThan(1);
      expect((await plan(mysqlEngine(), { seed })).rounds).toEqual(rounds);
      expect((await plan(mysqlEngine(), { seed: seed + 1 })).rounds).not.toEqual(rounds);
    },
  );

  it('takes at most four minutes and a half, and two less with a time limit of one', async () => {
    const full = await plan();
    const { schedule } = await builtIn('docker-options');
    const minute = await plan(mysqlEngine(), {
      schedule: { ...schedule, untilConclusive: { budgetMinutes: 1 } },
    });
    expect(full.estimate.seconds).toBeLessThanOrEqual(270);
    expect(full.estimate.seconds - minute.estimate.seconds).toBe(120);
    expect(full.estimate.diskBytes).toBeGreaterThan(full.estimate.dataBytes);
  });

  it('expects about the preparation that was measured, with servers filled side by side', async () => {
    // Measured: 9.8 s on two cores.
    const made = await plan();
    expect(preparationMs(made)).toBeGreaterThan(8_000);
    expect(preparationMs(made)).toBeLessThan(18_000);
  });

  it('names what must be fetched or built, and nothing that is there', async () => {
    const bare = mysqlEngine();
    bare.imagesMade.length = 0;
    expect(
      (await plan(bare)).toPrepare.map(({ kind, reference }) => [kind, reference.split(':')[0]]),
    ).toEqual([
      ['pull', 'mysql'],
      ['pull', 'node@sha256'],
    ]);
  });

  it('has no bind mounts of a folder that the engine doesn’t see', async () => {
    const planOn = async (sees: boolean | undefined, passport: object): Promise<Plan['excluded']> => {
      const runtime = mysqlEngine({ kind: 'colima', hostNetworking: false, ...passport });
      runtime.containers.hasPath = () => Promise.resolve(sees);
      const preset = await builtIn('docker-options');
      return (await planned(preset, runtime, { clientImageFiles: { Dockerfile }, dataDir: newFolder() }))
        .excluded;
    };
    const reason = expect.objectContaining({
      params: { reason: expect.objectContaining({ code: 'folder.notShared' }) as unknown },
    }) as unknown;
    for (const vm of [true, false]) {
      const excluded = await planOn(false, { vm });
      expect(excluded).toContainEqual(expect.objectContaining({ reason }));
      // A server without an engine needs only the folder.
      const named = excluded.filter((one) => JSON.stringify(one.reason).includes('folder.notShared'));
      expect([...new Set(named.map(({ label }) => label.storage))]).toEqual(['bind-mount']);
      for (const sees of [true, undefined])
        expect(await planOn(sees, { vm })).not.toContainEqual(expect.objectContaining({ reason }));
    }
  });

  it('is refused where its baseline or nothing of it can run, with the reason', async () => {
    const onColima = (fields: object) =>
      plan(mysqlEngine({ kind: 'colima', vm: true, hostNetworking: false }), fields);
    await expect(onColima({ baseline: 'named-volume.host-network' })).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: expect.arrayContaining([
        expect.objectContaining({ code: 'plan.baselineImpossible' }),
      ]) as unknown,
    });
    const grid = { storages: ['tmpfs'], paths: ['host-network'] };
    await expect(onColima({ grid, baseline: 'tmpfs.host-network' })).rejects.toMatchObject({
      code: 'NOTHING_TO_RUN',
    });
  });
});

describe('plans of several servers, storages and buffer-pool sizes', () => {
  const BASE = {
    workload: { tables: 1, tableSize: 1_000_000 },
    schedule: { rounds: 2, warmupSeconds: 1, durationSeconds: 1 },
    seed: 1,
  };
  const planOf = (fields: object, runtime = mysqlEngine(), asked: Partial<PlanRequest> = {}) =>
    planned(presetWith({ ...BASE, ...fields }), runtime, asked);
  /** An engine that reaches no registry. */
  const offline = (runtime = mysqlEngine()): FakeRuntime => {
    runtime.images.probeRegistry = (image) =>
      Promise.reject(new BenchmarkError('REGISTRY_UNREACHABLE', { image, reason: 'none', local: '' }));
    return runtime;
  };
  /** 1,000,000 rows of 236 bytes, MiB. */
  const DATA_MIB = 225;

  it('works a share of the data out as a size, and keeps comparisons within a buffer-pool size', async () => {
    const plan = await planOf({
      grid: { storages: ['named-volume', 'container-layer'], paths: ['published-port'] },
      bufferPools: {
        'io-bound': { name: 'I/O-bound', bufferPool: '10%' },
        'in-memory': { name: 'in memory', bufferPool: 'in-memory' },
      },
      baseline: 'named-volume.published-port',
    });
    expect(plan.configs.map(({ server, serverName }) => [server, serverName])).toEqual([
      ['default_io-bound', 'I/O-bound'],
      ['default_in-memory', 'in memory'],
    ]);
    expect(plan.configs[0]?.settings.bufferPoolMiB).toBe(Math.round(DATA_MIB / 10));
    expect(plan.configs[1]?.settings.bufferPoolMiB).toBeGreaterThan(DATA_MIB * 1.3);
    for (const { id, baselineId, server } of plan.scenarios) {
      const pool = server?.replace('default_', '') ?? '';
      expect(baselineId).toBe(`named-volume.published-port.${pool}`);
      expect(id).toContain(pool);
    }
    expect(plan.scenarios.filter(({ isAaRepeat }) => isAaRepeat).length).toBe(2);
    // Each buffer-pool size of a storage has a server, and so has a repeat.
    expect(new Set(plan.scenarios.map(({ serverId }) => serverId)).size).toBe(6);
  });

  it('keeps the comparisons of a sweep within a level, ties one level with itself and shares a server', async () => {
    const plan = await planOf({
      sweep: [1, 2, 4, 8],
      grid: { storages: ['named-volume'], paths: ['container-ip', 'published-port'] },
      baseline: 'named-volume.container-ip',
    });
    expect(plan.scenarios.map(({ id, connections, baselineId }) => [id, connections, baselineId])).toEqual(
      [1, 2, 4, 8].flatMap((level) => {
        const base = `named-volume.container-ip.c${level}`;
        return [
          [base, level, base],
          ...(level === 4 ? [[`${base}~again`, level, base]] : []),
          [`named-volume.published-port.c${level}`, level, base],
        ];
      }),
    );
    expect(plan.baselineId).toBe('named-volume.container-ip.c1');
    expect(plan.scenarios[0]?.label.connections).toBe(1);
    expect(plan.scenarios.at(-1)?.label.connections).toBe(8);
    // All levels but the repeat share one server, which allows the most connections.
    const levels = plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat);
    expect(new Set(levels.map(({ serverId }) => serverId)).size).toBe(1);
    expect(plan.connections).toBe(8);
    expect(plan.notices).toEqual([]);
  });

  it('has each named server’s own changes of the preset’s server', async () => {
    const big = { name: 'Big pool', settings: { bufferPool: 512 }, options: ['--innodb-io-capacity=900'] };
    const plan = await planOf({
      server: { settings: { redoLogMiB: 64 }, options: ['--innodb-io-capacity=500'] },
      servers: { plain: {}, big },
      grid: { servers: ['plain', 'big'], storages: ['named-volume'], paths: ['published-port'] },
      baseline: 'plain.named-volume.published-port',
    });
    expect(plan.configs.map(({ settings }) => [settings.bufferPoolMiB, settings.redoLogMiB])).toEqual([
      [256, 64],
      [512, 64],
    ]);
    expect(plan.configs[1]?.options).toEqual(['--innodb-io-capacity=500', '--innodb-io-capacity=900']);
    expect(plan.scenarios[2]?.label.server).toBe('Big pool');
  });

  const onNfs = (path: string, more: object = {}) => ({
    kind: 'nfs',
    nfs: { address: '192.0.2.1', path, ...more },
  });

  it('gives storages that are other places other servers, whatever they are called', async () => {
    const plan = await planOf({
      storages: {
        ...{ 'tmpfs-64': 'bind-mount', 'my8.nfs': onNfs('/a'), nfs: onNfs('/a'), other: onNfs('/b') },
        ...{ v3: onNfs('/a', { version: '3', soft: true }), tmpfs: { kind: 'tmpfs', sizeMiB: 640 } },
      },
      servers: { my8: {} },
      scenarios: [
        { id: 'a', storage: 'nfs', path: 'published-port' },
        { id: 'a-again', storage: 'nfs', path: 'container-ip' },
        { id: 'b', storage: 'other', path: 'published-port' },
        { id: 'a-v3', storage: 'v3', path: 'published-port' },
        { id: 'a-host', storage: 'nfs', path: 'host-network' },
        { id: 'tmpfs', storage: 'tmpfs', path: 'published-port' },
        { id: 'bind', storage: 'tmpfs-64', path: 'published-port' },
        { id: 'default-dotted', storage: 'my8.nfs', path: 'published-port' },
        { id: 'my8', server: 'my8', storage: 'nfs', path: 'published-port' },
      ],
      baseline: 'a',
    });
    const servers = Object.fromEntries(plan.scenarios.map(({ id, serverId }) => [id, serverId]));
    expect(servers['a-again']).toBe(servers['a']);
    expect(new Set(Object.values(servers)).size).toBe(9);
    // An id is in every result that is shared, so it has no address.
    expect(Object.values(servers).join(' ')).not.toContain('192.0.2.1');
    expect(plan.notices.map(({ code, scenarioId }) => [code, scenarioId])).toEqual([['SOFT_MOUNT', 'a-v3']]);
    // A repetition tells them apart.
    const repeated = presetOfPlan(plan)?.preset ?? expect.fail();
    expect(presetScenarios(repeated).map(({ id, storage, server }) => [id, storage, server])).toEqual(
      plan.scenarios
        .filter(({ isAaRepeat }) => !isAaRepeat)
        .map(({ id, storage, server }) => [id, storage, server ?? undefined]),
    );
  });

  it('looks at every device', async () => {
    const parent = newFolder();
    const [folder, link] = [join(parent, 'folder'), join(parent, 'link')];
    await mkdir(folder);
    await symlink(folder, link);
    const bound = (device: string) => ({
      kind: 'volume-options',
      options: { type: 'none', device, o: 'bind' },
    });
    await expect(
      planOf({
        storages: { fine: bound(folder), refused: bound(link) },
        grid: { storages: ['fine', 'refused'], paths: ['published-port'] },
        baseline: 'fine.published-port',
      }),
    ).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [{ text: `storages.refused.options.device: ${link}: It is a symbolic link.` }],
    });
  });

  describe('asks for a consent', () => {
    const consentsOf = async (fields: object, runtime = mysqlEngine()): Promise<string[]> =>
      (await planOf(fields, runtime)).consents.map(({ consent }) => consent);
    const onHost = (image: string, path = 'host-network'): object => ({
      server: { image },
      scenarios: [{ storage: 'named-volume', path }],
      baseline: `named-volume.${path}`,
      grid: undefined,
    });
    const withLocal = (reference: string, digest?: string): FakeRuntime => {
      const runtime = mysqlEngine();
      const pulled = digest === undefined ? [] : [`${reference.split(':')[0]}@${digest}`];
      const references = [reference, ...pulled];
      runtime.addImage(reference, { references, env: { MYSQL_VERSION: '8.4.10' } });
      return runtime;
    };

    it.each([
      [{ kind: 'command', limitSeconds: 60 }, ['own-command']],
      [{ kind: 'dump', bytes: 1 }, []],
      [undefined, []],
    ] as const)('before it runs what only the user knows: %j', async (task, consents) => {
      const plan = await planOf(onHost('mysql:8.4', 'published-port'), mysqlEngine(), { task });
      expect(plan.consents.map(({ consent }) => consent)).toEqual(consents);
    });

    it.each(['mysql:8.4', 'docker.io/library/mysql:8.4', 'mariadb:11.8', 'percona/percona-server:8.4'])(
      'for nothing when %s gets the host’s network',
      async (image) => expect(await consentsOf(onHost(image))).toEqual([]),
    );

    it.each(['evil/mysql:8.4', 'registry.example:5000/mysql:8.4', 'mysql.example/library/mysql:8.4'])(
      'when %s would get the host’s network, and only then',
      async (image) => {
        expect(await consentsOf(onHost(image))).toEqual(['host-network']);
        expect((await planOf(onHost(image))).consents[0]?.message.text).toContain(image);
        expect(await consentsOf(onHost(image), withLocal(image))).toEqual(['host-network']);
        expect(await consentsOf(onHost(image, 'published-port'))).toEqual([]);
      },
    );

    it('for a test’s image only where it does not come from here', async () => {
      const image = 'whalemark-test/mysql:debian-sid';
      for (const local of [image, `localhost/${image}`]) {
        expect(await consentsOf(onHost(local), withLocal(local))).toEqual([]);
      }
      expect(await consentsOf(onHost(image), withLocal(image, `sha256:${'ab'.repeat(32)}`))).toEqual([
        'host-network',
      ]);
      expect(await consentsOf(onHost(image))).toEqual(['host-network']);
    });
  });

  it('connects to no registry that only the preset names: the pull tells what it has', async () => {
    const image = 'registry.example:5000/team/mysql:8.4';
    const fields = {
      server: { image },
      grid: { storages: ['named-volume'], paths: ['published-port'] },
      baseline: 'named-volume.published-port',
    };
    const asked = (runtime: FakeRuntime): string[] =>
      runtime.calls.filter((call) => call.startsWith('probeRegistry') && call.includes('mysql'));
    const runtime = mysqlEngine();
    const plan = await planOf(fields, runtime);
    expect(asked(runtime)).toEqual([]);
    expect(plan.toPrepare).toContainEqual({ kind: 'pull', reference: image, bytes: null });
    const own = mysqlEngine();
    await planOf(fields, own, { imageNamedByUser: true });
    expect(asked(own)).toEqual([`probeRegistry ${image}`]);
    const hub = mysqlEngine();
    await planOf({ ...fields, server: { image: 'team/mysql:8.4' } }, hub);
    expect(asked(hub)).toEqual(['probeRegistry team/mysql:8.4']);
  });

  it('leaves out only the scenarios whose image can not be had', async () => {
    const runtime = mysqlEngine();
    runtime.images.probeRegistry = (reference) =>
      Promise.reject(new BenchmarkError('IMAGE_NOT_FOUND', { image: reference, reason: 'none', local: '' }));
    const fields = {
      servers: { mysql: {}, percona: { image: 'percona/percona-server:8.4' } },
      grid: { servers: ['mysql', 'percona'], storages: ['named-volume'], paths: ['published-port'] },
      baseline: 'mysql.named-volume.published-port',
    };
    const plan = await planOf(fields, runtime);
    expect(plan.excluded.map(({ id }) => id)).toEqual(['percona.named-volume.published-port']);
    expect(plan.excluded[0]?.reason).toMatchObject({
      code: 'error.IMAGE_NOT_FOUND',
      params: { image: 'percona/percona-server:8.4' },
    });
    expect(plan.configs.map(({ id }) => id)).toEqual(['mysql']);

    runtime.imagesMade.length = 0;
    await expect(planOf(fields, runtime)).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });

  it('leaves out a server that differs in the name of its image alone', async () => {
    const runtime = mysqlEngine();
    runtime.imagesMade[0]?.references.push('mysql:8');
    const fields = {
      servers: { own: {}, newest: { image: 'mysql:8' } },
      grid: {
        servers: ['own', 'newest'],
        storages: ['named-volume', 'bind-mount'],
        paths: ['published-port'],
      },
      baseline: 'own.named-volume.published-port',
    };
    const { excluded } = await planOf(fields, runtime);
    expect(excluded.map(({ id, reason }) => [id, reason.code])).toEqual([
      ['newest.named-volume.published-port', 'plan.sameImage'],
      ['newest.bind-mount.published-port', 'plan.sameImage'],
    ]);
  });

  it('leaves out only the scenarios whose client image can not be had, also as baselines', async () => {
    const runtime = offline();
    const grid = { storages: ['named-volume'], paths: ['published-port', 'user-bridge'] };
    const baseline = ['named-volume.user-bridge', 'named-volume.published-port'];
    const plan = await planOf({ grid, baseline }, runtime);
    expect(plan.excluded).toMatchObject([
      { id: 'named-volume.user-bridge', reason: { code: 'error.CLIENT_IMAGE_MISSING' } },
    ]);
    expect(plan.baselineId).toBe('named-volume.published-port');
    expect(plan.notices.map(({ code }) => code)).toContain('BASELINE_REPLACED');
    await expect(planOf({ grid, baseline: baseline[0] }, runtime)).rejects.toMatchObject({
      code: 'PRESET_INVALID',
    });
    runtime.addImage('node:22', { env: { NODE_VERSION: '22.1.0' } });
    const replaced = await planOf({ grid, baseline }, runtime);
    expect(replaced.clientImage).toEqual({ reference: 'node:22', reason: 'none' });
    expect(replaced.notices.map(({ code }) => code)).toContain('CLIENT_IMAGE_SUBSTITUTED');
  });

  it('fails where the engine is lost while it looks for a client image', async () => {
    const runtime = mysqlEngine();
    const lost = new BenchmarkError('ENGINE_LOST', { action: 'x', reason: 'y' });
    runtime.failing.set(`inspectImage ${NODE_IMAGE}`, lost);
    const grid = { storages: ['named-volume'], paths: ['user-bridge', 'published-port'] };
    const loadGenerator = ['builtin', 'sysbench'];
    const fields = { grid, loadGenerator, baseline: 'named-volume.published-port' };
    await expect(planOf(fields, runtime)).rejects.toBe(lost);
  });

  it('leaves out sysbench on another machine whose Node image, which loads the data, can not be had', async () => {
    const runtime = offline(mysqlEngine({ remote: true, vm: true }));
    const clientImageFiles = { Dockerfile: 'FROM ${BASE}' };
    runtime.addImage(sysbenchTag(clientImageFiles));
    const grid = { storages: ['named-volume'], paths: ['user-bridge'] };
    const fields = { grid, loadGenerator: 'sysbench', baseline: 'named-volume.user-bridge' };
    await expect(planOf(fields, runtime, { clientImageFiles })).rejects.toMatchObject({
      code: 'NOTHING_TO_RUN',
      evidence: [{ params: { problem: { code: 'error.CLIENT_IMAGE_MISSING' } } }],
    });
  });

  it('compares each load generator with its own baseline, and repeats only the first’s', async () => {
    const plan = await planOf({
      grid: { storages: ['named-volume'], paths: ['published-port', 'user-bridge'] },
      loadGenerator: ['builtin', 'sysbench'],
      baseline: 'named-volume.user-bridge',
    });
    for (const { loadGenerator, baselineId } of plan.scenarios)
      expect(baselineId).toBe(`named-volume.user-bridge.${loadGenerator}`);
    const again = plan.scenarios.filter(({ isAaRepeat }) => isAaRepeat);
    expect(again.map(({ loadGenerator }) => loadGenerator)).toEqual(['builtin']);
    expect(plan.baselineId).toBe('named-volume.user-bridge.builtin');
    // sysbench is in a container wherever Whalemark's own client would be, and one server serves both.
    const published = plan.scenarios.filter(({ path }) => path === 'published-port');
    expect(published.map(({ placement }) => placement)).toEqual(['host', 'container']);
    const servers = plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat).map(({ serverId }) => serverId);
    expect(new Set(servers).size).toBe(1);
  });
});
