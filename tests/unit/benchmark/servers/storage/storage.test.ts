import { describe, expect, it } from 'vitest';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';
import { removeLeftovers } from '../../../../../src/benchmark/run/leftovers.ts';
import type { StorageContext } from '../../../../../src/benchmark/servers/storage/prepared-storage.ts';
import { prepareStorage } from '../../../../../src/benchmark/servers/storage/storage.ts';
import {
  checkedDriverOptions,
  isSoftMount,
} from '../../../../../src/benchmark/servers/storage/volume-options.ts';
import { driverOptions } from '../../../../../src/shared/kinds/storage-options.ts';
import { OWNER_LABEL, RUN_LABEL } from '../../../../../src/benchmark/runtime/labels.ts';
import { storageSpecSchema } from '../../../../../src/shared/model/server-spec.ts';
import { FakeRuntime } from '../../../fake-runtime.ts';

const LABELS = { [OWNER_LABEL]: 'o' };

function contextOf(runtime: FakeRuntime): StorageContext {
  return {
    runtime,
    name: 'whalemark-r-s1',
    image: 'sha256:server',
    labels: LABELS,
    bindRoot: '/nowhere',
    mark: { owner: 'o', runId: 'r' },
    datadirBytes: 1e9,
  };
}

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
    // No process of this machine: "dead" needs Whalemark's machine's id, so the label is made of a real one.
    const { ownOwner } = await import('../../../../../src/benchmark/owners/owner.ts');
    const dead = ownOwner().replace(/\.\d+\.\d+$/, '.4194300.1');
    const context = { ...contextOf(runtime), labels: { [OWNER_LABEL]: dead, [RUN_LABEL]: 'r' } };
    await prepareStorage({ kind: 'volume-options', options: { type: 'ext4', device: '/dev/x' } }, context);
    await removeLeftovers(runtime, '/nowhere', '0');
    expect(runtime.calls.findIndex((call) => call.includes('rm -rf'))).toBeGreaterThan(0);
    expect(runtime.containersMade.size + runtime.volumesMade.size).toBe(0);
  });
});

describe('driver options', () => {
  const nfs = (fields: object) =>
    storageSpecSchema.parse({ kind: 'nfs', nfs: { address: 'nas', path: '/export', ...fields } });

  it('of an NFS export, as a compose file writes them', () => {
    expect(driverOptions(nfs({}))).toEqual({
      type: 'nfs4',
      o: 'addr=nas,rw,nfsvers=4.2,hard',
      device: ':/export',
    });
    expect(driverOptions(nfs({ version: 3, soft: true, lock: false }))).toEqual({
      type: 'nfs',
      o: 'addr=nas,rw,nfsvers=3,soft,nolock',
      device: ':/export',
    });
  });

  it('can not smuggle further options through the address', () => {
    expect(() => checkedDriverOptions(nfs({ address: 'nas,exec' }))).toThrowError(/storages/);
    expect(driverOptions(nfs({ address: 'nas,exec' }))['o']).toBe('addr=nasexec,rw,nfsvers=4.2,hard');
  });

  it('are passed on as they are otherwise', () => {
    const options = { type: 'ext4', device: '/dev/loop0', o: 'noatime' };
    expect(driverOptions({ options })).toEqual(options);
  });

  it('tell a soft mount from a hard one', () => {
    expect(isSoftMount(nfs({ soft: true }))).toBe(true);
    expect(isSoftMount(nfs({}))).toBe(false);
    expect(isSoftMount({ options: { type: 'nfs', device: ':/x', o: 'addr=a,soft,rw' } })).toBe(true);
    expect(isSoftMount({ options: { type: 'nfs', device: ':/x', o: 'addr=software' } })).toBe(false);
  });
});

describe('storage specs', () => {
  it.each([
    [{ kind: 'volume-options' }, 'options'],
    [{ kind: 'named-volume', sizeMiB: 3 }, 'sizeMiB'],
    [{ kind: 'tmpfs', sizeMiB: 2 ** 25 + 1 }, 'sizeMiB'],
    [{ kind: 'tmpfs', nfs: { address: 'a', path: '/b' } }, 'nfs'],
    [{ kind: 'nfs', nfs: { address: 'a', path: 'b' } }, 'nfs.path'],
  ])('%o is refused', (spec, field) => {
    const parsed = storageSpecSchema.safeParse(spec);
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });
});
