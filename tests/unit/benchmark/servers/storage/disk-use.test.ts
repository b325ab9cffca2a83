import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type DiskFacts,
  diskInUse,
  requireFreeDevice,
} from '../../../../../src/benchmark/servers/storage/free-device.ts';
import { parseMountInfo } from '../../../../../src/benchmark/servers/storage/mount-info.ts';
import type { Passport } from '../../../../../src/shared/model/passport.ts';
import type { ContainerClient } from '../../../../../src/benchmark/runtime/container-runtime.ts';
import { FAKE_PASSPORT, FakeRuntime } from '../../../fake-runtime.ts';
import { sharedFolder } from '../../../../helpers/folders.ts';

const OWN = '/var/lib/docker/volumes/whalemark-r-s1/_data';

/** A disk whose device file is linked to from elsewhere, as `/dev/disk/by-uuid` does. */
const facts = (mounts: DiskFacts['mounts'], groups: string[][] = []): DiskFacts => ({
  disk: { paths: ['/dev/disk/by-label/data', '/dev/sdb1'], numbers: ['8:17'] },
  mounts,
  groups,
});
const root = { point: '/', paths: ['/dev/sda2'], numbers: ['8:2'] };
const usedAt = (point: string) => ({ ...facts([]).disk, point });

describe('a disk', () => {
  it.each<[string, DiskFacts, string | undefined]>([
    ['free when others are mounted', facts([root]), undefined],
    ['taken by its path', facts([root, { point: '/srv', paths: ['/dev/sdb1'], numbers: [] }]), '/srv'],
    ['taken by its number', facts([{ point: '/', paths: ['/dev/root'], numbers: ['8:17'] }]), '/'],
    ['free when only our own volumes are on it', facts([usedAt(OWN)]), undefined],
    ['taken when somebody has it beside us', facts([usedAt(OWN), usedAt('/data')]), '/data'],
    ['taken with another of its file system', facts([root], [['8:2', '8:17']]), '/'],
    ['free beside another file system', facts([root], [['8:2', '8:33'], ['8:17']]), undefined],
  ])('is %s', (_, given, expected) => {
    expect(diskInUse(given)).toBe(expected);
  });
});

describe('a device of this machine', () => {
  const folder = sharedFolder();

  /** `hasPath`: the engine's answer; by default, that of an engine of this machine. */
  const ask = (
    type: string,
    device: string,
    passport: Partial<Passport['runtime']> = {},
    hasPath?: ContainerClient['hasPath'],
  ) => {
    const runtime = new FakeRuntime({ ...FAKE_PASSPORT, runtime: { ...FAKE_PASSPORT.runtime, ...passport } });
    if (hasPath !== undefined) runtime.containers.hasPath = hasPath;
    return requireFreeDevice({ kind: 'volume-options', options: { type, device } }, runtime, 'storages.x');
  };
  /** A disk that is mounted here, if this machine shows one. */
  const used =
    process.platform !== 'linux'
      ? undefined
      : parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8')).find(
          ({ source }) =>
            source.startsWith('/') && statSync(source, { throwIfNoEntry: false })?.isBlockDevice(),
        )?.source;

  it.skipIf(used === undefined)('is refused while it is mounted, by a link as well', async () => {
    const device = used ?? '';
    const link = join(folder, 'innocent');
    symlinkSync(device, link);
    for (const path of [device, link]) {
      await expect(ask('ext4', path)).rejects.toMatchObject({
        code: 'PRESET_INVALID',
        evidence: [{ text: expect.stringMatching(/^storages\.x\.options\.device: .*in use, mounted at \//) }],
      });
    }
    // Disks of a virtual machine, and of another one, are others.
    await ask('ext4', device, { vm: true });
    await ask('ext4', device, { remote: true });
    await ask('tmpfs', device);
  });

  it.each(['none', 'ext4'])('that may not be looked at is refused, as type %s', async (type) => {
    // Replaces a folder that only its owner may look into, because the tests' user may be root.
    const device = `/srv/${'x'.repeat(300)}`;
    if (process.platform !== 'linux') return;
    await expect(ask(type, device)).rejects.toMatchObject({
      code: 'PRESET_INVALID',
      evidence: [{ text: expect.stringContaining('It can’t be checked (ENAMETOOLONG).') }],
    });
  });

  // An engine out of a container, through ssh, or one that does not say has other folders than this machine.
  it.each([
    ['sees none of our processes', () => Promise.resolve(false)],
    ['finds whatever it is asked for', () => Promise.resolve(true)],
    ['does not say', () => Promise.resolve(undefined)],
  ])('is not judged by folders of this machine for an engine that %s', async (_, hasPath) => {
    const device = `/srv/${'x'.repeat(300)}`;
    await ask('none', device, {}, hasPath);
    if (process.platform !== 'linux') return;
    await expect(ask('none', device)).rejects.toMatchObject({ code: 'PRESET_INVALID' });
    await ask('ext4', device, {}, hasPath);
    // A disk that this machine uses is refused anyway.
    if (used !== undefined)
      await expect(ask('ext4', used, {}, hasPath)).rejects.toMatchObject({ code: 'PRESET_INVALID' });
  });
});
