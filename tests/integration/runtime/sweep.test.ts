import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownOwner } from '../../../src/benchmark/machine/owner.ts';
import type { ContainerRuntime, OwnedResource } from '../../../src/benchmark/runtime/container-runtime.ts';
import { OWNER_LABEL, RUN_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../src/benchmark/runtime/sweep.ts';
import { workbench, type Workbench } from './fixture.ts';

let bench: Workbench;

beforeAll(async () => {
  bench = await workbench('sweep');
});
afterAll(() => bench.clear());

it('removes what a dead run left, running container and all, and leaves the living alone', async () => {
  const { runtime, name } = bench;
  const [machine = '', , startTime = ''] = ownOwner().split('.');
  const deadOwner = `${machine}.${spawnSync('true').pid}.${startTime}`;
  for (const [who, owner] of Object.entries({ dead: deadOwner, alive: ownOwner() })) {
    const labels = { ...bench.labels, [OWNER_LABEL]: owner };
    const network = await runtime.networks.create(name(`${who}-network`), labels);
    const volume = await runtime.volumes.create(name(`${who}-volume`), labels);
    const container = await bench.shell(`${who}-container`, 'sleep 60', {
      labels,
      network,
      mounts: [{ type: 'volume', source: volume, target: '/data' }],
    });
    await runtime.containers.start(container);
  }
  // Whatever else lies about on this engine is not this test's to remove.
  const ours = async (): Promise<OwnedResource[]> =>
    (await runtime.listOwned()).filter(({ labels }) => labels[RUN_LABEL] === bench.labels[RUN_LABEL]);
  const onlyOurs = Object.create(runtime, { listOwned: { value: ours } }) as ContainerRuntime;
  const { removed, failed } = await sweepLeftovers(onlyOurs);
  expect(removed.map((resource) => resource.name)).toEqual([
    name('dead-container'),
    name('dead-network'),
    name('dead-volume'),
  ]);
  expect(failed).toEqual([]);
  expect((await ours()).map((resource) => resource.name)).toEqual([
    name('alive-container'),
    name('alive-network'),
    name('alive-volume'),
  ]);
});
