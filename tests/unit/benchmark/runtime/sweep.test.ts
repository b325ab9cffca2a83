import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ownOwner } from '../../../../src/benchmark/host/owner.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { OWNER_LABEL, RUN_LABEL, createLabels } from '../../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../../src/benchmark/runtime/sweep.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const [machine = '', , startTime = ''] = ownOwner().split('.');
const dead = `${machine}.${spawnSync(process.execPath, ['-e', '']).pid}.${startTime}`;
const elsewhere = '0123456789ab.77.1';

function labels(owner: string, runId: string): Record<string, string> {
  return {
    ...createLabels({ runId, appVersion: '1', role: 'server' }),
    [OWNER_LABEL]: owner,
    [RUN_LABEL]: runId,
  };
}

/** An engine with a container, a network, a volume and an image of every owner, and some of nobody. */
async function populated(): Promise<FakeRuntime> {
  const runtime = new FakeRuntime();
  for (const [name, owner] of Object.entries({ dead, alive: ownOwner(), elsewhere })) {
    await runtime.volumes.create(`${name}-volume`, labels(owner, `run-${name}`));
    await runtime.networks.create(`${name}-network`, labels(owner, `run-${name}`));
    await runtime.containers.create({
      name: `${name}-container`,
      image: 'x',
      labels: labels(owner, `run-${name}`),
    });
    runtime.addImage(`${name}-image`, { labels: labels(owner, `run-${name}`) });
  }
  await runtime.volumes.create('users-volume', {});
  await runtime.networks.create('users-network', { 'com.example': '1' });
  await runtime.containers.create({ name: 'users-container', image: 'x', labels: {} });
  runtime.calls.length = 0;
  return runtime;
}

const names = (resources: { name: string }[]): string[] => resources.map(({ name }) => name);

describe('sweepLeftovers', () => {
  it('removes what dead owners left, containers first', async () => {
    const runtime = await populated();
    const { removed, remaining: kept, failed } = await sweepLeftovers(runtime);
    expect(names(removed)).toEqual(['dead-container', 'dead-network', 'dead-volume']);
    expect(names(kept)).toEqual([
      'alive-container',
      'elsewhere-container',
      'alive-network',
      'elsewhere-network',
      'alive-volume',
      'elsewhere-volume',
    ]);
    expect(failed).toEqual([]);
    expect(runtime.calls.map((call) => call.split(' ')[0])).toEqual([
      'listOwned',
      'removeContainer',
      'removeNetwork',
      'removeVolume',
    ]);
    expect(runtime.imagesMade).toHaveLength(3);
  });

  it('removes one run, whoever owns it', async () => {
    const { removed } = await sweepLeftovers(await populated(), { runId: 'run-alive' });
    expect(names(removed)).toEqual(['alive-container', 'alive-network', 'alive-volume']);
  });

  it('goes on when a removal fails', async () => {
    const runtime = await populated();
    const network = [...runtime.networksMade.values()].find(({ name }) => name === 'dead-network');
    const reason = 'network has active endpoints';
    runtime.failing.set(
      `removeNetwork ${network?.id ?? ''}`,
      new BenchmarkError('ENGINE_REFUSED', { action: 'remove a network', reason }),
    );
    const { removed, failed } = await sweepLeftovers(runtime);
    expect(names(removed)).toEqual(['dead-container', 'dead-volume']);
    expect(failed).toMatchObject([{ resource: { name: 'dead-network' }, error: { code: 'ENGINE_REFUSED' } }]);
  });

  it('rejects when the engine is gone', async () => {
    const runtime = await populated();
    runtime.failing.set('listOwned', new BenchmarkError('ENGINE_LOST'));
    await expect(sweepLeftovers(runtime)).rejects.toMatchObject({ code: 'ENGINE_LOST' });
  });
});
