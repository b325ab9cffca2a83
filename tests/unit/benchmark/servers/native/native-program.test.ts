import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findNativeProgram,
  parseVersion,
  unsupportedVersion,
} from '../../../../../src/benchmark/servers/native/native-program.ts';
import { sharedFolder } from '../../../../helpers/folders.ts';

const programRefused = (code: string) => ({
  reason: { code: 'native.program', params: { reason: { code } } },
});

describe('version text', () => {
  it.each([
    ['/usr/sbin/mysqld  Ver 8.0.43 for Linux on x86_64 (MySQL Community Server - GPL)', 'mysql', '8.0.43'],
    ['mysqld  Ver 9.7.4-2 for Linux on x86_64 ((Debian))', 'mysql', '9.7.4'],
    ['mysqld  Ver 8.4.3-3 for Linux on x86_64 (Percona Server (GPL), Release 3)', 'percona', '8.4.3'],
    ['mariadbd  Ver 11.8.6-MariaDB-0+deb13u1 from Debian for debian-linux-gnu', 'mariadb', '11.8.6'],
    ['/usr/sbin/mysqld  Ver 10.5.29-MariaDB for Linux on x86_64', 'mariadb', '10.5.29'],
  ])('%s', (text, flavor, version) => {
    expect(parseVersion(text)).toEqual({ flavor, version });
  });

  it('is none of another program', () => expect(parseVersion('GNU bash, version 5.2')).toBeUndefined());

  it.each([
    ['mysql', '5.7.44', false],
    ['mysql', '8.0.11', true],
    ['mariadb', '10.4.34', false],
    ['mariadb', '10.5.1', true],
  ] as const)('%s %s: supported %s', (flavor, version, supported) => {
    expect(unsupportedVersion({ flavor, version }) === undefined).toBe(supported);
  });
});

describe.skipIf(process.platform === 'win32')('search', () => {
  const folder = sharedFolder();
  const program = async (path: string, version: string, also = ''): Promise<string> => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), `#!/bin/sh\n${also}\necho '${version}'\n`);
    await chmod(join(folder, path), 0o755);
    return join(folder, path);
  };

  it('needs the image’s flavor, and takes its nearest version', async () => {
    const old = await program('a/mysqld', 'mysqld  Ver 8.0.40 for Linux on x86_64 (MySQL)');
    const maria = await program('b/mariadbd', 'mariadbd  Ver 11.8.6-MariaDB for Linux');
    const near = await program('c/mysqld', 'mysqld  Ver 8.4.9 for Linux on x86_64 (MySQL)');
    const PATH = ['a', 'b', 'c'].map((name) => join(folder, name)).join(':');
    const find = (image?: string) => findNativeProgram(undefined, { env: { PATH }, image });
    expect(await find('mysql:8.4')).toMatchObject({ binary: near });
    expect(await find('mysql:8.0')).toMatchObject({ binary: old });
    expect(await find('mariadb:11.8')).toMatchObject({ binary: maria, flavor: 'mariadb' });
    expect(await find('percona:8.4')).toMatchObject({ reason: { code: 'native.otherFlavor' } });
  });

  it('takes the environment’s before the named one, and the named one before PATH', async () => {
    const first = await program('d/mysqld', 'mysqld  Ver 8.4.1 for Linux (MySQL)');
    const second = await program('d2/mysqld', 'mysqld  Ver 8.4.2 for Linux (MySQL)');
    const env = { WHALEMARK_MYSQLD: first };
    expect(await findNativeProgram(second, { env })).toMatchObject({ binary: first });
    expect(await findNativeProgram(second, { env: {} })).toMatchObject({ binary: second, version: '8.4.2' });
  });

  it('says why the named one can’t be used', async () => {
    const old = await program('e/mysqld', 'mysqld  Ver 5.7.44 for Linux (MySQL)');
    const other = await program('e2/mysqld', 'no server');
    const reason = async (path: string) => findNativeProgram(path, { env: {} });
    expect(await reason(old)).toMatchObject(programRefused('native.oldMysql'));
    expect(await reason(other)).toMatchObject(programRefused('native.noVersion'));
    expect(await reason(join(folder, 'none', 'mysqld'))).toMatchObject(programRefused('native.missing'));
  });

  it('starts no other program that a preset names, and asks none for its version', async () => {
    const trace = join(folder, 'started');
    const evil = await program('f/evil', 'mysqld  Ver 8.4.1 for Linux (MySQL)', `touch '${trace}'`);
    const refused = programRefused('native.foreign');
    expect(await findNativeProgram(evil, { env: {} })).toMatchObject(refused);
    expect(existsSync(trace)).toBe(false);
    for (const named of ['mysqld', './mysqld', 'f/mysqld', '/bin/sh', '/opt/mysqld/../sh', '/opt/mysqld ']) {
      expect(await findNativeProgram(named, { env: {} }), named).toMatchObject(refused);
    }
    const share = ['\\\\host\\share\\mysqld.exe', '//host/share/mysqld.exe'];
    for (const named of [...share, 'C:mysqld.exe', 'C:\\x.exe']) {
      expect(await findNativeProgram(named, { env: {}, platform: 'win32' }), named).toMatchObject(refused);
    }
    // A program that the user set in the environment is started.
    const env = { WHALEMARK_MYSQLD: evil };
    expect(await findNativeProgram(undefined, { env })).toMatchObject({ binary: evil });
    expect(existsSync(trace)).toBe(true);
  });
});
