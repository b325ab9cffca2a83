import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takingTurns } from '../helpers/taking-turns.ts';
import { docker } from '../integration/helpers/docker-server.ts';
import { up } from '../integration/helpers/real-compose.ts';
import { HAS_BRIDGE, program } from './support/engine.ts';
import { summarySchema, trialsOf } from './support/summary.ts';

const IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8';
const PASSWORD = 'a-password-of-the-test';

describe('a project with a database', () => {
  const { dataDir, whalemark } = program();
  const env = { DB_IMAGE: IMAGE, DB_PASSWORD: PASSWORD };
  let shop = '';
  let project: Awaited<ReturnType<typeof up>>;
  let db = '';

  beforeAll(async () => {
    shop = join(dataDir(), 'shop');
    await cp('tests/fixtures/database-run', shop, { recursive: true });
    await mkdir(join(shop, 'data'));
    project = await up(shop, [], { database: 'db', env });
    db = await project.container('db');
  });
  afterAll(async () => {
    await project.down();
    await rm(shop, { recursive: true, force: true });
  });

  it.each(['its file', 'its container'])('is read by %s as it is', async (by) => {
    const target = by === 'its file' ? join(shop, 'compose.yaml') : db;
    const { exitCode, stdout } = await whalemark(['setup', target, '--json'], env);
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain(PASSWORD);
    expect(JSON.parse(stdout)).toMatchObject({
      services: [
        {
          ...{ flavor: 'mariadb', refusal: null, limits: { cpus: null, memoryMiB: 700 } },
          storage: { kind: 'bind-mount', place: join(shop, 'data'), datadir: '/var/lib/mysql' },
        },
      ],
    });
  });

  it('is measured beside itself while it runs, and stays as it is', async () => {
    const state = (): Promise<string> =>
      docker('inspect', db, '--format', '{{.Id}} {{.State.StartedAt}} {{.State.Status}}');
    const before = await state();
    const path = HAS_BRIDGE ? 'user-bridge' : 'published-port';
    const pair = ['bind-mount', 'named-volume'].map((storage) => ({ storage, path }));
    const { exitCode, stdout, stderr } = await whalemark(
      [
        ...['setup', join(shop, 'compose.yaml'), '--run', '--allow', 'database-folder', '--json'],
        ...['--connections', '2', ...takingTurns(1, 2), '--set', 'aaCheck=false', '--set', 'servers={}'],
        ...['--set', 'workload={"tables":1,"tableSize":1000}', '--set', `scenarios=${JSON.stringify(pair)}`],
        ...['--set', `baseline=bind-mount.${path}`],
      ],
      env,
    );
    expect(exitCode, stderr).toBe(0);
    const summary = summarySchema.parse(JSON.parse(stdout));
    expect(trialsOf(summary)).toEqual({ [`bind-mount.${path}`]: [1, 0], [`named-volume.${path}`]: [1, 0] });
    expect(await state()).toBe(before);
  });
});
