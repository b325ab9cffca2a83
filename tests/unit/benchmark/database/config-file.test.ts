import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { optionsOfConfigFile } from '../../../../src/benchmark/database/option-files.ts';
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
});

it('is not asked for on another computer: a stranger’s preset may name one', async () => {
  for (const path of ['\\\\evil\\share\\my.cnf', '//evil/share/my.cnf']) {
    await expect(optionsOfConfigFile(path, 'win32')).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [{ params: { problem: { code: 'compose.file.share' } } }],
    });
  }
});
