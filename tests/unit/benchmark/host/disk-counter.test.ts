import { describe, expect, it } from 'vitest';
import { diskBytesWritten } from '../../../../src/benchmark/host/disk-counter.ts';
import { FakeHost } from './fake-host.ts';

function linux(disks: Record<string, number>, parts: Record<string, string> = {}): FakeHost {
  const host = new FakeHost('linux');
  for (const [name, sectors] of Object.entries(disks)) {
    host.files.set(
      `/sys/block/${name}/stat`,
      `  511630 20944 30829858 122333 1596533 320578 ${sectors} 869154 0 1 2\n`,
    );
  }
  for (const [name, of] of Object.entries(parts)) host.files.set(`/sys/block/${name}/slaves/${of}`, '');
  return host;
}

describe('what a machine wrote to its disks', () => {
  it('is the sum of its disks on Linux, without what is in memory', async () => {
    expect(await diskBytesWritten(linux({ vda: 1000, nvme0n1: 10, zram0: 7, loop3: 7 }))).toBe(512 * 1010);
  });

  it('counts a volume on a disk once', async () => {
    expect(await diskBytesWritten(linux({ sda: 1000, 'dm-0': 990 }, { 'dm-0': 'sda' }))).toBe(512_000);
  });

  it('is the sum of the storage drivers on a Mac', async () => {
    const host = new FakeHost('darwin');
    const driver = (bytes: number): string =>
      `+-o IOBlockStorageDriver  <class IOBlockStorageDriver>\n    {\n      "Statistics" = {"Operations (Write)"=12,"Bytes (Read)"=5,"Errors (Write)"=0,"Bytes (Write)"=${bytes}}\n    }\n`;
    host.prints.set('/usr/sbin/ioreg -c IOBlockStorageDriver -r -w 0', driver(4096) + driver(100));
    expect(await diskBytesWritten(host)).toBe(4196);
  });

  it('is unknown where nothing counts', async () => {
    expect(await diskBytesWritten(new FakeHost('win32'))).toBeUndefined();
    expect(await diskBytesWritten(new FakeHost('darwin'))).toBeUndefined();
    expect(await diskBytesWritten(new FakeHost('linux'))).toBeUndefined();
  });
});
