import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ADVICE, type AdviceCode } from '../../../src/shared/analysis/advice.ts';
import { kindsOf } from '../../../src/shared/kinds/kind.ts';
import { snippetOf } from '../../../src/shared/words/advice-wording.ts';
import { sampled } from '../../helpers/tier.ts';
import { makePlan } from '../../unit/builders.ts';
import { realBench } from '../helpers/bench.ts';
import { docker, TEST_LABEL } from '../helpers/docker-server.ts';
import { up as composeUp, untilReady } from '../helpers/real-compose.ts';
import { freePort } from '../../../src/benchmark/host/free-port.ts';

const IMAGES = {
  mysql: process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4',
  mariadb: process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8',
};
type Flavor = keyof typeof IMAGES;

const PASSWORD = 'a-password-of-the-test';
const cleanups: (() => Promise<unknown>)[] = [];

interface Snippet {
  services: Record<'db' | 'app', { command?: string | string[]; environment?: Record<string, string> }>;
}

/** Has Compose bring up the database of a snippet in a folder; `more` are options of the server. */
async function up(folder: string, text: string, more: string[] = []) {
  const own = await mkdtemp(join(folder, 'snippet-'));
  const file = parse(text.replaceAll('${MYSQL_ROOT_PASSWORD:?}', PASSWORD)) as Snippet;
  const { app, db } = file.services;
  if (more.length > 0) db.command = [...[db.command ?? []].flat().flatMap((one) => one.split(' ')), ...more];
  await writeFile(join(own, 'compose.yaml'), stringify(file));
  const { compose, container, down } = await composeUp(own, [], { database: 'db' });
  cleanups.push(down);
  return {
    variable: (name: string): string => app.environment?.[name] ?? '',
    asApp: (command: string[]) => compose('run', '--rm', '--no-deps', '-T', 'app', ...command),
    inDb: async (command: string[]) => docker('exec', await container('db'), ...command),
    ofDb: async (format: string) => docker('inspect', '--format', format, await container('db')),
  };
}

const CLIENT: Record<Flavor, string> = { mysql: 'mysql', mariadb: 'mariadb' };

function client(flavor: Flavor, where: string[], sql: string): string[] {
  return [
    CLIENT[flavor],
    '--user=root',
    `--password=${PASSWORD}`,
    ...where,
    '--skip-column-names',
    '--execute',
    sql,
  ];
}

function textOf(code: AdviceCode, flavor: Flavor): string | undefined {
  const plan = makePlan({ scenarios: [{ storage: 'named-volume', path: 'published-port' }] });
  const configs = plan.configs.map((config) => ({
    ...config,
    image: { ...config.image, requested: IMAGES[flavor], used: IMAGES[flavor], flavor },
    settings: {
      ...config.settings,
      ...({ bufferPoolMiB: 192, flushLogAtTrxCommit: 2, binlog: true, syncBinlog: 0 } as const),
    },
    limits: { ...config.limits, cpus: 1 },
  }));
  // The advice is about the volume.
  const pair = { scenarioId: plan.scenarios[0]?.id ?? '', referenceId: '' };
  // Any image with a client can be the app.
  return snippetOf({ code, pair }, { ...plan, configs })?.text.replace('your-app', IMAGES[flavor]);
}

describe('snippets of recommendations', () => {
  const bench = realBench();
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const checks: Partial<Record<AdviceCode, (flavor: Flavor, text: string) => Promise<void>>> = {
    'use-named-volume': isOnVolume,
    'leave-nfs': isOnVolume,
    'keep-safe-storage': isOnVolume,
    'connect-over-bridge': reachesByName,
    'leave-overlay': reachesByName,
    'use-host-network': async (flavor, text) => {
      const port = await freePort();
      // The host's 3306 and 33060 may be in use.
      const xPort = await freePort();
      const { inDb, ofDb } = await up(bench.dataDir, text, [
        `--port=${port}`,
        `--loose-mysqlx-port=${xPort}`,
      ]);
      const sql = 'SELECT @@bind_address, @@port';
      expect(await inDb(client(flavor, [], sql))).toBe(`127.0.0.1\t${port}`);
      expect(await ofDb('{{.HostConfig.NetworkMode}}')).toBe('host');
      if (flavor === 'mariadb') return;
      const xPlugin = await inDb(client(flavor, [], 'SELECT @@mysqlx_bind_address, @@mysqlx_port'));
      expect(xPlugin).toBe(`127.0.0.1\t${xPort}`);
    },
    'share-network': async (flavor, text) => {
      const { variable, asApp, inDb } = await up(bench.dataDir, text);
      // MariaDB's own scripts leave this account without a password.
      const account = "'root'@'127.0.0.1'";
      const sql = `CREATE USER IF NOT EXISTS ${account}; ALTER USER ${account} IDENTIFIED BY '${PASSWORD}'`;
      await inDb(client(flavor, [], sql));
      const over = [`--host=${variable('DB_HOST')}`, '--protocol=TCP'];
      expect(await asApp(client(flavor, over, 'SELECT @@port'))).toBe('3306');
    },
    'use-socket': async (flavor, text) => {
      const { variable, asApp } = await up(bench.dataDir, text);
      const over = [`--socket=${variable('DB_SOCKET')}`, '--protocol=SOCKET'];
      expect(await asApp(client(flavor, over, 'SELECT 1'))).toBe('1');
    },
    'raise-cpu-limit': async (flavor, text) => {
      const { inDb, ofDb } = await up(bench.dataDir, text);
      expect(await inDb(client(flavor, [], 'SELECT 1'))).toBe('1');
      expect(await ofDb('{{.HostConfig.NanoCpus}}')).toBe('2000000000');
    },
    'test-in-memory': async (flavor, text) => {
      const { inDb } = await up(bench.dataDir, text);
      const datadir = await inDb(client(flavor, [], 'SELECT @@datadir'));
      expect(await inDb(['stat', '--file-system', '--format', '%T', datadir])).toBe('tmpfs');
    },
    'seed-image': async (flavor, text) => {
      const folder = join(bench.dataDir, flavor);
      await mkdir(folder);
      // Each stage leaves an image.
      const label = `whalemark-test.seed=${process.pid}`;
      await writeFile(join(folder, 'Dockerfile'), text.replaceAll(/^FROM .*$/gm, `$&\nLABEL ${label}`));
      await writeFile(join(folder, 'dump.sql'), 'CREATE DATABASE seeded;');
      const password = `${flavor === 'mariadb' ? 'MARIADB' : 'MYSQL'}_ROOT_PASSWORD=${PASSWORD}`;
      const built = ['build', '--quiet', '--label', TEST_LABEL, '--build-arg', password, folder];
      const image = await docker(...built);
      cleanups.push(async () => {
        const all = await docker('images', '--quiet', '--filter', `label=${label}`);
        await docker('rmi', ...all.split('\n'));
      });
      const id = await docker('run', '--detach', '--label', TEST_LABEL, image);
      cleanups.push(() => docker('rm', '--force', '--volumes', id));
      await untilReady(id);
      const found = await docker('exec', id, ...client(flavor, [], "SHOW DATABASES LIKE 'seeded'"));
      expect(found).toBe('seeded');
    },
    'relax-flush': async (flavor, text) => {
      const id = await withOptions(flavor, text);
      const sql = 'SELECT @@innodb_flush_log_at_trx_commit, @@sync_binlog';
      expect(await docker('exec', id, ...client(flavor, [], sql))).toBe('2\t0');
    },
    'enlarge-buffer-pool': async (flavor, text) => {
      const id = await withOptions(flavor, text);
      const sql = 'SELECT @@innodb_buffer_pool_size DIV 1048576';
      // InnoDB rounds up to whole chunks of 128 MiB.
      const found = Number(await docker('exec', id, ...client(flavor, [], sql)));
      expect([192, 256]).toContain(found);
    },
  };

  async function withOptions(flavor: Flavor, text: string): Promise<string> {
    const file = join(bench.dataDir, 'own.cnf');
    await writeFile(file, `${text}\n`, { mode: 0o644 });
    const id = await docker(
      ...['run', '--detach', '--label', TEST_LABEL, '--volume', `${file}:/etc/mysql/conf.d/own.cnf:ro`],
      ...['--env', `${flavor === 'mariadb' ? 'MARIADB' : 'MYSQL'}_ROOT_PASSWORD=${PASSWORD}`, IMAGES[flavor]],
    );
    cleanups.push(() => docker('rm', '--force', '--volumes', id));
    await untilReady(id);
    return id;
  }

  async function isOnVolume(flavor: Flavor, text: string): Promise<void> {
    const { inDb, ofDb } = await up(bench.dataDir, text);
    expect(await inDb(client(flavor, [], 'SELECT @@datadir'))).toBe('/var/lib/mysql/');
    expect(await ofDb('{{range .Mounts}}{{.Name}} {{.Destination}}{{end}}')).toMatch(
      /_db-data \/var\/lib\/mysql$/,
    );
  }

  async function reachesByName(flavor: Flavor, text: string): Promise<void> {
    const { variable, asApp } = await up(bench.dataDir, text);
    const over = [`--host=${variable('DB_HOST')}`, '--protocol=TCP'];
    expect(await asApp(client(flavor, over, 'SELECT @@port'))).toBe('3306');
  }

  it('are all started by these tests', () => {
    const withSnippet = kindsOf(ADVICE).filter((code) => textOf(code, 'mysql') !== undefined);
    expect(Object.keys(checks).sort()).toEqual(withSnippet.sort());
  });

  // Codes with the same snippet are started once.
  const distinct = Object.keys(checks).filter(
    (code, index, all) =>
      all.findIndex(
        (other) => textOf(other as AdviceCode, 'mysql') === textOf(code as AdviceCode, 'mysql'),
      ) === index,
  ) as AdviceCode[];
  const flavors = sampled<Flavor>(['mariadb', 'mysql'], 2);
  it.each(sampled(distinct, 2).flatMap((code) => flavors.map((flavor) => ({ code, flavor }))))(
    '$code starts on $flavor, with what it says in effect',
    async ({ code, flavor }) => {
      await checks[code]?.(flavor, textOf(code, flavor) ?? '');
    },
  );
});
