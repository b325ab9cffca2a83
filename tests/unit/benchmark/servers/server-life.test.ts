import { describe, expect, it, vi } from 'vitest';
import { Server } from '../../../../src/benchmark/servers/server.ts';
import type { PreparedStorage } from '../../../../src/benchmark/servers/storage/prepared-storage.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

vi.mock('../../../../src/benchmark/runtime/engine/container-pauses.ts', async (original) => ({
  ...(await original<object>()),
  LATE_PAUSE_MS: 20,
}));

const storage = { datadir: '/var/lib/mysql', container: {} } as unknown as PreparedStorage;
const READY = "mysqld: ready for connections. Version: '8.4.10'  socket: '/s'  port: 3306  MySQL";

function makeServer(runtime: FakeRuntime, onLog: (lines: string[]) => void = () => undefined) {
  return Server.create({
    container: runtime.containers,
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
    budgets: { readyMs: 20, pathMs: 20 },
    onLog,
  });
}

async function startedServer() {
  const runtime = new FakeRuntime();
  runtime.onStart = ({ log }) => log.push(READY);
  const server = await makeServer(runtime);
  return { runtime, server, running: await server.start('start', new AbortController().signal) };
}

describe('a server that does not get ready in time', () => {
  it('is stopped, and can be started again, though it is late for the same reason', async () => {
    const runtime = new FakeRuntime();
    const server = await makeServer(runtime);
    const { signal } = new AbortController();
    for (let trial = 0; trial < 2; trial++) {
      await expect(server.start('start', signal)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
      expect(runtime.containersMade.get(server.containerId)?.running).toBe(false);
    }
    runtime.onStart = ({ log }) => log.push(READY);
    expect(await (await server.start('start', signal)).isAlive()).toBe(true);
  });
});

describe('a server that ends by itself', () => {
  it('is listened to no longer: an open stream would keep the program alive', async () => {
    const { runtime, server, running } = await startedServer();
    expect(runtime.watched()).toEqual([server.containerId]);
    runtime.exit(server.containerId, 137);
    await expect(running.failed).rejects.toMatchObject({ code: 'SERVER_EXITED' });
    expect(runtime.watched()).toEqual([]);
  });
});

describe('a server that is frozen', () => {
  const frozen = async () => {
    const { runtime, server, running } = await startedServer();
    for (let turn = 0; turn < 2; turn++) {
      await running.freezer?.freeze();
      await running.freezer?.thaw();
    }
    await running.freezer?.freeze();
    return { runtime, server, running };
  };

  it('is not taken for one that somebody else pauses', async () => {
    const { runtime, server, running } = await frozen();
    await running.freezer?.thaw();
    runtime.pause(server.containerId);
    await expect(running.failed).rejects.toMatchObject({ code: 'CONTAINER_PAUSED' });
  });

  it('is not taken for paused when the engine tells of its own pause late', async () => {
    const { runtime, server, running } = await frozen();
    await running.freezer?.thaw();
    runtime.tellOfPause(server.containerId);
    const inspected = (): number =>
      runtime.calls.filter((call) => call === `inspectContainer ${server.containerId}`).length;
    const before = inspected();
    await expect.poll(inspected, { timeout: 20_000 }).toBeGreaterThan(before);
    await expect(Promise.race([running.failed, Promise.resolve('runs')])).resolves.toBe('runs');
  });

  it('is not taken for frozen where the engine refused, so the next attempt pauses it', async () => {
    const { runtime, server, running } = await startedServer();
    const pause = `pause ${server.containerId}`;
    runtime.failing.set(pause, new BenchmarkError('ENGINE_REFUSED', { action: 'x', reason: 'busy' }));
    await expect(running.freezer?.freeze()).rejects.toMatchObject({ code: 'ENGINE_REFUSED' });
    await running.freezer?.thaw();
    expect(runtime.calls.filter((call) => call.startsWith('unpause'))).toEqual([]);
    runtime.failing.delete(pause);
    await running.freezer?.freeze();
    expect(runtime.containersMade.get(server.containerId)?.paused).toBe(true);
  });

  it('wakes to shut down', async () => {
    const { runtime, server, running } = await frozen();
    await running.stop(1);
    const calls = runtime.calls.filter((call) => /^(unpause|stopContainer)/.test(call));
    const wakes = `unpause ${server.containerId}`;
    expect(calls).toEqual([wakes, wakes, wakes, expect.stringMatching(/^stopContainer/)]);
  });
});

describe('a server whose image talks without end', () => {
  it('is measured, and does not fill the journal', async () => {
    const runtime = new FakeRuntime();
    runtime.onStart = ({ log }) => log.push(...Array<string>(100_000).fill('y'.repeat(50)), READY);
    const lines: string[] = [];
    const server = await makeServer(runtime, (told) => lines.push(...told));
    await (await server.start('start', new AbortController().signal)).stop(1);
    expect(lines.length).toBeLessThan(10_000);
    // The last line counts the missing ones.
    await expect
      .poll(() => lines.at(-1), { timeout: 20_000 })
      .toContain(String(100_000 + 1 - (lines.length - 1)));
  });
});
