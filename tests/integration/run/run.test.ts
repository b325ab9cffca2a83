import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { readJournal } from '../../../src/benchmark/run/journal.ts';
import { readResultFile } from '../../../src/benchmark/run/run-store.ts';
import { analyse } from '../../../src/shared/analyse.ts';
import { reduceAll } from '../../../src/shared/reduce.ts';
import { leftOf, realRuntime, runPlan, smallPlan, temporaryHome } from '../helpers/bench.ts';

describe('a run on the real engine', () => {
  let runtime: ContainerRuntime;
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  beforeAll(async () => {
    runtime = await realRuntime();
    home = await temporaryHome();
  });
  afterAll(() => home.remove());

  it.each([
    ['mysql:8.4', 'mysql'],
    ['mariadb:11.8', 'mariadb'],
  ])('measures every storage and path with %s and leaves nothing', async (image, flavour) => {
    const plan = await smallPlan(runtime, {
      server: { image, settings: { bufferPool: 64, redoLogMiB: 64 } },
      storages: { disk: { kind: 'volume-options', options: { type: 'tmpfs', device: 'tmpfs' } } },
      grid: {
        storages: [
          'named-volume',
          'anonymous-volume',
          'bind-mount',
          'image-layer',
          'data-container',
          'disk',
          'tmpfs',
        ],
        paths: ['published-port'],
      },
      scenarios: [
        { storage: 'named-volume', path: 'host-network' },
        { storage: 'named-volume', path: 'container-ip' },
        { storage: 'named-volume', path: 'user-bridge' },
        { storage: 'named-volume', path: 'shared-netns' },
        { storage: 'named-volume', path: 'unix-socket' },
        { storage: 'named-volume', path: 'shared-netns', driver: 'sysbench', id: 'netns.sysbench' },
        { storage: 'named-volume', path: 'published-port', driver: 'sysbench', id: 'port.sysbench' },
        { storage: 'image-layer', path: 'host-network' },
      ],
      schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
      noiseFloor: true,
    });
    expect(plan.setups[0]?.image.flavour).toBe(flavour);
    expect(plan.excluded).toEqual([]);
    const { state, resultPath, events } = await runPlan(plan, runtime, home.dataDir);

    expect(state.error).toBeNull();
    expect(state.trials.filter(({ status }) => status !== 'measured')).toEqual([]);
    expect(state.trials.length).toBe(16);
    // Measured in the planned order, one after the other.
    expect(events.flatMap((event) => (event.type === 'trial-started' ? [event.trialId] : []))).toEqual(
      state.trials.map(({ id }) => id),
    );
    for (const trial of state.trials) {
      expect(trial.totals?.transactions).toBeGreaterThan(0);
      expect(trial.totals?.connections).toBe(4);
      const windows = trial.windows.filter(({ phase }) => phase === 'measure');
      const sum = windows.reduce((total, { transactions }) => total + transactions, 0);
      expect(sum).toBe(trial.totals?.transactions);
    }
    // The storages are what they claim to be, seen from inside.
    const fileSystem = (serverId: string): string | null | undefined =>
      state.servers[serverId]?.facts?.datadirFileSystem;
    expect(fileSystem('image-layer.bridge')).toBe('overlay');
    expect(fileSystem('tmpfs.bridge')).toBe('tmpfs');
    expect(fileSystem('disk.bridge')).toBe('tmpfs');
    expect(fileSystem('data-container.bridge')).toBe(fileSystem('named-volume.bridge'));
    expect(fileSystem('anonymous-volume.bridge')).toBe(fileSystem('named-volume.bridge'));
    expect(fileSystem('named-volume.bridge')).not.toBe('overlay');
    // What was asked for is what the server uses.
    for (const { facts } of Object.values(state.servers)) {
      if (facts === null) continue;
      expect(facts.variables['innodb_buffer_pool_size']).toBe(String(64 * 2 ** 20));
      expect(facts.variables['innodb_flush_log_at_trx_commit']).toBe('1');
      expect(facts.variables['log_bin']).toBe('OFF');
    }
    // The result on disk, the journal and the live state are the same fold.
    expect(await readResultFile(resultPath, 'result')).toEqual(state);
    const journal = readJournal(await readFile(join(resultPath, '..', 'journal.ndjson'), 'utf8'));
    expect(reduceAll(journal?.events ?? [])).toEqual(state);
    expect(analyse(state).scenarios.every(({ tps }) => (tps ?? 0) > 0)).toBe(true);

    expect(await leftOf(runtime, state.runId)).toEqual([]);
    expect(await readdir(join(home.dataDir, 'bind'))).toEqual([]);
  });

  it('stops within five seconds while measuring, cleans up and keeps what was measured', async () => {
    const plan = await smallPlan(runtime, {
      grid: { storages: ['named-volume', 'bind-mount'], paths: ['published-port', 'user-bridge'] },
      schedule: { rounds: 3, warmupSeconds: 0, durationSeconds: 2 },
    });
    let measured = 0;
    let stoppedAt = 0;
    const { state } = await runPlan(plan, runtime, home.dataDir, {
      onEvent: (event, stop) => {
        if (event.type === 'trial-finished') measured += 1;
        if (event.type === 'window' && measured === 2 && stoppedAt === 0) {
          stoppedAt = Date.now();
          stop();
        }
      },
    });
    expect(Date.now() - stoppedAt).toBeLessThan(5000);
    expect(state.outcome).toBe('stopped');
    expect(state.error).toBeNull();
    expect(state.trials.map(({ status }) => status).filter((status) => status === 'measured').length).toBe(2);
    expect(state.trials.some(({ status }) => status === 'failed')).toBe(false);
    expect(await leftOf(runtime, state.runId)).toEqual([]);
    expect(await readdir(join(home.dataDir, 'bind'))).toEqual([]);
  });

  it.each(['init', 'load', 'clone'])('stops within five seconds in the step %s', async (kind) => {
    const plan = await smallPlan(runtime, {
      grid: { storages: ['named-volume', 'bind-mount'], paths: ['published-port'] },
      workload: { tables: 4, tableSize: 50_000 },
    });
    let stoppedAt = 0;
    const { state } = await runPlan(plan, runtime, home.dataDir, {
      onEvent: (event, stop) => {
        if (event.type === 'step-started' && event.kind === kind && stoppedAt === 0) {
          stoppedAt = Date.now();
          stop();
        }
      },
    });
    expect(Date.now() - stoppedAt).toBeLessThan(5000);
    expect(state.outcome).toBe('stopped');
    expect(await leftOf(runtime, state.runId)).toEqual([]);
    expect(await readdir(join(home.dataDir, 'bind')).catch(() => [])).toEqual([]);
  });
});
