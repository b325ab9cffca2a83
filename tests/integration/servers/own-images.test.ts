import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOfContainer } from '../../../src/benchmark/database/container-databases.ts';
import { asItAnswers } from '../../../src/benchmark/database/as-it-answers.ts';
import { prepareDatabase } from '../../../src/benchmark/plan/plan-of-database.ts';
import { serverOptions } from '../../../src/benchmark/servers/server-options.ts';
import { lacksOwnOptions } from '../../../src/shared/model/plan.ts';
import type { Database } from '../../../src/shared/model/database.ts';
import { sameValue } from '../../../src/shared/options/option.ts';
import { firstDatabase, resolved } from '../../unit/shared/compose/resolved.ts';
import { realBench, smallPlan } from '../helpers/bench.ts';
import { docker } from '../helpers/docker-server.ts';
import { untilReady } from '../helpers/real-compose.ts';

const MYSQL = process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4';
const MARIADB = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8';
const TAG = `own-images-${process.pid}`;

interface Stack {
  image: string;
  from: string;
  /** Files in the image. */
  files?: Record<string, string>;
  build?: string[];
  /** Arguments of its container; undefined: it never ran. */
  run?: string[];
  /** Options that were set in it and are measured. */
  set: string[];
}

const START = ['COPY start.sh /start.sh', 'ENTRYPOINT ["sh", "/start.sh"]'];

/** Images that set options in the ways of their publishers. */
const STACKS: Record<string, Stack> = {
  'an official image with a command': {
    image: MYSQL,
    from: '',
    run: [
      '--innodb-buffer-pool-size=192M',
      '--skip-log-bin',
      '--max-connections=77',
      '--sort-buffer-size=1M',
    ],
    set: ['max-connections', 'sort-buffer-size'],
  },
  'DDEV, never started': {
    image: `ddev/ddev-dbserver-mariadb-11.8:${TAG}`,
    from: MARIADB,
    files: {
      'my.cnf':
        '[mysqld]\nkey-buffer-size = 64M\ninnodb-flush-log-at-trx-commit = 2\ninnodb-buffer-pool-size = 1024M\n' +
        "innodb_doublewrite=0\ninit_connect='SET NAMES utf8mb4'\n!includedir /etc/mysql/more.d\n",
      'more.cnf': '[mysqld]\ntmp-table-size = 64M\n',
    },
    build: ['COPY my.cnf /etc/mysql/my.cnf', 'COPY more.cnf /etc/mysql/more.d/'],
    set: ['innodb-doublewrite', 'key-buffer-size', 'tmp-table-size'],
  },
  'Wodby, options by variables': {
    image: `wodby/mariadb:11.8-${TAG}`,
    from: MARIADB,
    files: {
      'start.sh':
        'printf "[mysqld]\\ntransaction_isolation=%s\\nsort_buffer_size=2M\\ninnodb_log_file_size=128M\\n" ' +
        '"$MYSQL_TRANSACTION_ISOLATION" > /etc/mysql/conf.d/z.cnf\nexec docker-entrypoint.sh mariadbd\n',
    },
    build: START,
    run: ['--env', 'MYSQL_TRANSACTION_ISOLATION=READ-COMMITTED'],
    set: ['sort-buffer-size', 'transaction-isolation'],
  },
  'Bitnami, a file and flags at the start': {
    image: `bitnamilegacy/mariadb:11.8-${TAG}`,
    from: MARIADB,
    files: {
      'start.sh':
        'printf "[mysqld]\\nmax_allowed_packet=16M\\nkey_buffer_size=32M\\n" > /etc/mysql/conf.d/z.cnf\n' +
        'exec docker-entrypoint.sh mariadbd $MARIADB_EXTRA_FLAGS\n',
    },
    build: START,
    run: ['--env', 'MARIADB_EXTRA_FLAGS=--innodb-doublewrite=OFF --innodb-flush-log-at-trx-commit=0'],
    set: ['innodb-doublewrite', 'key-buffer-size', 'max-allowed-packet'],
  },
  'LinuxServer.io, a file of its own': {
    image: `linuxserver/mariadb:11.8-${TAG}`,
    from: MARIADB,
    files: {
      'custom.cnf':
        '[mysqld]\nthread_stack=256K\nquery_cache_type=DEMAND\nlog_bin=mariadb-bin\nexpire_logs_days=10\n' +
        'innodb_buffer_pool_size=256M\n',
      'start.sh': 'exec docker-entrypoint.sh mariadbd --defaults-extra-file=/config/custom.cnf\n',
    },
    build: ['COPY custom.cnf /config/custom.cnf', ...START],
    run: [],
    set: ['expire-logs-days', 'query-cache-type', 'thread-stack'],
  },
  'a Dockerfile that writes options': {
    image: `shop/db:${TAG}`,
    from: MYSQL,
    build: [
      'RUN printf "[mysqld]\\nskip-log-bin\\nsort_buffer_size=1M\\ninnodb_doublewrite=OFF\\n" > /etc/mysql/conf.d/z.cnf',
    ],
    set: ['innodb-doublewrite', 'sort-buffer-size'],
  },
  'a name of another server': {
    image: `stack/mysql:v3-${TAG}`,
    from: MARIADB,
    build: ['RUN printf "[mariadb]\\ntable_open_cache=300\\n" > /etc/mysql/conf.d/z.cnf'],
    set: ['table-open-cache'],
  },
  'a mirror of an official image': {
    image: `registry.example.com/mirror/mariadb:11.8-${TAG}`,
    from: MARIADB,
    build: ['LABEL mirror=1'],
    set: [],
  },
};

describe('a user’s image', () => {
  const bench = realBench();
  const containers = new Map<string, string>();

  beforeAll(async () => {
    const starts = Object.entries(STACKS).map(async ([name, { image, from, files = {}, build, run }]) => {
      if (build !== undefined) {
        const Dockerfile = [`FROM ${from}`, ...build, ''].join('\n');
        const spec = { tag: image, files: { ...files, Dockerfile }, labels: {}, buildArgs: {} };
        await bench.runtime.images.build(spec, () => undefined, new AbortController().signal);
      }
      if (run === undefined) return;
      const password = image === MYSQL ? 'MYSQL_ROOT_PASSWORD' : 'MARIADB_ROOT_PASSWORD';
      const own = ['run', '--detach', '--env', `${password}=canary'"$x`];
      const [options, command] = build === undefined ? [[], run] : [run, []];
      containers.set(name, await docker(...own, ...options, image, ...command));
    });
    await Promise.all(starts);
    await Promise.all([...containers.values()].map(untilReady));
  });
  afterAll(async () => {
    const all = [...containers.values()];
    if (all.length > 0) await docker('rm', '--force', '--volumes', ...all);
    const built = Object.values(STACKS).flatMap(({ image, build }) => (build === undefined ? [] : [image]));
    await docker('rmi', '--force', ...built);
  });

  async function read(name: string, image: string): Promise<Database> {
    const id = containers.get(name);
    const running = id === undefined ? undefined : await databaseOfContainer(bench.runtime, id);
    const source = { kind: 'compose' as const, files: ['/srv/compose.yaml'], project: 'shop' };
    const { build, from } = STACKS[name] ?? {};
    const isBuilt = build !== undefined && image.startsWith('shop/');
    const own = isBuilt ? { build: { dockerfile_inline: `FROM ${from}` } } : {};
    const volumes = [{ type: 'volume', source: 'data', target: '/var/lib/mysql' }];
    return (
      running ?? { source, services: [await firstDatabase(resolved({ db: { image, volumes, ...own } }))] }
    );
  }

  /** The values that a server with these options reports. */
  async function valuesOf(image: string, options: readonly string[]): Promise<Map<string, string>> {
    const said = await docker('run', '--rm', '--user', 'mysql', image, ...options, '--verbose', '--help');
    const rows = [...said.matchAll(/^([a-z][\w-]+) +(\S.*)$/gm)];
    const values = new Map(rows.map(([, name = '', value = '']) => [name.replaceAll('-', '_'), value]));
    const isOff = /^(?:0|FALSE|\(No default value\))$/.test(values.get('log_bin') ?? '');
    // Servers choose the flush method only when they start.
    return values.set('log_bin', isOff ? 'OFF' : 'ON').set('innodb_flush_method', 'O_DIRECT');
  }

  it.each(Object.keys(STACKS))('is measured with the values that are in effect in %s', async (name) => {
    const { image, set, run } = STACKS[name] ?? { image: '', set: [] };
    const database = await read(name, image);
    const [service] = database.services;
    if (service === undefined) throw new Error('a database was expected');
    const answered = await asItAnswers(service, bench.runtime);
    const { preset, complete } = await prepareDatabase(database, answered, bench.runtime, bench.dataDir, {});
    const plan = complete(await smallPlan(bench.runtime, preset));
    const [config] = plan.configs;
    if (config === undefined) throw new Error('a config was expected');
    const { flavor, version } = config.image;
    const { settings, options } = config;
    expect(flavor).toBe(image === MYSQL || image.startsWith('shop/') ? 'mysql' : 'mariadb');
    expect(lacksOwnOptions(plan)).toBe(false);
    expect(options.map((one) => one.replace(/^--|=.*/g, '').replaceAll('_', '-')).sort()).toEqual(set);

    const started = [
      ...serverOptions({ flavor: flavor ?? 'mysql', version: version ?? '' }, settings, 8),
      ...options,
    ];
    const ours = await valuesOf(config.image.used, started);
    const theirs = Object.entries(answered.inEffect).filter(([key]) => key !== 'version');
    expect(theirs.length).toBeGreaterThanOrEqual(run === undefined ? set.length : 6);
    const differing = theirs.filter(([key, value]) => !sameValue(ours.get(key) ?? value, value));
    expect(differing).toEqual([]);
    expect(JSON.stringify([plan, answered])).not.toContain('canary');
  });
});
