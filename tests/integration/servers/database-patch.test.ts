import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/benchmark/servers/start/container-servers.ts';
import { readComposeFiles } from '../../../src/benchmark/database/open-database.ts';
import type { DatabaseChange, DatabaseService } from '../../../src/shared/model/database.ts';
import { patchFileName } from '../../../src/shared/project/patch/moves.ts';
import { databasePatch } from '../../../src/shared/project/patch/patch.ts';
import { ENGLISH } from '../../../src/shared/words/i18n.ts';
import { commandsText, patchText } from '../../../src/shared/words/database-patch-wording.ts';
import { sampled } from '../../helpers/tier.ts';
import { composeUp, untilReady } from '../helpers/compose-up.ts';
import { docker } from '../helpers/docker-server.ts';

const IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'whalemark-test/mariadb:debian-trixie';
const PASSWORD = 'a-password-of-the-test';
const run = promisify(execFile);

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Answers for `docker compose`, which is not here, and leaves everything else to the docker command. */
const DOCKER = (real: string, container: string): string => `#!/bin/sh
if [ "$1" = compose ]; then
  echo "$@" >>"$(dirname "$0")/compose.log"
  case " $* " in *" ps "*) echo ${container} ;; esac
  exit 0
fi
exec ${real} "$@"
`;

async function project(lines: readonly string[]) {
  // Quotes and spaces: the commands are for a shell.
  const root = await mkdtemp(join(tmpdir(), 'whalemark-setup-'));
  const folder = join(root, "the user's shop, it's");
  const bin = join(root, 'bin');
  await mkdir(folder);
  await mkdir(bin);
  const name = `whalemark-test-${randomUUID().slice(0, 8)}`;
  const file = join(folder, 'compose.yaml');
  const text = [
    'services:',
    '  db:',
    `    image: ${IMAGE}`,
    '    environment:',
    `      MARIADB_ROOT_PASSWORD: ${PASSWORD}`,
    ...lines.map((line) => `    ${line}`),
    '',
  ].join('\n');
  await writeFile(file, text);
  const real = (await run('sh', ['-c', 'command -v docker'])).stdout.trim();
  await writeFile(join(bin, 'docker'), DOCKER(real, `${name}-db`));
  await chmod(join(bin, 'docker'), 0o755);
  cleanups.push(async () => {
    // What servers wrote belongs to their user.
    await docker(
      'run',
      '--rm',
      '--volume',
      `${root}:/root-of-test`,
      '--entrypoint',
      'find',
      IMAGE,
      '/root-of-test',
      '-mindepth',
      '2',
      '-delete',
    );
    await rm(root, { recursive: true, force: true });
  });
  return {
    name,
    folder,
    file,
    read: () => readFile(file, 'utf8'),
    /** All commands, as a user pastes them. */
    paste: (commands: readonly string[]) =>
      run('sh', ['-c', commandsText(commands)], {
        cwd: folder,
        env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
      }),
    composeCalls: () => readFile(join(bin, 'compose.log'), 'utf8'),
    /** Under another name next to the first, which Compose would replace. */
    start: async (as = name) => {
      const started = await composeUp(await readFile(file, 'utf8'), { project: name, name: as, folder });
      cleanups.push(started.undo);
      return started;
    },
  };
}

type Project = Awaited<ReturnType<typeof project>>;

function serviceOf(storage: Partial<DatabaseService['storage']>, port: number | null = null) {
  return {
    name: 'db',
    image: IMAGE,
    flavor: 'mariadb' as const,
    storage: {
      kind: 'anonymous-volume' as const,
      spec: null,
      place: null,
      driver: null,
      datadir: '/var/lib/mysql',
      at: null,
      ...storage,
    },
    path: { kind: 'published-port' as const, client: null, port, at: null },
    otherPaths: [],
  };
}

async function patchFor(
  { name, file, folder }: Project,
  change: DatabaseChange,
  service: ReturnType<typeof serviceOf>,
) {
  const { project: read } = await readComposeFiles([file], { environment: {} });
  const made = databasePatch({
    project: read,
    source: { kind: 'compose', files: [file], project: name },
    service,
    change,
    gain: { value: 1.4, low: 1.3, high: 1.5 },
    measured: IMAGE,
    isVm: false,
    poolOptions: ['--innodb-buffer-pool-size=256M', '--innodb-log-file-size=128M'],
  });
  if ('refusal' in made) throw new Error(made.refusal.text);
  await writeFile(join(folder, patchFileName(change)), patchText(made, ENGLISH));
  return made;
}

const sql = (container: string, statement: string): Promise<string> =>
  docker(
    'exec',
    container,
    'mariadb',
    '--user=root',
    `--password=${PASSWORD}`,
    '--skip-column-names',
    '--execute',
    statement,
  );

const FILL = `CREATE DATABASE shop; CREATE TABLE shop.orders (id INT PRIMARY KEY AUTO_INCREMENT, note CHAR(100));
  USE shop; INSERT INTO orders (note) SELECT MD5(seq) FROM seq_1_to_5000`;
const CHECKSUM = 'CHECKSUM TABLE shop.orders EXTENDED';

interface Move {
  name: string;
  lines: string[];
  to: string;
  storage: (own: Project) => Partial<DatabaseService['storage']>;
}

const MOVES: Move[] = [
  {
    name: 'from a folder to a named volume',
    lines: ['volumes: ["./data:/var/lib/mysql"]'],
    to: 'named-volume',
    storage: ({ folder }) => ({ kind: 'bind-mount', place: join(folder, 'data') }),
  },
  {
    name: 'from a volume without a name to a folder',
    lines: [],
    to: 'bind-mount',
    storage: () => ({}),
  },
  {
    name: 'from the container’s layer to a named volume',
    lines: ['command: --datadir=/srv/mysql'],
    to: 'named-volume',
    storage: () => ({ kind: 'container-layer', datadir: '/srv/mysql' }),
  },
];

describe('the commands of a patch', () => {
  it.each(sampled(MOVES, 2))('move the data $name and back, every row', async ({ lines, to, storage }) => {
    const own = await project(lines);
    const before = await own.read();
    const old = await own.start();
    await sql(old.db, FILL);
    const checksum = await sql(old.db, CHECKSUM);
    const patch = await patchFor(own, { factor: 'storage', level: to }, serviceOf(storage(own)));

    await docker('stop', '--time', '60', old.db);
    if (to === 'named-volume') cleanups.push(() => docker('volume', 'rm', '--force', `${own.name}_db-data`));
    await own.paste(patch.moves.there);
    expect(await own.read()).not.toBe(before);
    const moved = await own.start(`${own.name}-new`);
    expect(await sql(moved.db, CHECKSUM)).toBe(checksum);

    await sql(moved.db, "REPLACE INTO shop.orders VALUES (9999, 'after the move')");
    const later = await sql(moved.db, CHECKSUM);
    await docker('stop', '--time', '60', moved.db);
    await own.paste(patch.moves.back);
    expect(await own.read()).toBe(before);
    await docker('start', old.db);
    await untilReady(old.db);
    expect(await sql(old.db, CHECKSUM)).toBe(later);
    expect(await own.composeCalls()).toContain(`compose --project-name ${own.name} up --detach db\n`);
  });
});

describe('the patched service', () => {
  const changes = [
    {
      level: 'relaxed-flush',
      lines: ['command: [--sync-binlog=1, --log-bin]'],
      sql: 'SELECT @@innodb_flush_log_at_trx_commit, @@sync_binlog',
      shows: '2\t0',
    },
    {
      level: 'no-binary-log',
      lines: ['command: --log-bin --server-id=7'],
      sql: 'SELECT @@log_bin',
      shows: '0',
    },
    {
      level: 'large-pool',
      lines: ['command: [--innodb-buffer-pool-size=64M, --log-bin]'],
      sql: 'SELECT @@innodb_buffer_pool_size, @@innodb_log_file_size',
      shows: `${256 * 2 ** 20}\t${128 * 2 ** 20}`,
    },
    { level: 'without-limits', lines: ['mem_limit: 512m', 'cpus: 0.9'], sql: 'SELECT 1', shows: '1' },
  ];
  it.each(sampled(changes, 2))(
    'has $level in effect, and takes a login',
    async ({ level, lines, sql: statement, shows }) => {
      const own = await project(lines);
      const patch = await patchFor(own, { factor: 'server', level }, serviceOf({}));
      await run('git', ['apply', patchFileName(patch.change)], { cwd: own.folder });
      const { db } = await own.start();
      expect(await sql(db, statement)).toBe(shows);
      expect(await docker('inspect', '--format', '{{.HostConfig.NanoCpus}} {{.HostConfig.Memory}}', db)).toBe(
        '0 0',
      );
    },
  );

  it('is on the host’s network at its published port, on 127.0.0.1 only', async () => {
    const port = await freePort();
    const own = await project(['ports:', `  - "${port}:3306"`]);
    const patch = await patchFor(own, { factor: 'path', level: 'host-network' }, serviceOf({}, port));
    await run('git', ['apply', patchFileName(patch.change)], { cwd: own.folder });
    const { db } = await own.start();
    expect(await sql(db, 'SELECT @@bind_address, @@port')).toBe(`127.0.0.1\t${port}`);
  });
});
