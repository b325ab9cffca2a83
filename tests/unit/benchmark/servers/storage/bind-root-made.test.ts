import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createBindDirectory,
  readBindMark,
} from '../../../../../src/benchmark/servers/storage/bind-directory.ts';
import type { FolderFacts } from '../../../../../src/benchmark/servers/storage/bind-roots.ts';
import type * as folderFacts from '../../../../../src/benchmark/servers/storage/folder-facts.ts';
import { newFolder } from '../../../../helpers/folders.ts';

/** What the next looks at a root say, instead of what is there. */
const looks: ((facts: FolderFacts) => FolderFacts | Promise<FolderFacts>)[] = [];

vi.mock(import('../../../../../src/benchmark/servers/storage/folder-facts.ts'), async (original) => {
  const real: typeof folderFacts = await original();
  return {
    ...real,
    gatherFolderFacts: async (...args) => {
      const facts = await real.gatherFolderFacts(...args);
      return (await looks.shift()?.(facts)) ?? facts;
    },
  };
});

const mark = { owner: 'machine.1.2', runId: 'run' };
const asItIs = (facts: FolderFacts): FolderFacts => facts;

let base: string;
beforeEach(() => {
  looks.length = 0;
  base = newFolder();
});

describe('a root that is made', () => {
  it('may be called in another case by the disk', async () => {
    // As typed, and as somebody made it meanwhile: the same folder there, and two here.
    await mkdir(join(base, 'bench'));
    looks.push((facts) => ({ ...facts, platform: 'darwin', kind: 'missing', real: join(base, 'Bench') }));
    looks.push((facts) => ({ ...facts, platform: 'darwin', real: join(base, 'bench') }));
    const { directory } = await createBindDirectory(join(base, 'Bench'), 'a', mark);
    expect(directory).toBe(join(base, 'bench', 'a'));
    expect(await readBindMark(directory)).toMatchObject({ path: directory });
  });

  it('is another one on Linux then, and what was made is taken back', async () => {
    await mkdir(join(base, 'bench'));
    looks.push(asItIs, (facts) => ({ ...facts, real: join(base, 'bench') }));
    await expect(createBindDirectory(join(base, 'Bench'), 'a', mark)).rejects.toMatchObject({
      code: 'BIND_REFUSED',
      params: { reason: { code: 'folder.changed' } },
    });
    expect(await readdir(base)).toEqual(['bench']);
    expect(await readdir(join(base, 'bench'))).toEqual([]);
  });

  it('and refused then keeps what somebody put there, and a folder that was there before', async () => {
    const root = join(base, 'bench');
    looks.push(asItIs, async (facts) => {
      await writeFile(join(root, 'thesis.doc'), 'precious');
      return { ...facts, foreign: ['thesis.doc'] };
    });
    await expect(createBindDirectory(root, 'a', mark)).rejects.toMatchObject({ code: 'BIND_REFUSED' });
    expect(await readdir(root)).toEqual(['thesis.doc']);
    await mkdir(join(base, 'before'));
    looks.push(asItIs, (facts) => ({ ...facts, foreign: ['x'] }));
    await expect(createBindDirectory(join(base, 'before'), 'a', mark)).rejects.toMatchObject({
      code: 'BIND_REFUSED',
    });
    expect((await readdir(base)).sort()).toEqual(['before', 'bench']);
  });
});
