import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownOwner } from '../../../src/benchmark/owners/owner.ts';
import type { ContainerRuntime, OwnedResource } from '../../../src/benchmark/runtime/container-runtime.ts';
import { OWNER_LABEL, RUN_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../src/benchmark/runtime/sweep.ts';
import { deadOwner } from '../../helpers/owners.ts';
import { IMAGE, workbench, type Workbench } from './fixture.ts';

let bench: Workbench;

beforeAll(async () => {
  bench = await workbench('sweep');
});
afterAll(() => bench.clear());

it('removes what a dead run left, running container and all, and leaves the living alone', async () => {
  const { runtime, name } = bench;
  for (const [who, owner] of Object.entries({ dead: deadOwner(), alive: ownOwner() })) {
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
  // Other resources on this engine are not this test's to remove.
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

it('leaves volumes and networks of others that carry its labels', async () => {
  const { runtime, labels } = bench;
  const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim();
  const copied = Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]);
  const theirs = `bystander-${process.pid}`;
  try {
    for (const kind of ['volume', 'network']) docker(kind, 'create', ...copied, theirs);
    await sweepLeftovers(runtime, { runId: labels[RUN_LABEL] ?? '' });
    for (const kind of ['volume', 'network']) docker(kind, 'inspect', theirs);
  } finally {
    docker('volume', 'rm', '-f', theirs);
    docker('network', 'rm', theirs);
  }
});

it('leaves what others made from images that hand its labels down', async () => {
  const { runtime, labels, name } = bench;
  const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim();
  const id = await bench.shell('committed', 'sleep 60');
  const tag = `bystander-${process.pid}`;
  const owned = Object.entries({ ...labels, [OWNER_LABEL]: 'x' }).flatMap(([key, value]) => [
    '--change',
    `LABEL ${key}=${value}`,
  ]);
  const bystanders = [
    { from: name('committed'), changes: [] },
    { from: docker('create', IMAGE), changes: owned },
  ].map(({ from, changes }, index) => {
    docker('commit', ...changes, from, `${tag}:${index}`);
    if (changes.length > 0) docker('rm', from);
    return docker('run', '-d', '-v', '/notes', `${tag}:${index}`, 'sleep', '600');
  });
  try {
    const { removed } = await sweepLeftovers(runtime, { runId: labels[RUN_LABEL] ?? '' });
    expect(removed.map((resource) => resource.id)).toContain(id);
    for (const one of bystanders) {
      expect(docker('inspect', '-f', `{{index .Config.Labels "${RUN_LABEL}"}} {{.State.Running}}`, one)).toBe(
        `${labels[RUN_LABEL]} true`,
      );
      docker('exec', one, 'touch', '/notes/mine');
    }
  } finally {
    docker('rm', '-f', '-v', ...bystanders);
    docker('rmi', `${tag}:0`, `${tag}:1`);
  }
});
