import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { optionsOfConfigFile } from '../../../../src/benchmark/database/option-files.ts';
import { parseConfig } from '../../../../src/shared/options/option-file.ts';
import { sharedFolder } from '../../../helpers/folders.ts';

const folder = sharedFolder();

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
        "optimizer_switch='a b'",
        'loose-thread_pool_size=1',
        'general-log',
        'sql_mode=C:\\\\data',
        '; old',
        '[MariaDB]',
        'aria_pagecache_buffer_size=8M',
      ].join('\r\n'),
    );
    expect(await optionsOfConfigFile(path)).toEqual([
      '--innodb_io_capacity=2000',
      '--sql_mode=ANSI_QUOTES # no comment',
      '--optimizer_switch=a b',
      '--loose-thread_pool_size=1',
      '--general-log',
      '--sql_mode=C:\\data',
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

  it('names the problems of very long lines', () => {
    const { problems } = parseConfig(
      `[mysqld]\n${'loose-'.repeat(60_000)}x\n[${' '.repeat(20_000)}x\nconstructor=1\n`,
      'my.cnf',
    );
    expect(problems).toHaveLength(3);
  });

  it.each([
    ['a missing file', async () => join(folder, 'none.cnf'), 'compose.file.missing'],
    ['a binary file', () => write(Buffer.from([91, 0, 93])), 'compose.file.binary'],
    ['a huge file', () => write(Buffer.alloc(1024 * 1024 + 1, 32)), 'compose.file.large'],
    ['a folder', async () => folder, 'compose.folder'],
  ])('refuses %s', async (_, path, code) => {
    await expect(optionsOfConfigFile(await path())).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [{ params: { problem: { code } } }],
    });
  });

  it('names the first of very many problems, and counts them all', async () => {
    const path = await write(Buffer.from(`[mysqld]\n${'=\n'.repeat(100_000)}`));
    const refused: unknown = await optionsOfConfigFile(path).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'PRESET_INVALID', params: { count: '100000' } });
    expect(refused).toHaveProperty('evidence.length', 50);
  });
});

it('is not asked for on another computer: a stranger’s preset may name one', async () => {
  for (const path of ['\\\\evil\\share\\my.cnf', '//evil/share/my.cnf']) {
    await expect(optionsOfConfigFile(path, 'win32')).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [{ params: { problem: { code: 'compose.file.share' } } }],
    });
  }
});
