import { expect, it } from 'vitest';
import { OtherCores } from '../../../../src/benchmark/interference/other-cores.ts';
import { RUN_LABEL } from '../../../../src/benchmark/runtime/labels.ts';
import type { ContainerRuntime } from '../../../../src/benchmark/runtime/container-runtime.ts';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import { FAKE_PASSPORT, FakeRuntime } from '../../fake-runtime.ts';
import { FakeHost } from './fake-host.ts';

const [OWN, FOREIGN, LATER] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)] as const;

/** One container is the run's. */
function machine(): FakeHost {
  const host = FakeHost.withApp();
  host.count({ total: 1000, stolen: 0 });
  for (const [pid, id] of [OWN, FOREIGN, LATER].entries())
    host.files.set(`/proc/${300 + pid}/cgroup`, `0::/system.slice/docker-${id}.scope\n`);
  return host;
}

function engine(passport?: Passport): ContainerRuntime {
  const runtime = new FakeRuntime(passport);
  runtime.containers.listRunning = () =>
    Promise.resolve([
      { id: OWN, name: 'server', labels: { [RUN_LABEL]: 'r' } },
      { id: FOREIGN, name: 'shop', labels: {} },
    ]);
  return runtime;
}

/** CPU seconds that `during` uses within two seconds. */
async function usedBy(during: (host: FakeHost) => void, runtime = engine()): Promise<number | undefined> {
  const host = machine();
  const cores = new OtherCores(host, [runtime], 'r');
  await cores.learn();
  const before = cores.read();
  during(host);
  const after = cores.read();
  const between = cores.between(before && { ...before, atMs: 0 }, after && { ...after, atMs: 2000 });
  return between === undefined ? undefined : 2 * between;
}

it('counts other programs, other containers, and steal', async () => {
  expect(await usedBy((host) => host.process(200, 1, 'make', 1.5))).toBeCloseTo(1.5);
  expect(await usedBy((host) => host.process(301, 1, 'mysqld', 0.5))).toBeCloseTo(0.5);
  expect(await usedBy((host) => host.count({ total: 1400, stolen: 30 }))).toBeCloseTo(0.3);
});

it('counts neither the run’s servers nor its load, the engine, the kernel, or file sharing', async () => {
  const own = await usedBy((host) => {
    host.process(100, 90, 'whalemark', 30);
    host.process(101, 100, 'client', 5);
    host.process(300, 1, 'mysqld', 5);
    host.process(70, 1, 'dockerd', 5);
    host.process(71, 1, 'containerd-shim', 5);
    host.process(72, 1, 'virtiofsd', 5);
    host.process(33, 2, 'kworker/0:1', 5);
  });
  expect(own).toBe(0);
});

it('is unknown beside a container that has just appeared, and where servers are not of this machine', async () => {
  expect(await usedBy((host) => host.process(302, 1, 'mysqld', 1))).toBeUndefined();
  const elsewhere = { ...FAKE_PASSPORT, runtime: { ...FAKE_PASSPORT.runtime, vm: true } };
  expect(await usedBy(() => undefined, engine(elsewhere))).toBeUndefined();
});
