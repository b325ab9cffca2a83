import { describe, expect, it } from 'vitest';
import {
  busyContainers,
  type Neighbors,
  otherPrograms,
  type Programs,
  readNeighbors,
  sampleLinux,
} from '../../../../src/benchmark/interference/linux-sample.ts';
import { RUN_LABEL } from '../../../../src/benchmark/runtime/labels.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
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

const RECORDED = {
  '/proc/stat':
    'cpu  5440623 3184437 2547996 2498157 92400 0 325444 27622 0 0\ncpu0 2656291 1620336 1265963 1325572 32293 0 142586 13814 0 0\n',
  '/proc/pressure/memory':
    'some avg10=0.00 avg60=0.00 avg300=0.00 total=29165534\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=3242940\n',
  '/proc/vmstat': 'pgpgout 1052502337\npswpin 12\npswpout 30\nzswpin 5\n',
};

describe('a sample of Linux', () => {
  const sampleOf = (files: Record<string, string>) => {
    const host = new FakeHost();
    for (const [path, text] of Object.entries(files)) host.files.set(path, text);
    return sampleLinux(host, [], 7);
  };

  it('has steal, the time in which some program waited for memory, and pages to and from swap', () => {
    expect(sampleOf(RECORDED)).toEqual({
      atMs: 7,
      cpu: { stolen: 27_622, total: 14_116_679 },
      memoryStallUs: 29_165_534,
      swappedPages: 42,
      throttles: undefined,
    });
  });

  it('lacks what the kernel doesn’t count', () => {
    const unknown = { cpu: undefined, memoryStallUs: undefined, swappedPages: undefined };
    expect(sampleOf({})).toMatchObject(unknown);
    expect(sampleOf({ '/proc/pressure/memory': '', '/proc/vmstat': 'pswpin 12\n' })).toMatchObject(unknown);
  });
});

const reading = (atMs: number, used: Record<string, number>): Neighbors => ({
  atMs,
  ids: Object.keys(used),
  others: new Map(Object.entries(used).map(([name, cpuSeconds]) => [name, { name, cpuSeconds }])),
});

describe('containers of others', () => {
  it('are told by name with their cores, the busiest first, from their latest start', () => {
    const before = reading(0, { web: 100, idle: 7, restarted: 100 });
    const after = reading(10_000, { web: 101, idle: 7.4, build: 9, restarted: 2 });
    const busy = [...Object.entries({ build: 0.9, restarted: 0.2, web: 0.1 })];
    expect(busyContainers(before, after)).toEqual(
      busy.map(([name, value]) => ({ kind: 'container-busy', windows: null, value, name })),
    );
  });

  it('are those without this run’s label; one that goes meanwhile is left out', async () => {
    const runtime = new FakeRuntime();
    const add = async (name: string, labels: Record<string, string>, start = true): Promise<string> => {
      const id = await runtime.containers.create({ name, image: 'i', labels });
      if (start) await runtime.containers.start(id);
      return id;
    };
    const own = await add('server', { [RUN_LABEL]: 'r1' });
    const other = await add('server of another run', { [RUN_LABEL]: 'r2' });
    const gone = await add('gone', {});
    await add('stopped', {}, false);
    runtime.failing.set(`containerUsage ${gone}`, new BenchmarkError('ENGINE_REFUSED'));
    const found = await readNeighbors([runtime], runtime, 'r1');
    expect(found.ids).toEqual([own, other, gone]);
    expect([...found.others]).toEqual([[other, { name: 'server of another run', cpuSeconds: 1 }]]);
    expect(runtime.calls).not.toContain(`containerUsage ${own}`);
  });
});
