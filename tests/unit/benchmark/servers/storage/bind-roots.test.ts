import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DatasetCache } from '../../../../../src/benchmark/servers/dataset/dataset-cache.ts';
import { knownBindRoots, rememberBindRoot } from '../../../../../src/benchmark/servers/storage/bind-roots.ts';
import { findLeftovers, removeLeftovers } from '../../../../../src/benchmark/run/leftovers.ts';
import { createBindDirectory } from '../../../../../src/benchmark/servers/storage/bind-directory.ts';
import { FakeRuntime } from '../../../fake-runtime.ts';
import { mysqlEngine, planned, presetWith } from '../../../planned.ts';
import { newFolder } from '../../../../helpers/folders.ts';
import { deadOwner } from '../../../../helpers/owners.ts';

let dataDir: string;
beforeEach(() => (dataDir = newFolder()));

/** An entry that is a folder: reading it fails with EISDIR, whatever rights the reader has. */
const unreadable = (): string => join(dataDir, 'bind-roots', 'ffffffffffffffff.json');

const plannedIn = (dataDir: string, bindRoot: string | null = null) => {
  const grid = { storages: ['named-volume', 'bind-mount'], paths: ['published-port'] };
  const preset = presetWith({ grid, baseline: 'named-volume.published-port' });
  return planned(preset, mysqlEngine(), { dataDir, bindRoot });
};

describe('a plan with bind mounts', () => {
  it('leaves them out, with the reason, where our own folder can’t be used', async () => {
    await symlink('/nowhere', join(dataDir, 'bind'));
    const { scenarios, excluded } = await plannedIn(dataDir);
    expect(scenarios.map(({ storage }) => storage.kind)).not.toContain('bind-mount');
    const reason = { code: 'folder.ownUnusable', params: { reason: { code: 'folder.link' } } };
    expect(excluded).toMatchObject([{ id: 'bind-mount.published-port', reason }]);
  });

  it('is refused where the folder next to the Compose file can’t be used', async () => {
    await writeFile(join(dataDir, 'thesis.doc'), 'x');
    const reason = { code: 'folder.notEmpty', params: { name: 'thesis.doc' } };
    const refused = { code: 'BIND_REFUSED', params: { path: dataDir, reason } };
    await expect(plannedIn(dataDir, dataDir)).rejects.toMatchObject(refused);
  });
});

describe('folders next to Compose files', () => {
  it('are remembered once, and broken entries keep no others from being found', async () => {
    const own = join(dataDir, 'bind');
    expect(await knownBindRoots(dataDir)).toEqual([own]);
    for (const root of ['/a', '/b', '/a', own]) await rememberBindRoot(dataDir, root);
    const folder = join(dataDir, 'bind-roots');
    await writeFile(join(folder, '0123456789abcdef.json'), '{"path":"/d"');
    await writeFile(join(folder, '0123456789abcdee.json'), '["/d"]');
    await writeFile(join(folder, 'note.txt'), '{"path":"/d"}');
    expect((await knownBindRoots(dataDir)).sort()).toEqual(['/a', '/b', own].sort());
  });

  it('that can’t be read are not taken for none, and nothing of them is lost', async () => {
    await mkdir(unreadable(), { recursive: true });
    await expect(knownBindRoots(dataDir)).rejects.toMatchObject({ code: 'DATA_FOLDER_UNREADABLE' });
    await rememberBindRoot(dataDir, '/a');
    await rememberBindRoot(dataDir, '/b');
    await rm(unreadable(), { recursive: true });
    expect((await knownBindRoots(dataDir)).sort()).toEqual(['/a', '/b', join(dataDir, 'bind')]);
  });

  it('are swept although another one, or the records of datasets, can’t be read, which is told', async () => {
    const mark = { owner: deadOwner(), runId: 'r' };
    const { directory } = await createBindDirectory(join(dataDir, 'bind'), 'whalemark-r-s1', mark);
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await rememberBindRoot(dataDir, file);
    const runtime = new FakeRuntime();
    const datasets = new DatasetCache({ runtime, directory: file, appVersion: '1' });
    expect(await findLeftovers(runtime, dataDir, datasets)).toMatchObject([
      { kind: 'folder', name: directory },
    ]);
    const { removed, failed } = await removeLeftovers(runtime, dataDir, '1', datasets);
    expect(removed).toEqual([{ kind: 'folder', name: directory }]);
    const told = { name: file, error: { code: 'DATA_FOLDER_UNREADABLE' } };
    expect(failed).toMatchObject([told, told]);
  });
});
