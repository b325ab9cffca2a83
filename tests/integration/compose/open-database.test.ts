import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { foundAt } from '../../../src/benchmark/compose/found-file.ts';
import { composeHere, openDatabase } from '../../../src/benchmark/database/open-database.ts';
import { BenchmarkError } from '../../../src/shared/errors.ts';
import { englishOf } from '../../../src/shared/message.ts';
import type { Database } from '../../../src/shared/model/database.ts';
import { newFolder } from '../../helpers/folders.ts';

let folder = '';
beforeEach(() => (folder = newFolder()));

function put(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function open(target = folder): Promise<Database> {
  return openDatabase({ target });
}

async function refused(target: string): Promise<string[]> {
  try {
    await open(target);
  } catch (error) {
    if (!(error instanceof BenchmarkError) || error.code !== 'DATABASE_REFUSED') throw error;
    return error.evidence.map(englishOf);
  }
  return [];
}

const DB = 'services:\n  db:\n    image: mysql:8.4\n';

describe('which files are read', () => {
  it('takes the first of Compose’s names in a folder, with its override', async () => {
    put('docker-compose.yml', DB);
    put('compose.yaml', DB);
    put('docker-compose.override.yml', 'services:\n  db:\n    mem_limit: 1g\n');
    const { source, services } = await open();
    expect(source).toMatchObject({
      files: [join(folder, 'compose.yaml'), join(folder, 'docker-compose.override.yml')],
    });
    expect(services[0]?.limits.memoryMiB).toBe(1024);
  });

  it('reads the override of a file with one of Compose’s names, but not of others', async () => {
    put('compose.override.yaml', 'services:\n  db:\n    mem_limit: 1g\n');
    const limits = async (name: string): Promise<unknown> =>
      (await open(put(name, DB))).services[0]?.limits.memoryMiB;
    expect(await limits('compose.yml')).toBe(1024);
    expect(await limits('other.yml')).toBeNull();
  });

  it('follows COMPOSE_FILE and COMPOSE_PROJECT_NAME of .env in a folder', async () => {
    put('.env', 'COMPOSE_FILE=a.yaml:b.yaml\nCOMPOSE_PATH_SEPARATOR=:\nCOMPOSE_PROJECT_NAME=mine\n');
    put('a.yaml', DB);
    put('b.yaml', 'services:\n  db:\n    cpus: 2\n');
    const { source, services } = await open();
    expect(source.project).toBe('mine');
    expect(services[0]?.limits.cpus).toBe(2);
  });

  it('has the variables of the folder where COMPOSE_FILE names files of another one', async () => {
    put('.env', 'COMPOSE_FILE=docker/app.yaml\nTAG=8.4\n');
    put(
      'docker/app.yaml',
      'services:\n  db:\n    image: "mysql:${TAG:?}"\n    volumes: ["./data:/var/lib/mysql"]\n',
    );
    const { source, services } = await open();
    expect(source).toMatchObject({ envFile: join(folder, '.env') });
    expect(services[0]).toMatchObject({
      image: 'mysql:8.4',
      storage: { place: join(folder, 'docker', 'data') },
    });
  });

  it('reads through links', async () => {
    symlinkSync(put('real.yaml', DB), join(folder, 'compose.yaml'));
    expect((await open()).services).toHaveLength(1);
  });
});

describe('a target that can’t be read', () => {
  it('names a folder without Compose files', async () => {
    expect(await refused(folder)).toEqual([expect.stringContaining(folder)]);
  });

  it('names what is neither a file nor a container', async () => {
    expect(await refused('no-such-thing')).toEqual([expect.stringMatching(/^no-such-thing: /)]);
  });

  it('takes no missing file that others override for a container', async () => {
    const here = (files: string[]): Promise<Database | null> =>
      composeHere({ target: 'gone', files, profiles: [], environment: process.env });
    expect(await here([])).toBeNull();
    await expect(here([put('more.yaml', DB)])).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
  });

  it.each(['gone.yaml', './gone', '../gone.yml'])(
    'takes %s for a file, not for a container',
    async (target) => {
      await expect(
        composeHere({ target, files: [], profiles: [], environment: process.env }),
      ).rejects.toMatchObject({
        code: 'DATABASE_REFUSED',
      });
    },
  );

  it.each([
    ['.github/workflows/test.yml', 'jobs:\n  test:\n    services: {}\n'],
    ['Dockerfile', 'FROM mysql:8.4\n'],
    ['db.container', '[Container]\nImage=mysql:8.4\n'],
  ])('says what %s is', async (name, text) => {
    await expect(open(put(name, text))).rejects.toMatchObject({ code: 'COMPOSE_OTHER_FILE' });
  });

  it('is shown in Compose’s own words, with the file', async () => {
    const file = put('compose.yaml', `${DB}    environment: { A: "\${UNSET_REQUIRED:?}" }\n`);
    await expect(open(file)).rejects.toMatchObject({
      code: 'COMPOSE_REFUSED',
      message: expect.stringMatching(/compose\.yaml.*UNSET_REQUIRED/s) as string,
    });
  });
});

describe('a project of DDEV or Lando', () => {
  it('is read from the file that DDEV hands to Compose, and from its own before the first start', async () => {
    put('.ddev/config.yaml', 'name: shop\ndatabase: { type: mysql, version: "8.0" }\n');
    const [{ image, warnings } = { image: '', warnings: [] }] = (await open()).services;
    expect([image, ...warnings.map(({ code }) => code)]).toEqual([
      'ddev/ddev-dbserver-mysql-8.0',
      'compose.ownStart',
    ]);
    put('.ddev/.ddev-docker-compose-full.yaml', `name: ddev-shop\n${DB}`);
    expect((await open()).source).toMatchObject({ project: 'ddev-shop' });
    expect((await open(join(folder, '.ddev/config.yaml'))).services).toHaveLength(1);
  });

  it('of Lando is named with the command that makes its files', async () => {
    put('.lando.yml', 'name: whalemark-no-such-app\nrecipe: lamp\n');
    expect(await refused(folder)).toEqual([expect.stringContaining('lando start')]);
  });
});

describe('services behind a profile', () => {
  const BEHIND = `${DB}    profiles: [full]\n`;

  it('are read if there is no other database, with the name of the profile', async () => {
    const [service] = (await open(put('compose.yaml', BEHIND))).services;
    expect(service?.warnings.map(({ code }) => code)).toContain('compose.profile');
  });

  it('are read without a remark if it is given', async () => {
    const { services } = await openDatabase({ target: put('compose.yaml', BEHIND), profiles: ['full'] });
    expect(services[0]?.warnings.map(({ code }) => code)).not.toContain('compose.profile');
  });
});

describe('a Compose file that names other files', () => {
  it.each(['/dev/zero', '/proc/self/environ', '/proc/self/fd/0', '/sys/kernel/uevent_seqnum'])(
    'reads nothing of %s',
    async (path) => {
      expect(await foundAt(path)).toMatchObject({ kind: 'unread' });
    },
  );

  it('doesn’t wait for a pipe', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await foundAt(pipe)).toMatchObject({ kind: 'unread', reason: { code: 'compose.file.special' } });
  });

  it('contacts no other computer', async () => {
    expect(await foundAt('\\\\nas\\share\\compose.yaml', 'win32')).toMatchObject({
      reason: { code: 'compose.file.share' },
    });
  });

  it('keeps nothing of what its service is given', async () => {
    put('more.env', 'MYSQL_PASSWORD=canary\n');
    put('id_rsa', 'canary\n');
    put(
      'compose.yaml',
      `${DB}    env_file: ./more.env\n    environment: { B: canary }\n    secrets: [key]\nsecrets:\n  key: { file: ./id_rsa }\n`,
    );
    const database = await open();
    expect(database.services[0]?.refusal).toBeNull();
    expect(JSON.stringify(database)).not.toContain('canary');
  });

  it.each([
    ['pa$canary_rest', 'compose.unset'],
    ['pa$canary_rest ${UNSET_CANARY_HERE}', 'compose.said'],
  ])('shows no part of the password %s as a variable', async (password, code) => {
    put('compose.yaml', `${DB}    environment:\n      MYSQL_ROOT_PASSWORD: '${password}'\n`);
    const { warnings = [] } = (await open()).services[0] ?? {};
    expect(warnings.map((one) => one.code)).toContain(code);
    expect(JSON.stringify(warnings)).not.toContain('canary_rest');
  });

  it('shows where a mount and a port are written', async () => {
    const file = put(
      'compose.yaml',
      `${DB}    volumes: ["./data:/var/lib/mysql"]\n    ports: ["3307:3306"]\n`,
    );
    expect((await open()).services[0]).toMatchObject({
      storage: { at: { file, line: 4 } },
      path: { at: { file, line: 5 } },
    });
  });
});
