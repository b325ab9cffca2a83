import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  createBindDirectory,
  MARK,
  removeBindDirectory,
} from '../../src/benchmark/servers/storage/bind-directory.ts';
import { BenchmarkError } from '../../src/shared/errors.ts';
import { sharedFolder } from '../helpers/folders.ts';
import { byteMutants } from './support/byte-mutants.ts';
import { fuzz } from './support/fuzz.ts';

/** Folders of bind mounts: servers and users put anything there, and only Whalemark's own may be deleted. */

type Tree = { [name: string]: Tree | 'file' | { link: string } };
const names = fc.constantFrom('ibdata1', 'sbtest', '-rf', 'a b', 'mark', '.hidden', '\n', '*', '..data');
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.dictionary(
    names,
    fc.oneof(
      { depthSize: 'small' },
      fc.constant('file' as const),
      fc
        .constantFrom('sentinel', 'sentinel/deep', 'sentinel/deep/file', '.', '..', 'nowhere')
        .map((link) => ({ link })),
      tie('tree'),
    ),
    { maxKeys: 4 },
  ),
}));

async function plant(folder: string, node: Tree): Promise<void> {
  for (const [name, content] of Object.entries(node)) {
    const path = join(folder, name);
    if (content === 'file') await writeFile(path, name);
    else if (typeof content['link'] === 'string') {
      const { link } = content as { link: string };
      await symlink(link.startsWith('sentinel') ? join(base, link) : link, path);
    } else {
      await mkdir(path);
      await plant(path, content as Tree);
    }
  }
}

/** Every name below a folder with what it holds; links are not followed. */
async function snapshot(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mode, mtimeMs } = await lstat(path);
    return [path, mode, mtimeMs, entry.isFile() ? await readFile(path, 'utf8') : ''].join('|');
  });
  return (await Promise.all(lines)).sort();
}

const base = sharedFolder();
const [root, sentinel] = [join(base, 'bind'), join(base, 'sentinel')];
await mkdir(join(sentinel, 'deep'), { recursive: true });
await writeFile(join(sentinel, 'deep', 'file'), 'precious');
const untouched = await snapshot(sentinel);
const marked = JSON.stringify({ owner: 'machine.1.2', runId: 'run', path: join(root, 'a'), inode: '7' });

fuzz({
  name: 'bind-folders',
  cases: fc.record({
    inside: tree,
    beside: fc.oneof(fc.constant<Tree>({}), tree),
    dataIsLink: fc.boolean(),
    mark: fc.option(byteMutants([Buffer.from(marked)]), { freq: 3 }),
  }),
  judge: async ({ inside, beside, dataIsLink, mark }) => {
    const { directory, data } = await createBindDirectory(root, 'a', { owner: 'machine.1.2', runId: 'run' });
    await plant(data, inside);
    if (dataIsLink) {
      await rm(data, { recursive: true });
      await symlink(sentinel, data);
    }
    await plant(directory, beside);
    if (mark !== null) await writeFile(join(directory, MARK), mark);
    const foreign = Object.keys(beside).sort();
    const before = await snapshot(directory);
    await removeBindDirectory(directory, () => Promise.reject(new Error('asked for root'))).catch(
      (error: unknown) => {
        if (!(error instanceof BenchmarkError) || error.code !== 'BIND_KEPT') throw error;
      },
    );
    expect(await snapshot(sentinel)).toEqual(untouched);
    const left = await readdir(root);
    if (left.length === 0) {
      expect(foreign).toEqual([]);
      return 'accepted';
    }
    const kept = (await readdir(directory)).filter((name) => name !== MARK);
    if (kept.includes('data')) expect(await snapshot(directory)).toEqual(before);
    else expect(kept.sort()).toEqual(foreign);
    await rm(directory, { recursive: true });
    return 'refused';
  },
});
