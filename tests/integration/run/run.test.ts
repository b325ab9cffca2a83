import { readJournal, reduceAll } from '../../helpers/journals.ts';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readResultHere } from '../../../src/benchmark/store/stored-result.ts';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { LOAD_GENERATORS } from '../../../src/shared/model/names.ts';
import { PLAIN_STORAGES } from '../../../src/shared/model/cells.ts';
import { IS_FULL, sampled } from '../../helpers/tier.ts';
import { docker } from '../helpers/docker-server.ts';
import { leftOf, realBench, runPlan, smallPlan, withContainers } from '../helpers/bench.ts';

describe('a run on the real engine', () => {
  const bench = realBench();
  /** All storages, and the paths that differ most. */
  const EVERYTHING = {
    grid: {
      storages: [...PLAIN_STORAGES, 'disk'],
      paths: ['published-port'],
    },
    scenarios: [
      { storage: 'named-volume', path: 'host-network' },
      { storage: 'named-volume', path: 'container-ip' },
      { storage: 'named-volume', path: 'user-bridge' },
      { storage: 'named-volume', path: 'shared-netns' },
      { storage: 'named-volume', path: 'unix-socket' },
      { storage: 'container-layer', path: 'host-network' },
    ],
  };
  const ESSENTIALS = {
    grid: { storages: ['named-volume', 'container-layer', 'disk', 'tmpfs'], paths: ['published-port'] },
    scenarios: [],
  };
  it.each(
    sampled(
      [
        [
          'mariadb:11.8',
          'mariadb',
          IS_FULL ? EVERYTHING : ESSENTIALS,
          IS_FULL ? LOAD_GENERATORS : ['builtin'],
        ] as const,
        ['mysql:8.4', 'mysql', EVERYTHING, ['builtin']] as const,
      ],
      2,
    ),
  )(
    'measures every storage and path with %s and leaves nothing',
    async (image, flavor, scenarios, loadGenerators) => {
      const plan = await smallPlan(bench.runtime, {
        server: { image, settings: { bufferPool: 64, redoLogMiB: 64 } },
        storages: { disk: { kind: 'volume-options', options: { type: 'tmpfs', device: 'tmpfs' } } },
        ...scenarios,
        loadGenerator: loadGenerators.length === 1 ? loadGenerators[0] : loadGenerators,
        // A single second has passed without a transaction on a busy machine.
        schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 3 },
        aaCheck: true,
      });
      expect(plan.configs[0]?.image.flavor).toBe(flavor);
      expect(plan.excluded).toEqual([]);
      const { state, journalPath, events } = await runPlan(plan, bench.runtime, bench.dataDir);

      expect(state.error).toBeNull();
      expect(
        state.trials.flatMap(({ id, status, error }) => (status === 'measured' ? [] : [{ id, error }])),
      ).toEqual([]);
      const places = scenarios.grid.storages.length + scenarios.scenarios.length;
      expect(state.trials.length).toBe(places * loadGenerators.length + 1);
      // Measured in the planned order, one after the other.
      expect(events.flatMap((event) => (event.type === 'trial-started' ? [event.trialId] : []))).toEqual(
        state.trials.map(({ id }) => id),
      );
      for (const trial of state.trials) {
        const told = `${trial.id}, ${trial.totals?.excludedMs} ms excluded, errors ${JSON.stringify(trial.totals?.errors)}`;
        expect(trial.totals?.transactions, told).toBeGreaterThan(0);
        expect(trial.totals?.connections, trial.id).toBe(4);
        const windows = trial.windows.filter(({ phase }) => phase === 'measure');
        const sum = windows.reduce((total, { transactions }) => total + transactions, 0);
        expect(sum).toBe(trial.totals?.transactions);
      }
      // The storages are what they claim to be, seen from inside.
      const fileSystem = (serverId: string): string | null | undefined =>
        state.servers[serverId]?.facts?.datadirFileSystem;
      expect(fileSystem('container-layer.bridge')).toBe('overlay');
      expect(fileSystem('tmpfs.bridge')).toBe('tmpfs');
      expect(fileSystem('disk.bridge')).toBe('tmpfs');
      if (scenarios === EVERYTHING) {
        expect(fileSystem('data-container.bridge')).toBe(fileSystem('named-volume.bridge'));
        expect(fileSystem('anonymous-volume.bridge')).toBe(fileSystem('named-volume.bridge'));
      }
      expect(fileSystem('named-volume.bridge')).not.toBe('overlay');
      // The server uses the settings that were asked for.
      for (const { facts } of Object.values(state.servers)) {
        if (facts === null) continue;
        expect(facts.variables['innodb_buffer_pool_size']).toBe(String(64 * 2 ** 20));
        expect(facts.variables['innodb_flush_log_at_trx_commit']).toBe('1');
        expect(facts.variables['log_bin']).toBe('OFF');
      }
      // The result on disk, the journal and the live state are the same fold.
      expect(await readResultHere(journalPath, 'result')).toEqual(state);
      const journal = await readJournal(journalPath);
      expect(reduceAll(journal?.events ?? [])).toEqual(state);
      expect(analyze(state).scenarios.every(({ tps }) => (tps ?? 0) > 0)).toBe(true);

      expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
      // The folder is made with the first bind mount only.
      const binds = join(bench.dataDir, 'bind');
      expect(existsSync(binds) ? await readdir(binds) : []).toEqual([]);
    },
  );

  const stopAfter = async (
    trials: number,
    durationSeconds: number,
    before: (runId: string) => Promise<void>,
  ): Promise<void> => {
    const plan = await smallPlan(bench.runtime, {
      grid: { storages: ['named-volume', 'bind-mount'], paths: ['published-port'] },
      schedule: { rounds: 3, warmupSeconds: 0, durationSeconds },
    });
    expect(plan.transport).toBe('threads');
    let measured = 0;
    let runId = '';
    let stopping: Promise<void> | undefined;
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir, {
      onEvent: (event, stop) => {
        if (event.type === 'run-started') ({ runId } = event);
        if (event.type === 'trial-finished') measured += 1;
        if (event.type === 'window' && measured === trials) {
          stopping ??= before(runId).then(stop);
        }
      },
    });
    expect(state.outcome).toBe('stopped');
    expect(state.error).toBeNull();
    expect(state.trials.map(({ status }) => status).filter((status) => status === 'measured').length).toBe(
      trials,
    );
    // A trial may fail by the pause before the stop.
    const failed = state.trials.filter(({ status }) => status === 'failed');
    expect(failed.every(({ error }) => error?.code === 'CONTAINER_PAUSED')).toBe(true);
    expect(failed.length).toBeLessThanOrEqual(trials === 0 ? 1 : 0);
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
    expect(await readdir(join(bench.dataDir, 'bind'))).toEqual([]);
  };

  it('stops while measuring, cleans up and keeps what was measured', async () => {
    await stopAfter(1, 2, () => Promise.resolve());
  });

  it('stops while a server hangs in the middle of a trial', { tags: ['full'] }, async () => {
    await stopAfter(0, 3600, async (runId) => {
      const servers = await docker('ps', '--quiet', '--filter', `label=io.whalemark.run=${runId}`);
      await docker('pause', ...servers.split('\n'));
    });
  });

  it.each(IS_FULL ? ['init', 'load', 'clone'] : ['clone'])('stops in the step %s', async (kind) => {
    const plan = await smallPlan(bench.runtime, {
      grid: { storages: ['named-volume', 'bind-mount'], paths: ['published-port'] },
    });
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir, {
      datasetDir: null,
      onEvent: (event, stop) => {
        if (event.type === 'step-started' && event.kind === kind) stop();
      },
    });
    expect(state.outcome).toBe('stopped');
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
    expect(await readdir(join(bench.dataDir, 'bind')).catch(() => [])).toEqual([]);
  });

  it('fills the tables of an engine elsewhere from a client beside the server', async () => {
    // The real engine, with a passport that says it is on another machine: no port of it may be used from here.
    const { passport } = bench.runtime;
    const elsewhere = withContainers(
      bench.runtime,
      { inspect: async (id) => ({ ...(await bench.runtime.containers.inspect(id)), ports: {} }) },
      { ...passport, runtime: { ...passport.runtime, remote: true } },
    );
    const plan = await smallPlan(elsewhere, {
      grid: {
        storages: ['named-volume', 'bind-mount'],
        paths: ['published-port', 'user-bridge', 'shared-netns'],
      },
      baseline: 'named-volume.user-bridge',
      schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
    });
    expect(plan.scenarios.map(({ id }) => id)).toEqual([
      'named-volume.user-bridge',
      'named-volume.shared-netns',
    ]);
    expect(plan.excluded.length).toBe(4);
    const { state } = await runPlan(plan, elsewhere, bench.dataDir);
    expect(state.error).toBeNull();
    expect(state.trials.map(({ status, error }) => error ?? status)).toEqual(['measured', 'measured']);
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
  });

  it('runs TPC-C-like transactions in two buffer-pool sizes', { tags: ['full'] }, async () => {
    const plan = await smallPlan(bench.runtime, {
      server: { image: 'mariadb:11.8', settings: { redoLogMiB: 64 } },
      workload: { kind: 'tpcc', warehouses: 1, items: 2000, customersPerDistrict: 60 },
      bufferPools: {
        'io-bound': { name: 'I/O-bound', bufferPool: 8 },
        'in-memory': { name: 'in memory', bufferPool: 'in-memory' },
      },
      grid: { storages: ['named-volume'], paths: ['shared-netns'] },
      baseline: 'named-volume.shared-netns',
      schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 2 },
    });
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
    expect(state.trials.map(({ status }) => status)).toEqual(['measured', 'measured']);
    expect(plan.configs.map(({ settings }) => settings.bufferPoolMiB)).toContain(8);
    for (const { serverId, configId } of plan.scenarios) {
      const pool = plan.configs.find(({ id }) => id === configId)?.settings.bufferPoolMiB ?? 0;
      const server = state.servers[serverId];
      expect(server?.facts?.variables['innodb_buffer_pool_size']).toBe(String(pool * 2 ** 20));
    }
    for (const { totals } of state.trials) {
      const kinds = Object.values(totals?.mix ?? {}).reduce((sum, count) => sum + count, 0);
      expect(kinds).toBe(totals?.transactions);
    }
  });
});
