import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { planClientImage } from '../../../src/benchmark/load/client-image.ts';
import type { LoadEvent, LoadSpec } from '../../../src/benchmark/load/load-client.ts';
import type { Window } from '../../../src/shared/model/measurements.ts';
import { oltpWorkloadSchema } from '../../../src/shared/model/workload.ts';
import { trialFigures } from '../../../src/shared/analysis/trial-figures.ts';
import { realRuntime } from '../helpers/bench.ts';
import { docker } from '../helpers/docker-server.ts';
import { startClient as startContainer, type ContainerClient } from './container-client.ts';
import { never, prepare } from './loads.ts';
import { openConnectionsSoon } from './server-counters.ts';
import { ENDLESS_MS, full, useServer } from './shared-server.ts';
import { sysbenchImage } from './sysbench-command.ts';

const workload = oltpWorkloadSchema.parse({ kind: 'oltp_read_write', tables: 2, tableSize: 5000 });
const server = useServer('mysql');
beforeAll(() => prepare(server, workload));

const started: ContainerClient[] = [];
afterEach(async () => {
  for (const client of started.splice(0)) await client.remove();
});

async function startClient(): Promise<ContainerClient> {
  const client = await startContainer(inject('clientFile'));
  started.push(client);
  return client;
}

const spec = (): LoadSpec => ({
  loadGenerator: 'builtin',
  target: server.bridgeTarget,
  workload,
  connections: 4,
  warmupMs: 500,
  durationMs: 1500,
  seed: 1,
});
/** The machine of a client is "asleep" for longer than the 2.5 s after which the client knows that it did not run. */
const PAUSE_MS = 3000;

describe('CommandedClient with a client container', () => {
  it('has an image that the next run finds', async () => {
    await sysbenchImage();
    const files = { Dockerfile: await readFile('assets/client-image/Dockerfile', 'utf8') };
    expect(await planClientImage(await realRuntime(), 'sysbench', files)).toMatchObject({ toPrepare: [] });
  });

  const KINDS = [
    { loadGenerator: 'builtin', transport: 'threads' },
    { loadGenerator: 'builtin', transport: 'loop' },
    { loadGenerator: 'sysbench' },
  ] as const;
  it.each(KINDS)(
    'leaves out the seconds in which $loadGenerator $transport did not run',
    full(),
    async (kind) => {
      const { id, loadGenerator } = await startClient();
      const windows: Window[] = [];
      let paused: Promise<number> | undefined;
      /** Resolves with the time that the pause took at most, ms. */
      const pause = async (): Promise<number> => {
        const began = Date.now();
        await docker('pause', id);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        await docker('unpause', id);
        return Date.now() - began;
      };
      const totals = await loadGenerator.run(
        { ...spec(), ...kind, durationMs: 12_000 },
        (event) => {
          if (event.type !== 'window') return;
          windows.push(event.window);
          if (event.window.phase === 'measure') paused ??= pause();
        },
        never(),
      );
      const pausedMs = (await paused) ?? NaN;
      const measured = windows.filter(({ phase }) => phase === 'measure');
      const counted = measured.filter(({ interrupted }) => !interrupted);
      const lengthOf = (of: Window[]): number => of.reduce((sum, { durationMs }) => sum + durationMs, 0);
      const excludedMs = lengthOf(measured) - lengthOf(counted);
      // The pause, and the parts of a second at its two ends.
      expect(excludedMs).toBeGreaterThanOrEqual(PAUSE_MS);
      expect(excludedMs).toBeLessThanOrEqual(pausedMs + 2000);
      expect(totals.excludedMs).toBeCloseTo(excludedMs, 0);
      expect(totals.durationMs).toBeCloseTo(lengthOf(counted), 0);
      expect(totals.transactions).toBe(counted.reduce((sum, { transactions }) => sum + transactions, 0));
      // No latency holds the pause.
      expect(totals.latency?.maxUs).toBeLessThan(1000 * PAUSE_MS);
    },
  );

  it('checks the path, serves one trial after the other, and times each kind of statement', async () => {
    const { loadGenerator } = await startClient();
    const checked = await loadGenerator.check(server.bridgeTarget, {
      path: 'user bridge',
      budgetMs: 20_000,
      times: 3,
      signal: never(),
    });
    expect(checked.roundTripUs).toBeGreaterThan(10);
    expect(checked.roundTripUs).toBeLessThan(checked.connectUs);
    for (let trial = 0; trial < 2; trial++) {
      const events: LoadEvent[] = [];
      const totals = await loadGenerator.run(spec(), (event) => events.push(event), never());
      expect(events.map((event) => (event.type === 'phase' ? event.phase : event.window.phase))).toEqual([
        'connect',
        'warmup',
        'warmup',
        'measure',
        'measure',
        'measure',
      ]);
      const n = totals.transactions;
      expect(n).toBeGreaterThan(0);
      const measured = events.flatMap((event) =>
        event.type === 'window' && event.window.phase === 'measure' ? [event.window.transactions] : [],
      );
      expect(measured.reduce((sum, count) => sum + count, 0)).toBe(n);
      expect(totals.latency?.count).toBe(n);
      expect(totals.client.cpuSeconds).toBeGreaterThan(0);
      const { statements } = trialFigures([{ totals, evidence: null }]);
      expect(
        Object.fromEntries(Object.entries(statements).map(([kind, { each }]) => [kind, Math.round(each)])),
      ).toEqual({ point: 10, range: 4, update: 2, delete: 1, insert: 1, begin: 1, commit: 1 });
    }
  });

  it('is lost with its container', async () => {
    const { id, loadGenerator } = await startClient();
    let killed: Promise<unknown> | undefined;
    const run = loadGenerator.run(
      { ...spec(), durationMs: ENDLESS_MS },
      (event) => {
        if (event.type === 'window') killed ??= docker('kill', id);
      },
      never(),
    );
    await expect(run).rejects.toMatchObject({ code: 'CLIENT_LOST' });
    await killed;
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('ends on SIGTERM although it is process 1', async () => {
    const { id, loadGenerator } = await startClient();
    const check = { path: 'p', budgetMs: 20_000, times: 1, signal: never() };
    await loadGenerator.check(server.bridgeTarget, check);
    await docker('stop', '--time', '30', id);
    // A process that had to be killed has 137.
    expect(await docker('inspect', '--format', '{{.State.ExitCode}}', id)).not.toBe('137');
    await expect(loadGenerator.check(server.bridgeTarget, check)).rejects.toMatchObject({
      code: 'CLIENT_LOST',
    });
  });
});
