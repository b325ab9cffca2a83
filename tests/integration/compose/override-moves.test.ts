import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { overrideFor } from '../../../src/benchmark/compose/checked-override.ts';
import { readProject } from '../../../src/benchmark/compose/read-project.ts';
import { writeOverride } from '../../../src/benchmark/compose/write-override.ts';
import { freePort } from '../../../src/benchmark/host/free-port.ts';
import type { DatabaseChange, DatabaseOverride } from '../../../src/shared/model/database.ts';
import { commandsText } from '../../../src/shared/words/override-wording.ts';
import { sampled } from '../../helpers/tier.ts';
import { untilReady } from '../helpers/real-compose.ts';
import { docker } from '../helpers/docker-server.ts';

const IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'whalemark-test/mariadb:debian-trixie';
const PASSWORD = 'a-password-of-the-test';
const run = promisify(execFile);

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A `docker` that has Compose, even where Compose isn't its plugin. */
const DOCKER = (docker: string, compose: string): string => `#!/bin/sh
if [ "$1" = compose ]; then shift; exec ${compose} "$@"; fi
exec ${docker} "$@"
`;

async function project(lines: readonly string[]) {
  // Quotes and spaces have to pass through a shell.
  const root = await mkdtemp(join(tmpdir(), 'whalemark-setup-'));
  const folder = join(root, "the user's shop, it's");
  const bin = join(root, 'bin');
  const name = `whalemark-test-${randomUUID().slice(0, 8)}`;
  const file = join(folder, 'compose.yaml');
  await mkdir(folder);
  await mkdir(bin);
  const text = [
    `name: ${name}`,
    'services:',
    '  db:',
    `    image: ${IMAGE}`,
    '    environment:',
    `      MARIADB_ROOT_PASSWORD: ${PASSWORD}`,
    ...lines.map((line) => `    ${line}`),
  ].join('\n');
  await writeFile(file, text);
  const real = (await run('sh', ['-c', 'command -v docker'])).stdout.trim();
  await writeFile(
    join(bin, 'docker'),
    DOCKER(real, process.env['WHALEMARK_TEST_COMPOSE'] ?? 'docker-compose'),
  );
  await chmod(join(bin, 'docker'), 0o755);
  /** Runs all commands, as a user pastes them. */
  const paste = (commands: readonly string[]) =>
    run('sh', ['-c', commandsText(commands)], {
      cwd: folder,
      env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    });
  const volumes = new Set<string>();
  cleanups.push(async () => {
    await paste([`docker compose --project-name ${name} down --volumes --timeout 0`]);
    const named = await docker('volume', 'ls', '--quiet', '--filter', `name=${name}_`);
    const all = [...volumes, ...named.split('\n')].filter((one) => one !== '');
    if (all.length > 0) await docker('volume', 'rm', '--force', ...new Set(all));
    // Files of servers belong to the servers' user.
    const files = ['-mindepth', '2', '-delete'];
    await docker(
      'run',
      '--rm',
      '--volume',
      `${root}:/of-test`,
      '--entrypoint',
      'find',
      IMAGE,
      '/of-test',
      ...files,
    );
    await rm(root, { recursive: true, force: true });
  });
  return {
    name,
    paste,
    ready: async (): Promise<string> => {
      const { stdout } = await paste([`docker compose --project-name ${name} ps --quiet db`]);
      const container = stdout.trim();
      await untilReady(container);
      // Compose leaves a volume without a name when it replaces its container.
      const names = '{{range .Mounts}}{{.Name}} {{end}}';
      for (const name of (await docker('inspect', '--format', names, container)).split(' ')) {
        if (name !== '') volumes.add(name);
      }
      return container;
    },
    /** Writes the override of a change next to the user's file. */
    override: async (change: DatabaseChange): Promise<DatabaseOverride> => {
      const read = await readProject({ files: [file] });
      const [service] = read.services;
      if (service === undefined) throw new Error('no service');
      const made = await overrideFor({
        ...{ source: { kind: 'compose', files: [file], project: name }, project: read, service, change },
        ...{ measured: IMAGE, isVm: false },
        poolOptions: ['--innodb-buffer-pool-size=256M', '--innodb-log-file-size=128M'],
      });
      if ('refusal' in made) throw new Error(made.refusal.text);
      const override = { ...made, change, gain: { value: 1.4, low: 1.3, high: 1.5 } };
      await writeOverride(override);
      return override;
    },
  };
}

const sql = (container: string, statement: string): Promise<string> => {
  const login = ['--user=root', `--password=${PASSWORD}`, '--skip-column-names'];
  return docker('exec', container, 'mariadb', ...login, '--execute', statement);
};

const FILL = `CREATE DATABASE shop; CREATE TABLE shop.orders (id INT PRIMARY KEY AUTO_INCREMENT, note CHAR(100));
  USE shop; INSERT INTO orders (note) SELECT MD5(seq) FROM seq_1_to_5000`;
const CHECKSUM = 'CHECKSUM TABLE shop.orders EXTENDED';

const MOVES = [
  {
    name: 'from a folder to a named volume',
    lines: ['volumes: ["./data:/var/lib/mysql"]'],
    to: 'named-volume',
  },
  { name: 'from a volume without a name to a folder', lines: [], to: 'bind-mount' },
  {
    name: 'from the container’s layer to a named volume',
    lines: ['command: --datadir=/srv/mysql'],
    to: 'named-volume',
  },
];

describe('the commands of an override', () => {
  it.each(sampled(MOVES, 2))(
    'take the data $name, every row, and back to the old place',
    async ({ lines, to }) => {
      const own = await project(lines);
      await own.paste(['docker compose up --detach']);
      const old = await own.ready();
      await sql(old, FILL);
      const checksum = await sql(old, CHECKSUM);
      const { moves } = await own.override({ factor: 'storage', level: to });

      await own.paste(moves.there);
      const moved = await own.ready();
      expect(await sql(moved, CHECKSUM)).toBe(checksum);
      const format = '{{range .Mounts}}{{.Type}} {{.Name}} {{.Destination}}{{"\\n"}}{{end}}';
      const mounts = await docker('inspect', '--format', format, moved);
      const wanted = to === 'named-volume' ? `volume ${own.name}_db-data` : 'bind';
      expect(mounts).toMatch(new RegExp(`^${wanted} +/(?:var/lib|srv)/mysql$`, 'm'));

      await own.paste(moves.back);
      if (to === 'named-volume' && lines[0]?.startsWith('command') === true) return;
      const again = await own.ready();
      if (lines.length > 0) expect(await sql(again, CHECKSUM)).toBe(checksum);
    },
  );
});

describe('the service with an override', () => {
  const changes = [
    {
      level: 'relaxed-flush',
      lines: ['command: [--sync-binlog=1, --log-bin]'],
      statement: 'SELECT @@innodb_flush_log_at_trx_commit, @@sync_binlog',
      shows: '2\t0',
    },
    {
      level: 'no-binary-log',
      lines: ['command: --log-bin --server-id=7'],
      statement: 'SELECT @@log_bin',
      shows: '0',
    },
    {
      level: 'large-pool',
      lines: ['command: [--innodb-buffer-pool-size=64M, --log-bin]'],
      statement: 'SELECT @@innodb_buffer_pool_size, @@innodb_log_file_size',
      shows: `${256 * 2 ** 20}\t${128 * 2 ** 20}`,
    },
    { level: 'without-limits', lines: ['mem_limit: 512m', 'cpus: 0.9'], statement: 'SELECT 1', shows: '1' },
  ];
  it.each(sampled(changes, 2))(
    'has $level in effect, and takes a login',
    async ({ level, lines, statement, shows }) => {
      const own = await project(lines);
      const { moves } = await own.override({ factor: 'server', level });
      await own.paste(moves.there);
      const db = await own.ready();
      expect(await sql(db, statement)).toBe(shows);
      const limits = await docker(
        'inspect',
        '--format',
        '{{.HostConfig.NanoCpus}} {{.HostConfig.Memory}}',
        db,
      );
      expect(limits).toBe('0 0');
    },
  );

  it('is on the host’s network at its published port, on 127.0.0.1 only', async () => {
    const port = await freePort();
    const own = await project(['ports:', `  - "${port}:3306"`]);
    const { moves } = await own.override({ factor: 'path', level: 'host-network' });
    await own.paste(moves.there);
    expect(await sql(await own.ready(), 'SELECT @@bind_address, @@port')).toBe(`127.0.0.1\t${port}`);
  });
});
