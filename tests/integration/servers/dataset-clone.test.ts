import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDataset } from '../../../src/benchmark/servers/dataset/clone.ts';
import type { Dataset } from '../../../src/benchmark/servers/dataset/dataset.ts';
import type { LoadTarget } from '../../../src/benchmark/load/load-client.ts';
import { makeContainerServer, storageContext } from '../../../src/benchmark/start/container-servers.ts';
import {
  fillDataset,
  finishDataset,
  startDatasetServer,
  type DatasetServer,
} from '../../../src/benchmark/start/dataset-server.ts';
import { helperOutput } from '../../../src/benchmark/servers/helper-container.ts';
import { prepareStorage } from '../../../src/benchmark/servers/storage/storage.ts';
import type { TargetServer } from '../../../src/benchmark/servers/target-server.ts';
import type { StorageKind } from '../../../src/shared/kinds/storages.ts';
import type { StorageSpec } from '../../../src/shared/model/server-spec.ts';
import { PLAIN_STORAGES } from '../../../src/shared/model/cells.ts';
import { IS_FULL } from '../../helpers/tier.ts';
import { leftOf, realRuntime, smallPlan, temporaryHome } from '../helpers/bench.ts';
import { startDatasetRun, type DatasetRun } from '../helpers/dataset-run.ts';
import type { Flavor } from '../helpers/docker-server.ts';

const CHECKSUMS = 'CHECKSUM TABLE sbtest1, sbtest2';

/** One storage is a volume, the other a directory of the engine. */
const TWO_WAYS: StorageKind[] = ['named-volume', 'container-layer'];

describe.each<[Flavor, string, readonly StorageKind[]]>([
  ['mysql', 'mysql:8.4', IS_FULL ? PLAIN_STORAGES : TWO_WAYS],
  // Storages take the files of both flavors alike.
  ...(IS_FULL ? [['mariadb', 'mariadb:11.8', TWO_WAYS] satisfies [Flavor, string, StorageKind[]]] : []),
])('a dataset of %s', (flavor, image, storages) => {
  const stop = new AbortController();
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  let run: DatasetRun;
  let loader: DatasetServer;
  let dataset: Dataset;
  let rows: unknown;

  beforeAll(async () => {
    home = await temporaryHome();
    const runtime = await realRuntime();
    const plan = await smallPlan(runtime, {
      // A binary log of the load would be copied everywhere.
      server: { image, settings: { bufferPool: 8, redoLogMiB: 64, binlog: true } },
      workload: { tables: 2, tableSize: 20_000 },
      grid: { storages: [...storages], paths: ['published-port'] },
    });
    run = await startDatasetRun(plan, runtime, home.dataDir, stop.signal);
    const { context, bench, cleanup } = run;
    const parts = { config: first(plan.configs), image: first([...bench.images.values()]) };
    const storage = await prepareStorage(
      { kind: 'named-volume' },
      storageContext(context, bench, parts, 'dataset'),
    );
    cleanup.add('storage', storage.dispose);
    loader = await startDatasetServer(context, bench, { ...parts, name: 'dataset', storage }, cleanup);
    await fillDataset(context, loader, () => undefined);
    rows = await run.bench.clients.onHost().query(loader.target, CHECKSUMS, stop.signal);
    dataset = await finishDataset(context, loader);
  });
  afterAll(async () => {
    expect(await run.cleanup.run()).toEqual([]);
    expect(await leftOf(run.context.runtime, run.context.runId)).toEqual([]);
    await home.remove();
  });

  const first = <T>([one]: readonly T[]): T => {
    if (one === undefined) throw new Error('there is none');
    return one;
  };
  const parts = () => ({
    config: first(run.context.plan.configs),
    image: first([...run.bench.images.values()]),
    dataset,
  });
  const place = (name: string) => storageContext(run.context, run.bench, parts(), name);
  const variables = async (target: LoadTarget): Promise<Map<string, string>> => {
    const found = await run.bench.clients.onHost().query(target, 'SHOW GLOBAL VARIABLES', stop.signal);
    return new Map(found.map(([name, value]) => [String(name), String(value)]));
  };

  async function makeServer(kind: StorageKind): Promise<TargetServer> {
    const scenario = run.context.plan.scenarios.find(({ storage }) => storage.kind === kind);
    if (scenario === undefined) throw new Error(`no scenario on ${kind}`);
    const server = await makeContainerServer(run.context, run.bench, { ...parts(), scenario }, run.cleanup);
    run.bench.servers.set(scenario.serverId, server);
    return server;
  }

  /** The entries of a volume, times aside. */
  async function listing(mount: { source: string }): Promise<string[]> {
    const { lines } = await helperOutput(place(`list-${mount.source.slice(-12)}`), {
      purpose: 'list',
      command: ['find', '/look', '-printf', '%P %y %m %U %G %s\\n'],
      mounts: [{ type: 'volume', source: mount.source, target: '/look', readOnly: true, noCopy: true }],
      lines: 10_000,
    });
    return lines.sort();
  }

  /** The entries of a stopped container's directory, times aside. */
  async function archived(containerId: string, path: string): Promise<string[]> {
    const lines: string[] = [];
    const reader = extract();
    reader.on('entry', ({ name, type, mode, uid, gid, size }, content, next) => {
      lines.push([name, type, mode, uid, gid, size].join(' '));
      content.on('end', next).resume();
    });
    await pipeline(await run.context.runtime.containers.getArchive(containerId, path), reader);
    return lines.sort();
  }

  /** Makes a storage with a container on it, and removes both after the work. */
  async function withStorage<T>(
    spec: StorageSpec,
    name: string,
    work: (clone: () => ReturnType<typeof cloneDataset>, source: string, containerId: string) => Promise<T>,
    signal = stop.signal,
  ): Promise<T> {
    const { runtime } = run.context;
    const helper = place(name);
    const storage = await prepareStorage(spec, helper);
    const containerId = await runtime.containers.create({
      name: `${helper.name}-server`,
      image: helper.image,
      labels: helper.labels,
      ...storage.container,
      network: 'none',
    });
    const [mount] = storage.container.mounts ?? [];
    try {
      return await work(
        () => cloneDataset(dataset, { containerId, storage, storageName: name, helper }, signal),
        mount?.type === 'volume' ? mount.source : '',
        containerId,
      );
    } finally {
      await runtime.containers.remove(containerId);
      await storage.dispose();
    }
  }

  it.each(storages)('is cloned to %s, and starts there with the plan’s own settings', async (kind) => {
    const { context, bench } = run;
    const server = await makeServer(kind);
    const running = await server.start('start', stop.signal);
    const target = { ...running.address('published-port'), ...bench.account };
    await bench.clients
      .onHost()
      .check(target, { path: kind, budgetMs: 20_000, times: 1, signal: stop.signal });
    expect(await bench.clients.onHost().query(target, CHECKSUMS, stop.signal)).toEqual(rows);
    const now = await variables(target);
    expect(now.get('innodb_doublewrite')).toBe('ON');
    expect(now.get('innodb_flush_log_at_trx_commit')).toBe('1');
    expect(now.get('log_bin')).toBe('ON');
    expect(now.get('local_infile')).toBe(flavor === 'mysql' ? 'OFF' : 'ON');
    expect(now.get('innodb_buffer_pool_size')).toBe(String(8 * 2 ** 20));
    const redo = now.get(flavor === 'mysql' ? 'innodb_redo_log_capacity' : 'innodb_log_file_size');
    expect(redo).toBe(String(64 * 2 ** 20));
    if (flavor === 'mysql') {
      const status = `SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_enabled'`;
      expect(await bench.clients.onHost().query(target, status, stop.signal)).toEqual([
        ['Innodb_redo_log_enabled', 'ON'],
      ]);
    }
    const said = running.logTail().join('\n');
    expect(said).not.toMatch(/redo logging|double.?write|recover|crash|corrupt|resiz|\[ERROR\]/i);
    expect(await running.stop(60)).toBe(0);
    await context.runtime.containers.remove(running.containerId ?? '');
  });

  it('keeps owners and modes, and the copy is proved where another container can have the storage', async () => {
    const original = await listing({ source: dataset.volume ?? '' });
    expect(original.length).toBeGreaterThan(20);
    await withStorage({ kind: 'named-volume' }, 'listed', async (clone, source) => {
      expect(await clone()).toBe('helper');
      expect(await listing({ source })).toEqual(original);
    });
    const mounted: StorageSpec[] = [
      { kind: 'anonymous-volume' },
      { kind: 'data-container' },
      { kind: 'tmpfs' },
      { kind: 'volume-options', options: { type: 'tmpfs', device: 'tmpfs' } },
    ];
    for (const spec of mounted) {
      await withStorage(spec, `way-${spec.kind}`, async (clone) => {
        expect(await clone(), spec.kind).toBe('helper');
      });
    }
    expect(dataset.checksums?.get('./ibdata1')).toMatch(/^\d+ \d+$/);
  });

  it('looks the same in a container’s layer, below a directory that is still the image’s', async () => {
    const original = await archived(dataset.containerId, dataset.datadir);
    const parent = (await archived(dataset.containerId, '/srv'))[0];
    await withStorage({ kind: 'container-layer' }, 'layer', async (clone, _, containerId) => {
      expect(await clone()).toBe('helper');
      expect(await archived(containerId, '/srv/mysql')).toEqual(original);
      expect((await archived(containerId, '/srv'))[0]).toBe(parent);
    });
  });
});
