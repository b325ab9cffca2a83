import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeLeftovers } from '../../../src/benchmark/run/leftovers.ts';
import { rememberBindRoot } from '../../../src/benchmark/servers/storage/bind-roots.ts';
import {
  bindRootRefusal,
  createBindDirectory,
  removeBindDirectory,
} from '../../../src/benchmark/servers/storage/bind-directory.ts';
import { emptyAsRoot } from '../../../src/benchmark/servers/helper-container.ts';
import { localServerImages } from '../../../src/benchmark/servers/image.ts';
import { deadOwner } from '../../helpers/owners.ts';
import { realBench, runPlan, smallPlan } from '../helpers/bench.ts';

const run = promisify(execFile);
const mark = { owner: 'machine.1.2', runId: 'run' };
const neverAsked = (): Promise<void> => Promise.reject(new Error('asked for root'));

let base: string;
let mounts: string[];
/** Mounts something on a new folder until the test is over. */
async function mounted(point: string, ...options: string[]): Promise<void> {
  await mkdir(point, { recursive: true });
  await run('mount', [...options, point]);
  mounts.unshift(point);
}
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'whalemark-test-mounts-')));
  mounts = [];
});
afterEach(async () => {
  for (const point of mounts) await run('umount', [point]);
  await rm(base, { recursive: true, force: true });
});

describe('mount points of this machine', () => {
  it('are no roots for bind mounts; a folder inside one is, whatever its name', async () => {
    const point = join(base, 'my disk');
    await mounted(point, '-t', 'tmpfs', 'tmpfs');
    expect(await bindRootRefusal(point)).toMatchObject({ code: 'folder.mountPoint' });
    expect(await bindRootRefusal(base)).toMatchObject({ code: 'folder.mountInside' });
    const { directory } = await createBindDirectory(join(point, 'bench'), 'a', mark);
    await removeBindDirectory(directory, neverAsked);
  });

  it('inside a folder of ours keep it from being deleted, also those of the same file system', async () => {
    const theirs = join(base, 'theirs');
    await mkdir(theirs);
    await writeFile(join(theirs, 'precious'), 'x');
    const { directory, data } = await createBindDirectory(join(base, 'bind'), 'a', mark);
    await mounted(join(data, 'sbtest'), '--bind', theirs);
    await expect(removeBindDirectory(directory, neverAsked)).rejects.toMatchObject({
      code: 'BIND_KEPT',
      params: { reason: { code: 'folder.mountInside', params: { path: join(data, 'sbtest') } } },
    });
    expect(await readdir(theirs)).toEqual(['precious']);
    await run('umount', [mounts.shift() ?? '']);
    await removeBindDirectory(directory, neverAsked);
    expect(await readdir(theirs)).toEqual(['precious']);
  });

  it('over a folder of ours keep it, too: it is not the one that was made', async () => {
    const { directory } = await createBindDirectory(join(base, 'bind'), 'a', mark);
    await mounted(directory, '--bind', directory);
    await expect(removeBindDirectory(directory, neverAsked)).rejects.toMatchObject({ code: 'BIND_KEPT' });
  });
});

describe('bind folders on the real engine', () => {
  const bench = realBench();

  it('are emptied as root by their mark alone, without following links or leaving the folder', async () => {
    const image = (await localServerImages(bench.runtime))[0]?.image.id ?? '';
    const helper = { runtime: bench.runtime, name: `whalemark-test-${process.pid}`, image, labels: {} };
    const theirs = join(base, 'theirs');
    await mkdir(theirs);
    await writeFile(join(theirs, 'precious'), 'x');
    const { directory, data } = await createBindDirectory(join(base, 'bind'), 'a', mark);
    await mkdir(join(data, 'deep'));
    await run('ln', ['-s', theirs, join(data, 'deep', 'link')]);
    await run('ln', ['-s', '/target', join(data, 'inside')]);
    await writeFile(join(directory, 'mine.txt'), 'x');
    await emptyAsRoot(helper, directory);
    expect(await readdir(data)).toEqual([]);
    expect((await readdir(directory)).sort()).toEqual(['.whalemark-bind.json', 'data', 'mine.txt']);

    await mkdir(join(theirs, 'data'));
    await writeFile(join(theirs, 'data', 'precious'), 'x');
    await expect(emptyAsRoot(helper, theirs)).rejects.toMatchObject({ code: 'STORAGE_REFUSED' });
    await rm(data, { recursive: true });
    await run('ln', ['-s', theirs, data]);
    await expect(emptyAsRoot(helper, directory)).rejects.toMatchObject({ code: 'STORAGE_REFUSED' });
    expect((await readdir(theirs)).sort()).toEqual(['data', 'precious']);
    expect(await readdir(join(theirs, 'data'))).toEqual(['precious']);
  });

  it(
    'next to a Compose file are used, removed, and found when their run died',
    { tags: ['full'] },
    async () => {
      const root = join(base, 'bench');
      const planned = await smallPlan(bench.runtime, {
        grid: { storages: ['named-volume', 'bind-mount'], paths: ['published-port'] },
        schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
      });
      const { state } = await runPlan({ ...planned, bindRoot: root }, bench.runtime, bench.dataDir);
      expect(state.trials.map(({ status }) => status)).toEqual(['measured', 'measured']);
      expect(await readdir(root)).toEqual([]);

      await createBindDirectory(root, 'whalemark-dead-s1', { owner: deadOwner(), runId: 'dead' });
      await rememberBindRoot(bench.dataDir, join(base, 'later'));
      await removeLeftovers(bench.runtime, bench.dataDir, '0.0.0-test');
      expect(await readdir(root)).toEqual([]);
    },
  );
});
