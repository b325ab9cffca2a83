import { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { optionTextsOf } from '../../../../src/benchmark/database/container-options.ts';
import { tarOf } from '../../../../src/benchmark/runtime/engine/tar.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { CONTAINER_ID, examined } from './inspected.ts';
import { optionsOfTexts } from '../../../../src/benchmark/database/option-files.ts';

const BITNAMI = examined({ Config: { Image: 'bitnami/mysql:8.0' } });

/** An engine that has these files in every container, as archives of the places that are asked for. */
function engineWith(places: Record<string, Record<string, string>>): FakeRuntime {
  const runtime = new FakeRuntime();
  vi.spyOn(runtime.containers, 'getArchive').mockImplementation(async (_, place) => {
    const files = places[place];
    if (files === undefined) throw new Error(`no such path: ${place}`);
    return Readable.from([await tarOf(files)]);
  });
  return runtime;
}

it('reads the option files of a container in the server’s order, and only those', async () => {
  const runtime = engineWith({
    '/etc/my.cnf': { 'my.cnf': '[mysqld]\nmax_connections=50\n[client]\nport=1\n' },
    '/etc/mysql/conf.d': {
      'conf.d/': '',
      'conf.d/b.cnf': '[mysqld]\ninnodb_buffer_pool_size=1G\n',
      'conf.d/a.cnf': '[mysqld]\nsync_binlog=0\n',
      'conf.d/notes.txt': '[mysqld]\nsync_binlog=7\n',
      'conf.d/deeper/c.cnf': '[mysqld]\nsync_binlog=8\n',
    },
  });
  const { options, warnings } = optionsOfTexts(await optionTextsOf(runtime, BITNAMI));
  expect(options).toEqual(['--max_connections=50', '--sync_binlog=0', '--innodb_buffer_pool_size=1G']);
  expect(warnings).toEqual([]);
  expect(vi.mocked(runtime.containers.getArchive).mock.calls.every(([id]) => id === CONTAINER_ID)).toBe(true);
});

it('reads of an official image only what the user mounts', async () => {
  const engine = engineWith({
    '/etc/my.cnf': { 'my.cnf': '[mysqld]\nmax_connections=50\n' },
    '/etc/mysql/conf.d': {
      'conf.d/docker.cnf': '[mysqld]\nskip-name-resolve\n',
      'conf.d/own.cnf': '[mysqld]\nsync_binlog=0\n',
    },
  });
  const file = '/etc/mysql/conf.d/own.cnf';
  const Mounts = [{ Type: 'bind', Source: '/srv/own.cnf', Destination: file, RW: false }];
  expect((await optionTextsOf(engine, examined({ Mounts }))).map(({ path }) => path)).toEqual([file]);
  expect(engine.containers.getArchive).toHaveBeenCalledTimes(1);
  expect(await optionTextsOf(engine, examined())).toEqual([]);
});

it('takes a file that is too large, or no file, for missing', async () => {
  const large = engineWith({
    '/etc/my.cnf': { 'my.cnf': `[mysqld]\nmax_connections=50\n${'#'.repeat(2 ** 21)}` },
    '/etc/mysql/my.cnf': { 'my.cnf': '[mysqld]\nmax_connections=60\n' },
  });
  expect((await optionTextsOf(large, BITNAMI)).map(({ path }) => path)).toEqual(['/etc/mysql/my.cnf']);
});
