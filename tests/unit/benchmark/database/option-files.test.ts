import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withConfigFiles } from '../../../../src/benchmark/database/option-files.ts';
import { makeDatabase } from '../../database-builder.ts';
import { newFolder } from '../../../helpers/folders.ts';

async function folder(files: Record<string, string>): Promise<string> {
  const path = newFolder();
  await mkdir(join(path, 'conf.d'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return path;
}

async function read(fields: Parameters<typeof makeDatabase>[0]) {
  const [service] = makeDatabase(fields).services;
  if (service === undefined) throw new Error('a service was expected');
  return withConfigFiles(service);
}

it('reads several files in order, and the command last', async () => {
  const path = await folder({
    'my.cnf': '[mysqld]\ninnodb_buffer_pool_size = 512M\nsort_buffer_size=1M\n',
    'conf.d/b.cnf': '[mysqld]\nsort_buffer_size=2M\n',
    'conf.d/a.cnf': '[mysqld]\nlog_bin\n[client]\npassword=canary-Pa55\n',
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

it('leaves out what can’t be measured, by file, line, and name, without any value', async () => {
  const path = await folder({
    'my.cnf':
      '[mysqld]\nplugin_load_add=canary-Pa55.so\ninit_connect="SET canary-Pa55"\nmax_connections=9\n= canary-Pa55\n',
  });
  const service = await read({
    configFiles: [join(path, 'my.cnf')],
    options: ['--tmp-table-size=64M'],
  });
  expect(service.options).toEqual(['--max_connections=9', '--tmp-table-size=64M']);
  const text = service.warnings.map((one) => one.text).join('\n');
  for (const part of ['my.cnf:2 plugin_load_add', 'my.cnf:3 init_connect', 'my.cnf:5']) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('canary');
});

it('warns of a data directory that a file moves, and of a file that can’t be read', async () => {
  const path = await folder({ 'my.cnf': '[mysqld]\ndatadir=/data/mysql\n' });
  const { warnings } = await read({ configFiles: [join(path, 'my.cnf'), join(path, 'none.cnf')] });
  expect(warnings.map(({ code }) => code)).toEqual(['yourDatabase.datadirInFile', 'yourDatabase.fileUnread']);
});

it.runIf(process.platform === 'linux')('reads no file of the system, also by a link', async () => {
  const path = await folder({});
  await symlink('/proc/cpuinfo', join(path, 'conf.d/cpu.cnf'));
  await symlink('/proc', join(path, 'proc.d'));
  const configFiles = [join(path, 'conf.d/cpu.cnf'), '/proc/self/status', '/proc/kmsg', join(path, 'proc.d')];
  const { options, warnings } = await read({ configFiles });
  expect(options).toEqual([]);
  expect(warnings.map(({ code, params }) => [code, params['file']])).toEqual(
    ['cpu.cnf', 'status', 'kmsg', 'proc.d'].map((file) => ['yourDatabase.fileUnread', file]),
  );
});

it('names the first of very many lines that can’t be measured', async () => {
  const path = await folder({ 'my.cnf': `[mysqld]\n${'=\n'.repeat(400_000)}` });
  const { warnings } = await read({ configFiles: [join(path, 'my.cnf')] });
  expect(warnings.map(({ code }) => code)).toEqual(['yourDatabase.leftOut']);
  expect(warnings[0]?.text.length).toBeLessThan(2000);
});
