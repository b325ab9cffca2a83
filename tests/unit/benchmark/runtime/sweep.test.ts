import { describe, expect, it } from 'vitest';
import { ownOwner } from '../../../../src/benchmark/owners/owner.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { OWNER_LABEL, createLabels } from '../../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../../src/benchmark/runtime/sweep.ts';
import { deadOwner } from '../../../helpers/owners.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const dead = deadOwner();
const elsewhere = '0123456789ab.77.1';

const labels = (owner: string, runId: string): Record<string, string> => ({
  ...createLabels({ runId, appVersion: '1', role: 'server' }),
  [OWNER_LABEL]: owner,
});

/** An engine with a container, a network, a volume, and an image of every owner, and some without an owner. */
async function populated(): Promise<FakeRuntime> {
  const runtime = new FakeRuntime();
  for (const [name, owner] of Object.entries({ dead, alive: ownOwner(), elsewhere })) {
    const own = labels(owner, name);
    await runtime.volumes.create(`whalemark-${name}-volume`, own);
    await runtime.networks.create(`whalemark-${name}`, own);
    await runtime.containers.create({ name: `whalemark-${name}-container`, image: 'x', labels: own });
    runtime.addImage(`${name}-image`, { labels: own });
  }
  await runtime.volumes.create('users-volume', {});
  await runtime.networks.create('users-network', { 'com.example': '1' });
  // Copied with their labels, as tools do.
  for (const copy of ['users-copy', 'copy-of-whalemark-dead-volume', 'whalemark-deadline']) {
    await runtime.volumes.create(copy, labels(dead, 'dead'));
    await runtime.networks.create(copy, labels(dead, 'dead'));
  }
  await runtime.containers.create({ name: 'users-container', image: 'x', labels: {} });
  runtime.calls.length = 0;
  return runtime;
}

const names = (resources: { name: string }[]): string[] => resources.map(({ name }) => name);

describe('sweepLeftovers', () => {
  it('removes what dead owners left, containers first', async () => {
    const runtime = await populated();
    const { removed, remaining: kept, failed } = await sweepLeftovers(runtime);
    expect(names(removed)).toEqual(['whalemark-dead-container', 'whalemark-dead', 'whalemark-dead-volume']);
    expect(names(kept)).toEqual([
      'whalemark-alive-container',
      'whalemark-elsewhere-container',
      'whalemark-alive',
      'whalemark-elsewhere',
      'whalemark-alive-volume',
      'whalemark-elsewhere-volume',
    ]);
    expect(failed).toEqual([]);
    const calls = ['listOwned', 'removeContainer', 'removeNetwork', 'removeVolume'];
    expect(runtime.calls.map((call) => call.split(' ')[0])).toEqual(calls);
    expect(runtime.imagesMade).toHaveLength(3);
  });

  it('removes one run, whoever owns it', async () => {
    const { removed } = await sweepLeftovers(await populated(), { runId: 'alive' });
    expect(names(removed)).toEqual([
      'whalemark-alive-container',
      'whalemark-alive',
      'whalemark-alive-volume',
    ]);
  });

  it.each([
    ['dead', dead, 3],
    ['alive', ownOwner(), 0],
    ['alive', dead, 0],
    ['elsewhere', elsewhere, 0],
  ])('removes what one process left of run %s only if it has ended', async (runId, owner, count) => {
    const { removed } = await sweepLeftovers(await populated(), { runId, owner });
    expect(removed).toHaveLength(count);
  });

  it('goes on when a removal fails', async () => {
    const runtime = await populated();
    const network = [...runtime.networksMade.values()].find(({ name }) => name === 'whalemark-dead');
    runtime.failing.set(`removeNetwork ${network?.id ?? ''}`, new BenchmarkError('ENGINE_REFUSED'));
    const { removed, failed } = await sweepLeftovers(runtime);
    expect(names(removed)).toEqual(['whalemark-dead-container', 'whalemark-dead-volume']);
    const kept = { resource: { name: 'whalemark-dead' }, error: { code: 'ENGINE_REFUSED' } };
    expect(failed).toMatchObject([kept]);
  });

  it('rejects when the engine is gone', async () => {
    const runtime = await populated();
    runtime.failing.set('listOwned', new BenchmarkError('ENGINE_LOST'));
    await expect(sweepLeftovers(runtime)).rejects.toMatchObject({ code: 'ENGINE_LOST' });
  });
});
