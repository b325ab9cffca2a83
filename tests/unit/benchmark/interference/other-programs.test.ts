import { describe, expect, it } from 'vitest';
import { otherPrograms, type Programs } from '../../../../src/benchmark/interference/linux-sample.ts';
import { parseProcess, readProcesses } from '../../../../src/benchmark/host/processes.ts';
import { FakeHost } from './fake-host.ts';

const ID = 'a'.repeat(64);

const read = (host: FakeHost, atMs: number): Programs => ({ atMs, table: readProcesses(host) });

/** Conditions after `during` has used ten seconds of a machine of four CPUs. */
function used(during: (host: FakeHost) => void, host = FakeHost.withApp()) {
  const before = read(host, 0);
  during(host);
  return otherPrograms(host, before, read(host, 10_000), [ID], 4);
}

describe('what other programs use', () => {
  it('is told in cores, with the busiest', () => {
    const found = used((host) => {
      host.process(200, 1, 'Web Content) R', 15, 0, 9);
      host.process(201, 1, 'make', 4, 0, 9);
    });
    expect(found).toEqual([{ kind: 'others-busy', windows: null, value: 1.9, name: 'Web Content) R' }]);
  });

  it('is not the app’s, its children’s, the engine’s, the kernel’s or a container’s', () => {
    const found = used((host) => {
      host.process(90, 80, 'whalemark', 40);
      host.process(100, 90, 'whalemark', 60);
      host.process(101, 100, 'mysqld', 30, 0, 9);
      host.process(33, 2, 'kworker/0:1', 10);
      host.process(70, 1, 'dockerd', 10, 0, 9);
      host.process(71, 70, 'docker-proxy', 10, 0, 9);
      host.process(300, 72, 'mysqld', 30, 0, 9);
      host.files.set('/proc/300/cgroup', `0::/system.slice/docker-${ID}.scope\n`);
    });
    expect(found).toEqual([]);
  });

  it('holds what short processes used, in the figure of the one that waited for them', () => {
    const host = FakeHost.withApp();
    // `cc` has used 3 s when the load begins, and 5 s when it ends: 2 s are of this time, and so are the 4 s of others.
    host.process(210, 80, 'make', 1);
    host.process(211, 210, 'cc', 3);
    const found = used((changed) => {
      changed.files.delete('/proc/211/stat');
      changed.process(210, 80, 'make', 1, 9);
    }, host);
    expect(found).toMatchObject([{ name: 'make', value: 0.6 }]);
  });

  it('does not hold what ended processes had used before, through whomever it was passed on', () => {
    const host = FakeHost.withApp();
    host.process(210, 80, 'sh', 0);
    host.process(211, 210, 'make', 1, 500);
    host.process(212, 211, 'cc', 300);
    const found = used((changed) => {
      for (const pid of [210, 211, 212]) changed.files.delete(`/proc/${pid}/stat`);
      changed.process(80, 1, 'bash', 5, 801 + 3);
    }, host);
    expect(found).toMatchObject([{ name: 'bash', value: 0.3 }]);
  });

  it('is not less because of what ended without anybody waiting', () => {
    const host = FakeHost.withApp();
    host.process(211, 1, 'cc', 300);
    const found = used((changed) => {
      changed.files.delete('/proc/211/stat');
      changed.process(1, 0, 'systemd', 55);
    }, host);
    expect(found).toMatchObject([{ name: 'systemd', value: 0.5 }]);
  });

  it('begins anew with a pid that was given out again', () => {
    const host = FakeHost.withApp();
    host.process(220, 80, 'old', 100, 0, 5);
    expect(used((changed) => changed.process(220, 80, 'new', 4, 0, 50), host)).toMatchObject([
      { value: 0.4 },
    ]);
  });

  it('is not worth a word below a twentieth of the machine', () => {
    expect(used((host) => host.process(200, 1, 'gnome-shell', 1.9, 0, 9))).toEqual([]);
    expect(used((host) => host.process(200, 1, 'gnome-shell', 2, 0, 9))).toHaveLength(1);
  });

  it('is nothing where processes can’t be read', () => {
    const empty = new FakeHost();
    expect(otherPrograms(empty, read(empty, 0), read(empty, 10), [], 4)).toEqual([]);
    expect(parseProcess('')).toBeUndefined();
    expect(parseProcess('12 (short) S 1')).toBeUndefined();
  });
});
