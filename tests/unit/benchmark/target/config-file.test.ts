import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  optionsOfConfigFile,
  parseConfig,
  refusedNatively,
  refusedOption,
} from '../../../../src/benchmark/target/config-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whalemark-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = async (content: string | Buffer): Promise<string> => {
  const path = join(folder, 'my.cnf');
  await writeFile(path, content);
  return path;
};

describe('my.cnf', () => {
  it('takes the server groups, and leaves the others', async () => {
    const path = await write(
      [
        '# mine',
        '[client]',
        'password = secret',
        'port = 3307',
        '[mysqld]',
        'innodb_io_capacity = 2000   # fast disk',
        'sql_mode = "ANSI_QUOTES # no comment"',
        "init_something='a b'",
        'loose-thing=1',
        'general-log',
        'path=C:\\\\data',
        '; old',
        '[MariaDB]',
        'aria_pagecache_buffer_size=8M',
      ].join('\r\n'),
    );
    expect(await optionsOfConfigFile(path)).toEqual([
      '--innodb_io_capacity=2000',
      '--sql_mode=ANSI_QUOTES # no comment',
      '--init_something=a b',
      '--loose-thing=1',
      '--general-log',
      '--path=C:\\data',
      '--aria_pagecache_buffer_size=8M',
    ]);
  });

  it('names the line of everything that it can’t take', () => {
    const { problems } = parseConfig(
      '!includedir /etc\n[mysqld]\nport=1\ninnodb_buffer_pool_size=1G\n= 3\n[mysqld-8.4]\nx=1',
      'my.cnf',
    );
    expect(problems.map((problem) => /^my\.cnf line (\d+): /.exec(problem)?.[1])).toEqual([
      '1',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(problems[2]).toContain('server.settings.bufferPool');
  });

  it.each([
    ['a missing file', async () => join(folder, 'none.cnf'), "can't be read"],
    ['a binary file', () => write(Buffer.from([91, 0, 93])), 'not a text file'],
    ['a huge file', () => write(Buffer.alloc(1024 * 1024 + 1, 32)), 'larger than 1 MiB'],
    ['a folder', async () => folder, 'no file'],
  ])('refuses %s', async (_, path, reason) => {
    await expect(optionsOfConfigFile(await path())).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [expect.stringContaining(reason)],
    });
  });
});

it('is not asked for on another computer: a stranger’s preset may name one', async () => {
  for (const path of ['\\\\evil\\share\\my.cnf', '//evil/share/my.cnf']) {
    await expect(optionsOfConfigFile(path, 'win32')).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [expect.stringContaining('another computer')],
    });
  }
});

describe('options of the user', () => {
  it.each([
    '--port=1',
    '--PORT=1',
    '--loose_port=1',
    '-P3307',
    '--skip-networking',
    '--skip_grant_tables',
    '--loose-skip-grant-tables',
    '--init_file=/x',
    '--innodb_buffer_pool_size=1G',
    '--skip-log-bin',
    '--disable-log-bin',
    '--plugin-load-add=x.so',
    '--defaults-file=/x',
    '--datadir=/x',
  ])('%s is Whalemark’s own', (option) => {
    expect(refusedOption(option)).toBeTypeOf('string');
  });

  it('take time in proportion to their length, and no name of JavaScript’s own for one of ours', () => {
    const began = performance.now();
    const { problems } = parseConfig(
      `[mysqld]\n${'loose-'.repeat(60_000)}x\n[${' '.repeat(20_000)}x\nconstructor=1\n`,
      'my.cnf',
    );
    expect(performance.now() - began).toBeLessThan(1000);
    expect(problems).toEqual([
      expect.stringMatching(/^my.cnf line 2: .*more than 10 prefixes/) as string,
      'my.cnf line 3: the group has no closing bracket.',
      'my.cnf line 4: an option before the first [group].',
    ]);
    expect(refusedOption('--constructor=1')).toBeUndefined();
  });

  it.each(['--innodb-io-capacity=200', '--skip-innodb-adaptive-hash-index', '--portal=1', '--loose-x=1'])(
    '%s may be the user’s',
    (option) => {
      expect(refusedOption(option)).toBeUndefined();
    },
  );

  it.each([
    '--general-log-file=/home/me/.bashrc',
    '--general_log_f=/tmp/x',
    '--innodb-data-file-path=ibdata1:12M;/tmp/ibdata2:12M:autoextend',
    '--slow-query-log-file="C:\\Users\\me\\x"',
    '--loose-relay-log=~/x',
    '--secure-file-priv=../..',
    '--log-bin-index=\\\\server\\share\\x',
  ])('%s is none of a native server', (option) => {
    expect(refusedNatively(option)).toMatch(/own folder/);
  });

  it.each(['--slow-query-log-file=slow.log', '--default-time-zone=Europe/Berlin', '--sql-mode=', '--skip-x'])(
    '%s may be a native server’s',
    (option) => {
      expect(refusedNatively(option)).toBeUndefined();
    },
  );
});
