import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findDatabases, databaseOfContainer } from '../../../src/benchmark/database/container-databases.ts';
import { planSchema } from '../../../src/shared/model/plan.ts';
import { takingTurns } from '../../helpers/taking-turns.ts';
import { realBench } from '../helpers/bench.ts';

const IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8';
const NAME = `own-setup-${process.pid}`;
/** A word in files that Whalemark reads but must not print or keep. */
const CANARY = 'canary-4Xq9';

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim();

/** The checksum of all files below a folder, which a container's user may own. */
function checksum(folder: string): string {
  const mount = `${folder}:/it:ro`;
  const files = docker(
    'run',
    '--rm',
    '-v',
    mount,
    '--entrypoint',
    'sh',
    IMAGE,
    '-c',
    'cd /it && find . -type f | sort | xargs cksum',
  );
  return createHash('sha256').update(files).digest('hex');
}

async function textsBelow(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

async function database(dataDir: string, ...args: string[]) {
  const child = spawn(process.execPath, ['out/cli/whalemark.cjs', 'setup', ...args], {
    env: { ...process.env, WHALEMARK_HOME: dataDir, DB_IMAGE: IMAGE, DB_PASSWORD: CANARY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  expect(stdout + stderr).not.toContain(CANARY);
  return { exitCode, stdout, stderr };
}

const small = [
  ...['--connections', '2'],
  ...takingTurns(1),
  ...['--set', 'workload={"tables":1,"tableSize":1000}', '--set', 'aaCheck=false'],
];

describe('a user’s own container', () => {
  const bench = realBench();
  let shop = '';

  beforeAll(async () => {
    shop = join(bench.dataDir, 'shop');
    await mkdir(join(shop, 'data'), { recursive: true });
    await mkdir(join(shop, 'conf.d'));
    await writeFile(
      join(shop, 'conf.d', 'own.cnf'),
      `[mysqld]\nsort_buffer_size = 2M\nplugin_load_add = ${CANARY}.so\ninnodb_buffer_pool_size = 64M\n`,
    );
    docker(
      ...['run', '--detach', '--name', NAME, '--memory', '700m', '--cpus', '1.5'],
      ...['--env', `MARIADB_ROOT_PASSWORD=${CANARY}`, '--publish', '127.0.0.1::3306'],
      ...['--volume', `${join(shop, 'data')}:/var/lib/mysql`],
      ...['--volume', `${join(shop, 'conf.d')}:/etc/mysql/conf.d:ro`],
      ...[IMAGE, 'mariadbd', '--innodb-log-file-size=64M', `--init-file=/${CANARY}`],
    );
    docker('stop', NAME);
  });
  afterAll(async () => {
    docker('rm', '--force', '--volumes', NAME);
    // Files of the container's user.
    docker('run', '--rm', '-v', `${shop}:/it`, '--entrypoint', 'sh', IMAGE, '-c', 'rm -rf /it/data/*');
    await rm(shop, { recursive: true, force: true });
  });

  const whalemark = (...args: string[]) => database(bench.dataDir, NAME, ...args);

  it('is read with the options of its volume, even if it never ran', async () => {
    const volume = `${NAME}-volume`;
    const options = ['type=tmpfs', 'device=tmpfs', 'o=size=64m'].flatMap((one) => ['--opt', one]);
    docker('volume', 'create', ...options, volume);
    try {
      docker('create', '--name', volume, '--network', 'host', '--volume', `${volume}:/var/lib/mysql`, IMAGE);
      expect((await databaseOfContainer(bench.runtime, volume))?.services[0]).toMatchObject({
        storage: { kind: 'tmpfs', spec: { kind: 'tmpfs', sizeMiB: 64 }, place: volume },
        path: { kind: 'host-network', port: 3306 },
        container: { running: false },
        refusal: null,
      });
    } finally {
      docker('rm', '--force', volume);
      docker('volume', 'rm', volume);
    }
    expect(await databaseOfContainer(bench.runtime, volume)).toBeUndefined();
  });

  it('is found and read as it is, without its passwords', async () => {
    const databases = await findDatabases(bench.runtime);
    const own = databases.find(({ source }) => source.kind === 'container' && source.name === NAME);
    expect(JSON.stringify(databases)).not.toContain(CANARY);
    expect(own?.services[0]).toMatchObject({ flavor: 'mariadb', container: { running: false } });

    const { exitCode, stdout } = await whalemark('--json');
    expect(exitCode).toBe(0);
    const { services } = z
      .object({ services: z.array(z.record(z.string(), z.unknown())) })
      .parse(JSON.parse(stdout));
    expect(services).toMatchObject([
      {
        ...{ name: NAME, flavor: 'mariadb', image: IMAGE, limits: { cpus: 1.5, memoryMiB: 700 } },
        storage: { kind: 'bind-mount', place: join(shop, 'data'), datadir: '/var/lib/mysql' },
        path: { kind: 'published-port', client: null },
        options: ['--sort_buffer_size=2M', '--innodb_buffer_pool_size=64M', '--innodb-log-file-size=64M'],
        warnings: [{ code: 'compose.droppedOption' }, { code: 'yourDatabase.leftOut' }],
      },
    ]);
  });

  it('is measured in Whalemark’s folder, since it has no Compose file, and stays as it was', async () => {
    const state = (): string => docker('inspect', NAME, '--format', '{{json .State}}{{json .HostConfig}}');
    const before = [checksum(join(shop, 'data')), state()];

    const plan = planSchema.parse(JSON.parse((await whalemark('--plan', '--json', ...small)).stdout));
    expect(plan.baselineId).toBe('bind-mount.published-port');
    expect([plan.bindRoot, plan.consents]).toEqual([null, []]);

    const out = join(bench.dataDir, 'out');
    const few = plan.scenarios
      .filter(({ id }) => /^(bind-mount|named-volume|without-limits\.bind-mount)\.published-port$/.test(id))
      .map(({ server, storageId: storage, path }) => ({
        ...(server === null ? {} : { server }),
        storage,
        path,
      }));
    const { exitCode, stdout, stderr } = await whalemark(
      ...['--run', '--json', '--output', out, ...small],
      ...['--set', `scenarios=${JSON.stringify(few)}`],
    );
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    const summary = z
      .object({
        effects: z.array(z.object({ factor: z.string(), level: z.string(), ratio: z.number().nullable() })),
        scenarios: z.array(z.object({ id: z.string(), tps: z.number().nullable() })),
      })
      .parse(JSON.parse(stdout));
    expect(summary.effects.map(({ factor, level }) => `${factor}.${level}`)).toEqual([
      'storage.named-volume',
      'server.without-limits',
    ]);
    for (const { tps } of summary.scenarios) expect(tps).toBeGreaterThan(0);
    const shared = await readFile(join(out, 'result.json'), 'utf8');
    const { plan: measured } = z
      .looseObject({ state: z.looseObject({ plan: planSchema }) })
      .parse(JSON.parse(shared)).state;
    expect(measured.configs.map(({ id, limits }) => [id, limits.memoryMiB])).toEqual(
      expect.arrayContaining([
        ['default', 700],
        ['without-limits', null],
      ]),
    );
    // The shared result shows only that there was a database.
    expect(measured.database?.source.kind).toBe('container');
    expect(await textsBelow(out)).not.toContain(NAME);

    expect([checksum(join(shop, 'data')), state()]).toEqual(before);
    expect((await readdir(shop)).sort()).toEqual(['conf.d', 'data']);
    expect(await textsBelow(join(bench.dataDir, 'runs'))).not.toContain(CANARY);
    expect(await textsBelow(join(bench.dataDir, 'logs'))).not.toContain(CANARY);
  });
});

describe('a user’s own Compose file', () => {
  const bench = realBench();
  let shop = '';

  beforeAll(async () => {
    shop = join(bench.dataDir, 'shop');
    await cp('tests/fixtures/database-run', shop, { recursive: true });
    await mkdir(join(shop, 'data'));
    await writeFile(join(shop, 'data', 'ibdata1'), 'theirs');
  });

  const compose = (): string => join(shop, 'compose.yaml');

  it('is measured, and its own files stay as they are', async () => {
    const before = [checksum(shop), await readFile(compose(), 'utf8')];
    const pair = ['bind-mount', 'named-volume'].map((storage) => ({ storage, path: 'user-bridge' }));
    const refused = await database(bench.dataDir, compose(), '--run', ...small);
    expect([refused.exitCode, /--allow database-folder/.test(refused.stderr)]).toEqual([2, true]);
    const { exitCode, stdout, stderr } = await database(
      ...[bench.dataDir, compose(), '--override', '--allow', 'database-folder', '--json', ...small],
      ...['--set', `scenarios=${JSON.stringify(pair)}`, '--set', 'servers={}'],
    );
    expect(exitCode, stderr).toBe(0);
    const said = JSON.parse(stdout) as object;
    expect(said).toMatchObject({
      preset: 'your-database',
      effects: [{ factor: 'storage', level: 'named-volume' }],
    });
    // One round gives no interval, so nothing is measured as faster.
    expect(said).toMatchObject({ override: null });
    expect([checksum(shop), await readFile(compose(), 'utf8')]).toEqual(before);
  });
});
