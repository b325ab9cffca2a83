import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { optionsOfConfigFile, withConfigFiles } from '../../../../src/benchmark/database/option-files.ts';
import { makeDatabase } from '../../database-builder.ts';
import { newFolder } from '../../../helpers/folders.ts';

const CANARY = 'canary-Pa55';

async function folder(files: Record<string, string | Buffer>): Promise<string> {
  const path = newFolder();
  await mkdir(join(path, 'conf.d'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return path;
}

describe('the option file of a preset', () => {
  const read = async (content: string | Buffer): Promise<string[]> =>
    optionsOfConfigFile(join(await folder({ 'my.cnf': content }), 'my.cnf'));

  it('has the options of the server’s groups, without quotes, escapes, and comments', async () => {
    const lines = [
      ...[
        '# mine',
        '[client]',
        `password = ${CANARY}`,
        '[mysqld]',
        'innodb_io_capacity = 2000   # fast disk',
      ],
      ...['sql_mode = "ANSI_QUOTES # no comment"', "optimizer_switch='a b'", 'loose-thread_pool_size=1'],
      ...['general-log', 'sql_mode=C:\\\\data', '; old', '[MariaDB]', 'aria_pagecache_buffer_size=8M'],
    ];
    expect(await read(lines.join('\r\n'))).toEqual([
      ...['--innodb_io_capacity=2000', '--sql_mode=ANSI_QUOTES # no comment', '--optimizer_switch=a b'],
      ...['--loose-thread_pool_size=1', '--general-log', '--sql_mode=C:\\data'],
      '--aria_pagecache_buffer_size=8M',
    ]);
  });

  it('is refused if it is missing, binary, huge, a folder, or on another computer', async () => {
    const problem = (code: string) => ({
      ...{ code: 'PRESET_INVALID', evidence: [{ params: { problem: { code } } }] },
    });
    const path = await folder({});
    await expect(optionsOfConfigFile(join(path, 'none.cnf'))).rejects.toMatchObject(
      problem('compose.file.missing'),
    );
    await expect(optionsOfConfigFile(path)).rejects.toMatchObject(problem('compose.folder'));
    await expect(read(Buffer.from([91, 0, 93]))).rejects.toMatchObject(problem('compose.file.binary'));
    await expect(read(Buffer.alloc(2 ** 20 + 1, 32))).rejects.toMatchObject(problem('compose.file.large'));
    // A stranger's preset may name one, and Windows would send the user's name there.
    for (const share of ['\\\\evil\\share\\my.cnf', '//evil/share/my.cnf'])
      await expect(optionsOfConfigFile(share, 'win32')).rejects.toMatchObject(problem('compose.file.share'));
  });
});

describe('the option files of a database', () => {
  async function read(fields: Parameters<typeof makeDatabase>[0]) {
    const [service] = makeDatabase(fields).services;
    if (service === undefined) throw new Error('a service was expected');
    return withConfigFiles(service);
  }

  it('are read in order, and the command last', async () => {
    const path = await folder({
      'my.cnf': '[mysqld]\ninnodb_buffer_pool_size = 512M\nsort_buffer_size=1M\n',
      'conf.d/b.cnf': '[mysqld]\nsort_buffer_size=2M\n',
      'conf.d/a.cnf': `[mysqld]\nlog_bin\n[client]\npassword=${CANARY}\n`,
    });
    const service = await read({
      configFiles: ['my.cnf', 'conf.d/a.cnf', 'conf.d/b.cnf'].map((name) => join(path, name)),
      options: ['--sort-buffer-size=4M'],
    });
    expect(service.options).toEqual([
      ...['--innodb_buffer_pool_size=512M', '--sort_buffer_size=1M', '--log_bin', '--sort_buffer_size=2M'],
      '--sort-buffer-size=4M',
    ]);
    expect(service.warnings).toEqual([]);
  });

  it('leave out what can’t be measured, by file, line, and name, without any value', async () => {
    const lines = [
      '[mysqld]',
      `plugin_load_add=${CANARY}`,
      `init_connect="SET ${CANARY}"`,
      'max_connections=9',
    ];
    const path = await folder({ 'my.cnf': [...lines, `= ${CANARY}`].join('\n') });
    const service = await read({ configFiles: [join(path, 'my.cnf')] });
    expect(service.options).toEqual(['--max_connections=9']);
    const text = service.warnings.map((one) => one.text).join('\n');
    for (const part of ['my.cnf:2 plugin_load_add', 'my.cnf:3 init_connect', 'my.cnf:5'])
      expect(text).toContain(part);
    expect(text).not.toContain(CANARY);
  });

  it('are told of if they move the data directory or can’t be read', async () => {
    const path = await folder({ 'my.cnf': '[mysqld]\ndatadir=/data/mysql\n' });
    const { warnings } = await read({ configFiles: [join(path, 'my.cnf'), join(path, 'none.cnf')] });
    expect(warnings.map(({ code }) => code)).toEqual([
      ...['yourDatabase.datadirInFile', 'yourDatabase.fileUnread'],
    ]);
  });

  it.runIf(process.platform === 'linux')('are none of the system’s files, also by a link', async () => {
    const path = await folder({});
    await symlink('/proc/cpuinfo', join(path, 'conf.d/cpu.cnf'));
    await symlink('/proc', join(path, 'proc.d'));
    const configFiles = [
      join(path, 'conf.d/cpu.cnf'),
      '/proc/self/status',
      '/proc/kmsg',
      join(path, 'proc.d'),
    ];
    const { options, warnings } = await read({ configFiles });
    expect(options).toEqual([]);
    expect(warnings.map(({ code, params }) => [code, params['file']])).toEqual(
      ['cpu.cnf', 'status', 'kmsg', 'proc.d'].map((file) => ['yourDatabase.fileUnread', file]),
    );
  });

  it('are told of by the first of very many lines', async () => {
    const path = await folder({ 'my.cnf': `[mysqld]\n${'=\n'.repeat(100_000)}` });
    const { warnings } = await read({ configFiles: [join(path, 'my.cnf')] });
    expect(warnings.map(({ code }) => code)).toEqual(['yourDatabase.leftOut']);
    expect(warnings[0]?.text.length).toBeLessThan(2000);
  });
});
