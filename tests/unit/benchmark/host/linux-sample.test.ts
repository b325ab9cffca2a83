import { describe, expect, it } from 'vitest';
import {
  cpuTicks,
  memoryUsed,
  sampleLinux,
  stallUs,
  swappedPages,
  throttleFiles,
} from '../../../../src/benchmark/host/linux-sample.ts';
import { FakeHost } from './fake-host.ts';

describe('what a Linux kernel counts', () => {
  it('is read from its own texts', () => {
    // Recorded on Linux 6.18, Firecracker, two CPUs.
    const stat =
      'cpu  3617541 55578 1794975 4960179 119534 0 354640 17300 0 0\n' +
      'cpu0 1728337 25600 859605 2648254 29977 0 160688 8680 0 0\n';
    expect(cpuTicks(stat)).toEqual({ stolen: 17_300, total: 10_919_747 });
    expect(
      stallUs(
        'some avg10=0.05 avg60=0.31 avg300=6.38 total=1711255707\nfull avg10=0.05 avg60=0.17 avg300=5.34 total=771074797\n',
      ),
    ).toBe(1_711_255_707);
    expect(swappedPages('pgpgout 12\npswpin 30\npswpout 12\npswpin_zero 4\n')).toBe(42);
    expect(memoryUsed('MemTotal:       1000 kB\nMemFree:  10 kB\nMemAvailable:   250 kB\n')).toBe(0.75);
  });

  it('does not count guests, which are part of user time, twice', () => {
    expect(cpuTicks('cpu  10 0 0 90 0 0 0 5 8 0\n')).toEqual({ stolen: 5, total: 105 });
  });

  it('is missing where the kernel says nothing, or something else', () => {
    expect(cpuTicks('cpu  1 2 3\n')).toBeUndefined();
    expect(stallUs('')).toBeUndefined();
    expect(swappedPages('pswpin 3\n')).toBeUndefined();
    expect(memoryUsed('MemTotal: 5 kB\n')).toBeUndefined();
    expect(sampleLinux(new FakeHost(), [], 3)).toEqual({
      atMs: 3,
      cpu: undefined,
      memoryStallUs: undefined,
      swappedPages: undefined,
      memoryUsed: undefined,
      throttles: undefined,
    });
  });

  it('adds up how often cores were slowed down', () => {
    const host = new FakeHost();
    const file = (cpu: string) => `/sys/devices/system/cpu/${cpu}/thermal_throttle/core_throttle_count`;
    host.files.set(file('cpu0'), '3\n');
    host.files.set(file('cpu11'), '4\n');
    host.files.set('/sys/devices/system/cpu/cpufreq/boost', '1\n');
    host.files.set('/sys/devices/system/cpu/cpu2/online', '1\n');
    const files = throttleFiles(host);
    expect(files).toEqual([file('cpu0'), file('cpu11')]);
    expect(sampleLinux(host, files, 0).throttles).toBe(7);
  });
});
