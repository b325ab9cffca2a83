import { describe, expect, it } from 'vitest';
import { Server } from '../../../../src/benchmark/target/server.ts';
import type { PreparedStorage } from '../../../../src/benchmark/target/prepared-storage.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const storage = { datadir: '/var/lib/mysql', mounts: [] } as unknown as PreparedStorage;

function makeServer(runtime: FakeRuntime): Promise<Server> {
  return Server.create({
    runtime,
    id: 'volume.bridge',
    name: 'whalemark-test-s1',
    image: 'sha256:1',
    labels: {},
    options: [],
    account: { user: 'u', password: 'p', database: 'd' },
    env: {},
    storage,
    storageName: 'named volume',
    attach: 'bridge',
    network: 'whalemark-test',
    socketVolume: undefined,
    hostPort: 0,
    budgets: { readyMs: 20, pathMs: 20 },
    onLog: () => undefined,
  });
}

describe('a server that does not get ready in time', () => {
  it('is stopped, so that it does not run beside the next one', async () => {
    const runtime = new FakeRuntime();
    const server = await makeServer(runtime);
    await expect(server.start('start', new AbortController().signal)).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
    });
    expect(runtime.calls).toContain(`stopContainer ${server.containerId} 10`);
    expect(runtime.containers.get(server.containerId)?.running).toBe(false);
  });

  it('can be started again, and is late for the same reason', async () => {
    const runtime = new FakeRuntime();
    const server = await makeServer(runtime);
    const { signal } = new AbortController();
    for (let trial = 0; trial < 2; trial++) {
      await expect(server.start('start', signal)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    }
    runtime.onStart = ({ log }) =>
      log.push("mysqld: ready for connections. Version: '8.4.10'  socket: '/s'  port: 3306  MySQL");
    expect(await (await server.start('start', signal)).isAlive()).toBe(true);
  });
});
