import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureClientImage, planClientImage } from '../../../src/benchmark/load/client-image.ts';
import type { LoadEvent, LoadSpec } from '../../../src/benchmark/load/driver.ts';
import { ContainerNodeDriver } from '../../../src/benchmark/load/client/node-driver.ts';
import { prepareTables } from '../../../src/benchmark/load/node/workload-engine.ts';
import { createLabels } from '../../../src/benchmark/runtime/labels.ts';
import type { Window } from '../../../src/shared/model/measurements.ts';
import { oltpWorkloadSchema } from '../../../src/shared/model/workload.ts';
import { trialFigures } from '../../../src/shared/analysis/why.ts';
import { realRuntime } from '../helpers/bench.ts';
import { bundleClient } from '../helpers/bundle-client.ts';
import { docker, startServer, type TestServer } from '../helpers/docker-server.ts';
import { openConnectionsSoon } from './server-counters.ts';

const workload = oltpWorkloadSchema.parse({ kind: 'oltp_read_write', tables: 2, tableSize: 5000 });
const never = (): AbortSignal => new AbortController().signal;

let image: string;
let server: TestServer;
let client: Awaited<ReturnType<typeof bundleClient>>;
const started: string[] = [];

beforeAll(async () => {
  client = await bundleClient();
  const runtime = await realRuntime();
  const files = { Dockerfile: await readFile('assets/client-image/Dockerfile', 'utf8') };
  const labels = createLabels({ runId: 'test', appVersion: '0.0.0-test', role: 'client-image' });
  image = await ensureClientImage(runtime, { files, labels }, () => undefined, never());
  // It is a cache: the next run finds it.
  expect(await planClientImage(runtime, files)).toEqual([]);
  server = await startServer('mysql');
  await prepareTables(server.target, workload, { seed: 1, onProgress: () => undefined, signal: never() });
});
afterAll(async () => {
  if (started.length > 0) await docker('rm', '--force', ...started);
  await server.remove();
  await client.remove();
});

/** The load client under `node` in a container on the bridge, commanded through `docker start --attach`. */
async function startClient(): Promise<{ id: string; driver: ContainerNodeDriver; ended: Promise<void> }> {
  const owner = ['--label', 'io.whalemark.owner=test'];
  const id = await docker('create', '--interactive', ...owner, image, 'node', '/tmp/client.cjs');
  started.push(id);
  await docker('cp', client.file, `${id}:/tmp/client.cjs`);
  const child = spawn('docker', ['start', '--attach', '--interactive', id]);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { id, driver: new ContainerNodeDriver({ ...child, ended }), ended };
}

const spec = (): LoadSpec => ({
  driver: 'node',
  target: server.bridgeTarget,
  workload,
  connections: 4,
  warmupMs: 500,
  durationMs: 1500,
  seed: 1,
});
/** How long the machine of a client is "asleep". */
const PAUSE_MS = 4000;

const isRunning = async (id: string): Promise<boolean> =>
  (await docker('inspect', '--format', '{{.State.Running}}', id)) === 'true';

describe('ContainerNodeDriver with a client container', () => {
  it.each(['node', 'sysbench'] as const)('leaves out the seconds in which %s did not run', async (kind) => {
    const { id, driver, ended } = await startClient();
    const windows: Window[] = [];
    let paused: Promise<unknown> | undefined;
    const pause = async (): Promise<void> => {
      await docker('pause', id);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      await docker('unpause', id);
    };
    const totals = await driver.run(
      { ...spec(), driver: kind, durationMs: 14_000 },
      (event) => {
        if (event.type !== 'window') return;
        windows.push(event.window);
        if (event.window.phase === 'measure') paused ??= pause();
      },
      never(),
    );
    await paused;
    const measured = windows.filter(({ phase }) => phase === 'measure');
    const counted = measured.filter(({ interrupted }) => !interrupted);
    const lengthOf = (of: Window[]): number => of.reduce((sum, { durationMs }) => sum + durationMs, 0);
    const excludedMs = lengthOf(measured) - lengthOf(counted);
    // The pause, and the parts of a second at its two ends.
    expect(excludedMs).toBeGreaterThanOrEqual(PAUSE_MS);
    expect(excludedMs).toBeLessThanOrEqual(PAUSE_MS + 2000);
    expect(totals.excludedMs).toBeCloseTo(excludedMs, 0);
    expect(totals.durationMs).toBeCloseTo(lengthOf(counted), 0);
    expect(totals.transactions).toBe(counted.reduce((sum, { transactions }) => sum + transactions, 0));
    // Nobody waited for the machine to wake up, as far as the numbers go.
    expect(totals.latency?.maxUs).toBeLessThan(1000 * PAUSE_MS);
    driver.quit();
    await ended;
  });

  it('times each kind of statement', async () => {
    const { driver, ended } = await startClient();
    const totals = await driver.run(spec(), () => undefined, never());
    const { statements } = trialFigures([{ totals, evidence: null }]);
    expect(
      Object.fromEntries(Object.entries(statements).map(([kind, { each }]) => [kind, Math.round(each)])),
    ).toEqual({ point: 10, range: 4, update: 2, delete: 1, insert: 1, begin: 1, commit: 1 });
    driver.quit();
    await ended;
  });

  it('checks the path and serves one trial after the other', async () => {
    const { id, driver, ended } = await startClient();
    const checked = await driver.check(server.bridgeTarget, {
      path: 'user bridge',
      budgetMs: 20_000,
      times: 3,
      signal: never(),
    });
    expect(checked.roundTripUs).toBeGreaterThan(10);
    expect(checked.roundTripUs).toBeLessThan(checked.connectUs);
    for (let trial = 0; trial < 2; trial++) {
      const events: LoadEvent[] = [];
      const totals = await driver.run(spec(), (event) => events.push(event), never());
      expect(events.map((event) => (event.type === 'phase' ? event.phase : event.window.phase))).toEqual([
        'connect',
        'warmup',
        'warmup',
        'measure',
        'measure',
        'measure',
      ]);
      const n = totals.transactions;
      expect(n).toBeGreaterThan(10);
      const measured = events.flatMap((event) =>
        event.type === 'window' && event.window.phase === 'measure' ? [event.window.transactions] : [],
      );
      expect(measured.reduce((sum, count) => sum + count, 0)).toBe(n);
      expect(totals.latency?.count).toBe(n);
      expect(totals.client.cpuSeconds).toBeGreaterThan(0);
    }
    driver.quit();
    await ended;
    expect(await isRunning(id)).toBe(false);
  });

  it('stops a trial within a second and can start another', async () => {
    const { driver, ended } = await startClient();
    const stop = new AbortController();
    let stoppedAt = 0;
    const run = driver.run(
      { ...spec(), durationMs: 60_000 },
      (event) => {
        if (event.type !== 'window') return;
        stoppedAt ||= Date.now();
        stop.abort();
      },
      stop.signal,
    );
    await expect(run).rejects.toMatchObject({ code: 'STOPPED' });
    expect(Date.now() - stoppedAt).toBeLessThan(1000);
    expect(await openConnectionsSoon(server)).toBe(0);
    expect((await driver.run(spec(), () => undefined, never())).transactions).toBeGreaterThan(0);
    driver.quit();
    await ended;
  });

  it('tells errors of the far side as they are', async () => {
    const { driver } = await startClient();
    const nowhere = { ...server.bridgeTarget, port: 9 };
    const check = driver.check(nowhere, { path: 'user bridge', budgetMs: 500, times: 1, signal: never() });
    await expect(check).rejects.toMatchObject({
      code: 'PATH_NO_TRAFFIC',
      params: { path: 'user bridge', reason: expect.stringContaining('ECONNREFUSED') },
    });
    const workloadTooBig = { ...workload, tables: 3 };
    await expect(
      driver.run({ ...spec(), workload: workloadTooBig }, () => undefined, never()),
    ).rejects.toMatchObject({ code: 'LOAD_FAILED', params: { reason: expect.stringContaining('1146') } });
  });

  it('is lost with its container', async () => {
    const { id, driver } = await startClient();
    let killedAt = 0;
    const run = driver.run(
      { ...spec(), durationMs: 60_000 },
      (event) => {
        if (event.type !== 'window' || killedAt > 0) return;
        killedAt = Date.now();
        void docker('kill', id);
      },
      never(),
    );
    await expect(run).rejects.toMatchObject({ code: 'CLIENT_LOST' });
    expect(Date.now() - killedAt).toBeLessThan(3000);
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('ends on SIGTERM although it is process 1', async () => {
    const { id, driver } = await startClient();
    const check = { path: 'p', budgetMs: 20_000, times: 1, signal: never() };
    await driver.check(server.bridgeTarget, check);
    const began = Date.now();
    await docker('stop', '--time', '10', id);
    expect(Date.now() - began).toBeLessThan(5000);
    await expect(driver.check(server.bridgeTarget, check)).rejects.toMatchObject({ code: 'CLIENT_LOST' });
  });
});
