import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { Cleanup } from '../../../../src/benchmark/context/cleanup.ts';
import { Clients } from '../../../../src/benchmark/context/clients.ts';
import type { ClientKit, RunContext } from '../../../../src/benchmark/context/context.ts';
import type { RunningServer } from '../../../../src/benchmark/servers/target-server.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { makePlan } from '../../plan-builder.ts';
import { sharedFolder } from '../../../helpers/folders.ts';

describe('a client on another node', () => {
  const directory = sharedFolder();
  const clientFile = (): string => join(directory, 'client.cjs');
  beforeAll(() => writeFile(clientFile(), ''));

  const plan = makePlan({
    scenarios: [
      { storage: 'named-volume', path: 'overlay' },
      { storage: 'named-volume', path: 'overlay-other-node' },
    ],
    aaCheck: false,
  });
  const running = {} as RunningServer;
  let runtime: FakeRuntime;
  let other: FakeRuntime;
  let cleanup: Cleanup;
  beforeEach(() => {
    [runtime, other, cleanup] = [new FakeRuntime(), new FakeRuntime(), new Cleanup()];
  });
  const clients = (onOther: ClientKit['clientImages'] = { builtin: 'node:there' }): Clients => {
    const context: Partial<RunContext> = { plan, runtime, clientFile: clientFile() };
    const kit: ClientKit = {
      runtime,
      clientImages: { builtin: 'node:here' },
      otherNode: { runtime: other, clientImages: onOther },
      prefix: 'whalemark-1',
      labels: (role) => ({ role }),
      networks: { bridge: 'b', overlay: 'o' },
    };
    return new Clients(context as RunContext, kit, cleanup);
  };
  const [near, far] = plan.scenarios;
  if (near === undefined || far === undefined) throw new Error('two scenarios');

  it('is a container of that node’s engine on the overlay, kept for all trials, and removed there', async () => {
    const own = clients();
    const client = await own.for(far, running);
    expect(await own.for(far, running)).toBe(client);
    await own.for(near, running);
    const specs = (engine: FakeRuntime) => [...engine.containersMade.values()].map(({ spec }) => spec);
    expect(specs(other)).toMatchObject([{ image: 'node:there', network: 'o', stdin: true }]);
    expect(specs(runtime)).toMatchObject([{ image: 'node:here', network: 'o' }]);
    expect(await cleanup.run()).toEqual([]);
    for (const engine of [runtime, other]) expect(specs(engine)).toEqual([]);
  });

  it('costs only its own scenarios where its image is missing', () => {
    const missing = new BenchmarkError('CLIENT_IMAGE_MISSING', { image: 'node', reason: 'no' });
    const own = clients({ builtin: missing });
    expect([own.lacking(near), own.lacking(far)]).toEqual([undefined, missing]);
  });

  it('is lost with its engine, which is not the server’s', async () => {
    const lost = new BenchmarkError('ENGINE_LOST', { action: 'x', reason: 'it is gone' });
    other.failing.set('createContainer whalemark-1-client1', lost);
    await expect(clients().for(far, running)).rejects.toMatchObject({ code: 'CLIENT_LOST' });
  });
});
