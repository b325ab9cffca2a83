import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { foundAt } from '../../../../src/benchmark/database/found-file.ts';
import { composeHere, openDatabase } from '../../../../src/benchmark/database/open-database.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { englishOf } from '../../../../src/shared/message.ts';
import type { Database } from '../../../../src/shared/model/database.ts';
import { newFolder } from '../../../helpers/folders.ts';

let folder = '';
beforeEach(() => (folder = newFolder()));

function put(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function open(target = folder, environment: Record<string, string> = {}): Promise<Database> {
  return openDatabase({ target, environment });
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
    put('docker-compose.yml', 'services: {}\n');
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
      composeHere({ target: 'gone', files, profiles: [], environment: {} });
    expect(await here([])).toBeNull();
    await expect(here([put('more.yaml', DB)])).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
  });

  it.each(['gone.yaml', './gone', '../gone.yml'])(
    'takes %s for a file, not for a container',
    async (target) => {
      await expect(composeHere({ target, files: [], profiles: [], environment: {} })).rejects.toMatchObject({
        code: 'DATABASE_REFUSED',
      });
    },
  );

  it('refuses 10 MB', async () => {
    const file = put('compose.yaml', `${DB}# ${'x'.repeat(10 * 2 ** 20)}`);
    expect(await refused(file)).toEqual([expect.stringMatching(/1 MiB/)]);
  });

  it('refuses what isn’t text', async () => {
    expect(await refused(put('compose.yaml', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1])))).toHaveLength(1);
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

  it('keeps nothing of a key that it takes for variables', async () => {
    put('id_rsa', '-----BEGIN KEY-----\nCanaryAbc=\ncanary_def==\nMYSQL_USER=canary\n-----END KEY-----\n');
    put('compose.yaml', `${DB}    env_file: ./id_rsa\n    volumes: ["./id_rsa:/etc/mysql/conf.d/x.cnf"]\n`);
    const database = await open();
    expect(database.services[0]?.environment).toEqual(['MYSQL_USER']);
    expect(JSON.stringify(database)).not.toMatch(/canary/i);
  });

  it('shows nothing of a file that it takes for YAML', async () => {
    put('secrets.txt', 'canary: "canary\n  canary: {canary]\n');
    put('compose.yaml', `${DB}    extends: { file: secrets.txt, service: canary }\n`);
    const error: unknown = await open().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(BenchmarkError);
    const { evidence } = error as BenchmarkError;
    expect(englishOf(evidence[0] ?? '')).toMatch(/^secrets\.txt:\d+: /);
    expect(JSON.stringify(evidence)).not.toContain('canary');
  });

  it('names a missing env_file with its line, and reads the rest', async () => {
    put('compose.yaml', `${DB}    env_file: missing.env\n`);
    const [service] = (await open()).services;
    expect(service?.warnings.map(englishOf)).toContainEqual(expect.stringMatching(/^compose\.yaml:4: /));
    expect(service?.refusal).toBeNull();
  });

  it('takes secrets that can’t be read as they are', async () => {
    put('compose.yaml', `${DB}    secrets: [root]\nsecrets:\n  root: { file: /root/canary/none }\n`);
    expect(JSON.stringify(await open())).not.toContain('canary');
  });
});
