import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createBindDirectory,
  listBindDirectories,
  readBindMark,
  removeBindDirectory,
} from '../../../../src/benchmark/target/bind-directory.ts';

const mark = { owner: 'machine.1.2', runId: 'run' };
const neverAsked = (): Promise<void> => Promise.reject(new Error('asked for root'));

describe('bind directory', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'whalemark-unit-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is made fresh, marked, listed and removed', async () => {
    const { directory, data } = await createBindDirectory(root, 'a', mark);
    await writeFile(join(data, 'ibdata1'), 'x');
    expect(await listBindDirectories(root)).toEqual([{ directory, ...mark }]);
    await removeBindDirectory(directory, neverAsked);
    expect(await readdir(root)).toEqual([]);
  });

  it('refuses a folder that is there already, empty or not', async () => {
    await mkdir(join(root, 'a'));
    await expect(createBindDirectory(root, 'a', mark)).rejects.toMatchObject({ code: 'BIND_NOT_OURS' });
  });

  it('says that a place can not be written', async () => {
    await expect(createBindDirectory('/proc/whalemark', 'a', mark)).rejects.toMatchObject({
      code: 'BIND_UNWRITABLE',
    });
  });

  it('never removes what carries no mark, nor follows a link', async () => {
    await mkdir(join(root, 'theirs', 'data'), { recursive: true });
    await writeFile(join(root, 'theirs', 'data', 'precious'), 'x');
    await removeBindDirectory(join(root, 'theirs'), neverAsked);
    expect(await readdir(join(root, 'theirs', 'data'))).toEqual(['precious']);

    const { directory } = await createBindDirectory(root, 'ours', mark);
    await symlink(directory, join(root, 'link'));
    expect(await readBindMark(join(root, 'link'))).toBeUndefined();
  });

  it('lists nothing where there is no root', async () => {
    expect(await listBindDirectories(join(root, 'missing'))).toEqual([]);
  });
});
