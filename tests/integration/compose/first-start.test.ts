import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { firstStartHere } from '../../../src/benchmark/database/first-start.ts';
import { openDatabase } from '../../../src/benchmark/database/open-database.ts';
import { serviceOf } from '../../../src/shared/compose/database-preset.ts';
import { prepareDatabase } from '../../../src/benchmark/plan/plan-of-database.ts';
import { newFolder } from '../../helpers/folders.ts';
import { mysqlEngine, planned } from '../../unit/planned.ts';

const COMPOSE = `
services:
  db:
    build: .
    env_file: own.env
    environment:
      MYSQL_ROOT_PASSWORD_FILE: /run/secrets/root
      MYSQL_DATABASE: shop
      TZ: UTC
    volumes:
      - ./data:/var/lib/mysql
      - ./my.cnf:/etc/mysql/conf.d/my.cnf
      - ./initdb:/docker-entrypoint-initdb.d
      - ./fixtures:/fixtures
      - ./docker.sock:/var/run/docker.sock
      - other:/backups
    secrets: [root]
    configs:
      - source: late
        target: /docker-entrypoint-initdb.d/90-late.sql
    healthcheck: { test: mysqladmin ping, interval: 2s, retries: 4, start_period: 1m }
secrets: { root: { file: ./root.txt } }
configs: { late: { file: ./late.sql } }
volumes: { other: {} }
`;

function project(): string {
  const folder = join(newFolder(), 'shop');
  const files: Record<string, string> = {
    'compose.yaml': COMPOSE,
    Dockerfile: 'FROM mysql:8.4\nCOPY seeds/*.sql /docker-entrypoint-initdb.d/\n',
    'own.env': 'MYSQL_USER=anna\nMYSQL_PASSWORD=canary-1\n',
    'root.txt': 'canary-2\n',
    'my.cnf': '[mysqld]\n',
    'late.sql': '12',
    'seeds/10-seed.sql': '1234',
    'initdb/20-dump.sql.gz': '12345678',
    'fixtures/rows.csv': '1',
    'data/ibdata1': 'theirs',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function read(folder: string, isInstead: boolean) {
  const { source, services } = await openDatabase({ target: folder });
  const [service] = services;
  if (service === undefined) throw new Error('no service');
  const found = await firstStartHere({ source, service, isInstead });
  const targets = found.start.mounts.map(({ target }) => target);
  return { ...found, targets };
}

it('has the scripts, the environment, and what they may read, but no data, option files, and sockets', async () => {
  const folder = project();
  const socket = createServer().listen(join(folder, 'docker.sock'));
  try {
    const { task, start, scripts, targets } = await read(folder, false);
    expect(targets).toEqual([
      '/docker-entrypoint-initdb.d/20-dump.sql.gz',
      '/fixtures',
      '/docker-entrypoint-initdb.d/90-late.sql',
      '/run/secrets/root',
    ]);
    expect(start.mounts[0]).toEqual({
      ...{ type: 'bind', source: join(folder, 'initdb/20-dump.sql.gz'), readOnly: true },
      target: '/docker-entrypoint-initdb.d/20-dump.sql.gz',
    });
    expect(start.env).toMatchObject({ MYSQL_PASSWORD: 'canary-1', TZ: 'UTC' });
    expect([...start.hidden].sort()).toEqual([
      ...['/run/secrets/root', 'anna', 'canary-1', 'canary-2', 'shop'],
    ]);
    // A packed script counts with its unpacked size.
    expect([scripts, task.ownStart]).toEqual([
      3,
      {
        bytes: 4 + 2 + 6 * 8,
        healthCheck: { intervalSeconds: 2, retries: 4, startPeriodSeconds: 60, isFooled: true },
      },
    ]);
    // Another image lacks the seeds of the Dockerfile.
    expect((await read(folder, true)).targets).toEqual([
      '/docker-entrypoint-initdb.d/10-seed.sql',
      ...targets,
    ]);
  } finally {
    socket.close();
  }
});

it('asks before scripts can read what is outside the project’s folder', async () => {
  const folder = project();
  const consentsWith = async (mount: string) => {
    const file = join(folder, 'compose.yaml');
    writeFileSync(file, `services: { db: { image: 'mysql:8.4', volumes: ['${mount}:/fixtures'] } }`);
    const runtime = mysqlEngine();
    const database = await openDatabase({ target: folder });
    const { preset, timed, complete } = await prepareDatabase(
      database,
      { service: serviceOf(database, 'db'), inEffect: {} },
      runtime,
      newFolder(),
      { timed: { task: { kind: 'ready' } } },
    );
    expect(timed.own?.start?.mounts).toHaveLength(1);
    return complete(await planned(preset, runtime)).consents.map(({ consent }) => consent);
  };
  expect(await consentsWith('./fixtures')).toEqual([]);
  expect(await consentsWith(dirname(folder))).toEqual(['project-files']);
});
