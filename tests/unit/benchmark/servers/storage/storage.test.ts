import { describe, expect, it } from 'vitest';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';
import { removeLeftovers } from '../../../../../src/benchmark/run/leftovers.ts';
import type { StorageContext } from '../../../../../src/benchmark/servers/storage/prepared-storage.ts';
import { prepareStorage } from '../../../../../src/benchmark/servers/storage/storage.ts';
import { isSoftMount } from '../../../../../src/benchmark/servers/storage/volume-options.ts';
import { OWNER_LABEL, RUN_LABEL } from '../../../../../src/benchmark/runtime/labels.ts';
import { storageSpecSchema } from '../../../../../src/shared/model/server-spec.ts';
import { FakeRuntime } from '../../../fake-runtime.ts';
import { deadOwner } from '../../../../helpers/owners.ts';

const contextOf = (runtime: FakeRuntime): StorageContext => ({
  ...{ runtime, name: 'whalemark-r-s1', image: 'sha256:server', labels: { [OWNER_LABEL]: 'o' } },
  ...{ bindRoot: '/nowhere', mark: { owner: 'o', runId: 'r' }, datadirBytes: 1e9 },
});

describe('storages', () => {
  it('a volume with driver options gets a directory of our own, and only that is deleted', async () => {
    const runtime = new FakeRuntime();
    const context = contextOf(runtime);
    const storage = await prepareStorage(
      { kind: 'volume-options', options: { type: 'ext4', device: '/dev/whalemark-disk' } },
      context,
    );
    expect(storage.datadir).toBe('/srv/whalemark-volume/whalemark-r-s1/mysql');
    expect(storage.container.mounts?.[0]).toMatchObject({ noCopy: true });
    await storage.dispose();
    const removals = runtime.calls.filter((call) => call.includes('rm -rf'));
    expect(removals.length).toBe(1);
    expect(removals[0]).toMatch(/rm -rf --one-file-system \/srv\/whalemark-volume\/whalemark-r-s1$/);
    expect(runtime.containersMade.size + runtime.volumesMade.size).toBe(0);
  });

  it.each([
    ['mount :/x: no such device', 'NFS_UNSUPPORTED'],
    ['error while mounting volume: connection timed out', 'VOLUME_MOUNT_FAILED'],
    ['mount: no space left on device', 'VOLUME_MOUNT_FAILED'],
  ])('“%s” of an NFS mount is %s, and nothing stays', async (text, code) => {
    const runtime = new FakeRuntime();
    runtime.onStart = () => {
      throw new BenchmarkError('ENGINE_REFUSED', { action: 'start a container', reason: text });
    };
    const storage = { kind: 'nfs', nfs: { address: 'nas', path: '/x' } };
    await expect(prepareStorage(storageSpecSchema.parse(storage), contextOf(runtime))).rejects.toMatchObject({
      code,
      evidence: [expect.stringContaining('addr=nas')],
    });
    expect(runtime.containersMade.size + runtime.volumesMade.size).toBe(0);
  });

  it('what a dead run left on the user’s device is deleted before its container goes', async () => {
    const runtime = new FakeRuntime();
    const context = { ...contextOf(runtime), labels: { [OWNER_LABEL]: deadOwner(), [RUN_LABEL]: 'r' } };
    await prepareStorage({ kind: 'volume-options', options: { type: 'ext4', device: '/dev/x' } }, context);
    await removeLeftovers(runtime, '/nowhere', '0');
    expect(runtime.calls.findIndex((call) => call.includes('rm -rf'))).toBeGreaterThan(0);
    expect(runtime.containersMade.size + runtime.volumesMade.size).toBe(0);
  });
});

it('a soft mount is told from a hard one', () => {
  const nfs = (fields: object) =>
    storageSpecSchema.parse({ kind: 'nfs', nfs: { address: 'nas', path: '/export', ...fields } });
  const mounted = (o: string) => ({ options: { type: 'nfs', device: ':/x', o } });
  const soft = [nfs({ soft: true }), nfs({}), mounted('addr=a,soft,rw'), mounted('addr=software')];
  expect(soft.map(isSoftMount)).toEqual([true, false, true, false]);
});
