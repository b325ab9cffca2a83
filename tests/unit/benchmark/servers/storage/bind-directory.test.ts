import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  bindRootRefusal,
  createBindDirectory,
  listBindDirectories,
  MARK,
  readBindMark,
  removeBindDirectory,
} from '../../../../../src/benchmark/servers/storage/bind-directory.ts';
import { newFolder } from '../../../../helpers/folders.ts';

const mark = { owner: 'machine.1.2', runId: 'run' };
const neverAsked = (): Promise<void> => Promise.reject(new Error('asked for root'));

const refused = (made: Promise<unknown>, code: string, params: object = {}) =>
  expect(made).rejects.toMatchObject({ code, params });

let base: string;
let root: string;
beforeEach(() => {
  base = newFolder();
  root = join(base, 'bind');
});

describe('bind directory', () => {
  it('is made fresh, marked, listed and removed', async () => {
    const { directory, data } = await createBindDirectory(root, 'a', mark);
    await writeFile(join(data, 'ibdata1'), 'x');
    expect(await listBindDirectories(root)).toMatchObject([{ directory, path: directory, ...mark }]);
    await removeBindDirectory(directory, neverAsked);
    expect(await readdir(root)).toEqual([]);
  });

  it('refuses a folder that is there already, empty or not', async () => {
    await mkdir(join(root, 'whalemark-a'), { recursive: true });
    await refused(createBindDirectory(root, 'whalemark-a', mark), 'BIND_NOT_OURS');
  });

  it('says that a place can not be written, and leaves nothing there', async () => {
    await writeFile(join(base, 'file'), '');
    await refused(createBindDirectory(join(base, 'file'), 'a', mark), 'BIND_REFUSED');
    const reason = { path: root, reason: 'ENAMETOOLONG' };
    await refused(createBindDirectory(root, 'a'.repeat(300), mark), 'BIND_UNWRITABLE', reason);
    expect(await readdir(root)).toEqual([]);
  });

  it.each(['..', '../a', 'a/b', '', '.hidden'])('is never called %j', async (name) => {
    await expect(createBindDirectory(root, name, mark)).rejects.toThrow();
    expect(await readdir(base)).toEqual([]);
  });

  it('never removes what carries no mark, nor follows a link', async () => {
    const { directory } = await createBindDirectory(root, 'ours', mark);
    await symlink(directory, join(root, 'link'));
    expect(await readBindMark(join(root, 'link'))).toBeUndefined();
    await removeBindDirectory(join(root, 'link'), neverAsked);
    await mkdir(join(root, 'theirs', 'data'), { recursive: true });
    await writeFile(join(root, 'theirs', 'data', 'precious'), 'x');
    await symlink(join(directory, MARK), join(root, 'theirs', MARK));
    await removeBindDirectory(join(root, 'theirs'), neverAsked);
    expect(await readdir(join(root, 'theirs', 'data'))).toEqual(['precious']);
    expect(await readdir(directory)).toContain('data');
  });

  it('does not take a root that can’t be read for an empty one', async () => {
    await writeFile(root, '');
    await refused(listBindDirectories(root), 'DATA_FOLDER_UNREADABLE');
  });

  it('that was moved or copied is left, and said so', async () => {
    const { directory, data } = await createBindDirectory(root, 'a', mark);
    await writeFile(join(data, 'x'), 'x');
    await cp(directory, join(base, 'copy'), { recursive: true });
    await refused(removeBindDirectory(join(base, 'copy'), neverAsked), 'BIND_KEPT');
    await rename(directory, join(base, 'moved'));
    const reason = { code: 'folder.moved', params: { path: directory } };
    await refused(removeBindDirectory(join(base, 'moved'), neverAsked), 'BIND_KEPT', { reason });
    for (const place of ['moved', 'copy'])
      expect(await readFile(join(base, place, 'data', 'x'), 'utf8')).toBe('x');
  });
});

describe('a root for bind directories', () => {
  it('is where its real path leads: links on the way are resolved, one at the end is refused', async () => {
    await mkdir(join(base, 'real'));
    await symlink(join(base, 'real'), join(base, 'link'));
    expect(await bindRootRefusal(join(base, 'link'))).toMatchObject({ code: 'folder.link' });
    expect(await bindRootRefusal(`${join(base, 'link')}/`)).toMatchObject({ code: 'folder.link' });
    const { directory } = await createBindDirectory(join(base, 'link', 'bench'), 'a', mark);
    expect(directory).toBe(join(base, 'real', 'bench', 'a'));
    await removeBindDirectory(directory, neverAsked);
  });

  it('is not this machine’s home or root', async () => {
    for (const place of ['/', homedir()]) {
      expect([place, await bindRootRefusal(place)]).toMatchObject([place, { code: expect.any(String) }]);
      await refused(createBindDirectory(place, 'a', mark), 'BIND_REFUSED');
    }
  });

  it('holds nothing but ours', async () => {
    await createBindDirectory(root, 'whalemark-r-s1', mark);
    // Another run is making its folder at this moment.
    await mkdir(join(root, 'whalemark-r-s2', 'data'), { recursive: true });
    await writeFile(join(root, '.DS_Store'), '');
    expect(await bindRootRefusal(root)).toBeUndefined();
    await writeFile(join(root, 'whalemark-r-s2', 'thesis.doc'), 'precious');
    const reason = { code: 'folder.notEmpty', params: { name: 'whalemark-r-s2' } };
    expect(await bindRootRefusal(root)).toMatchObject(reason);
    await refused(createBindDirectory(root, 'whalemark-r-s3', mark), 'BIND_REFUSED', { reason });
  });
});
