import { describe, expect, it } from 'vitest';
import { sampleLinux, throttleFiles } from '../../../../src/benchmark/host/linux-sample.ts';
import { FakeHost } from './fake-host.ts';

function hostOf(files: Record<string, string>): FakeHost {
  const host = new FakeHost();
  for (const [path, text] of Object.entries(files)) host.files.set(path, text);
  return host;
}

describe('what a Linux kernel counts', () => {
  it('is read from its own texts', () => {
    // Recorded on Linux 6.18, Firecracker, two CPUs.
    const host = hostOf({
      '/proc/stat':
        'cpu  3617541 55578 1794975 4960179 119534 0 354640 17300 0 0\n' +
        'cpu0 1728337 25600 859605 2648254 29977 0 160688 8680 0 0\n',
      '/proc/pressure/memory':
        'some avg10=0.05 avg60=0.31 avg300=6.38 total=1711255707\nfull avg10=0.05 avg60=0.17 avg300=5.34 total=771074797\n',
      '/proc/vmstat': 'pgpgout 12\npswpin 30\npswpout 12\npswpin_zero 4\n',
    });
    expect(sampleLinux(host, [], 3)).toEqual({
      atMs: 3,
      cpu: { stolen: 17_300, total: 10_919_747 },
      memoryStallUs: 1_711_255_707,
      swappedPages: 42,
      throttles: undefined,
    });
  });

  it('does not count guests, which are part of user time, twice', () => {
    const { cpu } = sampleLinux(hostOf({ '/proc/stat': 'cpu  10 0 0 90 0 0 0 5 8 0\n' }), [], 0);
    expect(cpu).toEqual({ stolen: 5, total: 105 });
  });

  it.each([{}, { '/proc/stat': 'cpu  1 2 3\n', '/proc/pressure/memory': '', '/proc/vmstat': 'pswpin 3\n' }])(
    'is missing where the kernel says nothing, or something else: %o',
    (files) => {
      expect(sampleLinux(hostOf(files), [], 3)).toEqual({ atMs: 3 });
    },
  );

  it('adds up how often cores were slowed down', () => {
    const cpus = '/sys/devices/system/cpu';
    const file = (cpu: string) => `${cpus}/${cpu}/thermal_throttle/core_throttle_count`;
    const host = hostOf({
      ...{ [file('cpu0')]: '3\n', [file('cpu11')]: '4\n' },
      ...{ [`${cpus}/cpufreq/boost`]: '1\n', [`${cpus}/cpu2/online`]: '1\n' },
    });
    expect(sampleLinux(host, throttleFiles(host), 0).throttles).toBe(7);
  });
});
