import { describe, expect, it } from 'vitest';
import { ContainerMeter } from '../../../../src/benchmark/host/container-meter.ts';
import { FakeHost } from './fake-host.ts';

const CGROUP = '/sys/fs/cgroup';

describe('what a container uses between two windows', () => {
  it.each(['docker/abc', 'system.slice/docker-abc.scope', 'machine.slice/libpod-abc.scope'])(
    'is read from control groups v2 in %s',
    (place) => {
      const host = new FakeHost();
      const count = (usec: number, io: string): void => {
        host.files.set(`${CGROUP}/${place}/cpu.stat`, `usage_usec ${usec}\nuser_usec 1\n`);
        host.files.set(`${CGROUP}/${place}/io.stat`, io);
      };
      count(1_000_000, '');
      const meter = ContainerMeter.of(host, 'abc', 0);
      count(2_500_000, '8:0 rbytes=2000 wbytes=4096 rios=1 wios=1 dbytes=0\n8:16 rbytes=0 wbytes=4096\n');
      expect(meter?.use(2000)).toEqual({ cores: 0.75, blockReadPerSecond: 1000, blockWritePerSecond: 4096 });
      expect(meter?.use(3000)).toEqual({ cores: 0, blockReadPerSecond: 0, blockWritePerSecond: 0 });
    },
  );

  it('is read from control groups v1', () => {
    const host = new FakeHost();
    const count = (ns: number, written: number): void => {
      host.files.set(`${CGROUP}/cpuacct/docker/abc/cpuacct.usage`, `${ns}\n`);
      host.files.set(
        `${CGROUP}/blkio/docker/abc/blkio.throttle.io_service_bytes_recursive`,
        `8:0 Read 0\n8:0 Write ${written}\n8:0 Sync 5\n8:0 Total ${written}\nTotal ${written}\n`,
      );
    };
    count(0, 1000);
    const meter = ContainerMeter.of(host, 'abc', 0);
    count(2e9, 3000);
    expect(meter?.use(1000)).toEqual({ cores: 2, blockReadPerSecond: 0, blockWritePerSecond: 2000 });
  });

  it('leaves out what the kernel does not count', () => {
    const host = new FakeHost();
    host.files.set(`${CGROUP}/docker/abc/cpu.stat`, 'usage_usec 5\n');
    const meter = ContainerMeter.of(host, 'abc', 0);
    expect(meter?.use(1000)).toEqual({ cores: 0, blockReadPerSecond: null, blockWritePerSecond: null });
  });

  it('is not known of a container whose counters are not on this machine', () => {
    expect(ContainerMeter.of(new FakeHost(), 'abc', 0)).toBeUndefined();
  });
});
