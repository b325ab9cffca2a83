import { t } from '../../helpers/words.ts';
import { readJournal } from '../../helpers/journals.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeId } from '../../../src/benchmark/servers/dataset/dataset-records.ts';
import { clientImages, ensureClientImage } from '../../../src/benchmark/load/client-image.ts';
import { RunStore } from '../../../src/benchmark/store/run-store.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { DATASET_HOME_LABEL, DATASET_LABEL, RUN_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { takingTurns } from '../../helpers/taking-turns.ts';
import { leftOf, realRuntime, temporaryHome } from '../helpers/bench.ts';

/** User ID of a second user on this machine, who may use the engine. */
const NOBODY = 65534;
const SOCKET = '/var/run/docker.sock';

/** Options of a run that takes seconds. */
const SMALL = [
  ...['run', 'docker-options', '--image', 'mariadb:11.8', '--json'],
  ...['--connections', '2'],
  ...takingTurns(2),
  ...['--set', 'workload={"tables":1,"tableSize":1000}', '--set', 'aaCheck=false'],
  ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
  ...['--set', 'grid={"storages":["bind-mount"],"paths":["published-port"]}'],
  ...['--set', 'baseline=bind-mount.published-port'],
];

interface Running {
  child: ChildProcess;
  ended: Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
  /** Resolves when the program has printed this on stderr, or with all that it printed if it ended before. */
  said(pattern: RegExp): Promise<string>;
}

describe('two who use one engine at the same time', { tags: ['full'] }, () => {
  let runtime: ContainerRuntime;
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  const running: Running[] = [];
  beforeEach(async () => {
    runtime = await realRuntime();
    home = await temporaryHome();
    chmodSync(home.dataDir, 0o755);
  });
  afterEach(async () => {
    for (const { child } of running) {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
    }
    await Promise.all(running.splice(0).map(({ ended }) => ended));
    // A test that failed has left its tables.
    for (const name of await datasetVolumes([home.dataDir, join(home.dataDir, 'theirs')])) {
      await runtime.volumes.remove(name);
    }
    await home.remove();
  });

  it('build the client image at once, and both can use it', async () => {
    // The image's content is unique, so that it doesn't exist yet.
    const files = { Dockerfile: `ARG BASE\nFROM \${BASE}\nLABEL test=${randomUUID()}\nRUN sleep 1\n` };
    const { signal } = new AbortController();
    const built = (): Promise<string> =>
      ensureClientImage(runtime, 'sysbench', { files }, () => undefined, signal);
    const [tag = '', other] = await Promise.all([built(), built()]);
    expect(other).toBe(tag);
    expect((await clientImages(runtime)).map(({ reference }) => reference)).toContain(tag);
    await runtime.images.remove(tag);
  });

  function start(args: string[], dataDir: string, who: 'me' | 'nobody' = 'me'): Running {
    const program = [process.execPath, 'out/cli/whalemark.cjs', ...args];
    const group = String(statSync(SOCKET).gid);
    const asNobody = ['setpriv', '--reuid', String(NOBODY), '--regid', String(NOBODY), '--groups', group];
    // Another user on a machine of another name, as in a container that shares the host's processes.
    const other = ['unshare', '--uts', 'sh', '-c', 'hostname elsewhere && exec "$@"', 'sh', ...asNobody];
    const [command = '', ...rest] = who === 'me' ? program : [...other, ...program];
    const child = spawn(command, rest, {
      env: {
        ...process.env,
        HOME: dataDir,
        WHALEMARK_HOME: dataDir,
        WHALEMARK_DATASETS: join(dataDir, 'datasets'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    const waiting = new Set<() => void>();
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
      for (const look of waiting) look();
    });
    const ended = new Promise<Awaited<Running['ended']>>((resolve) =>
      child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr })),
    );
    const said = (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(stderr)) return;
          waiting.delete(look);
          resolve(stderr);
        };
        waiting.add(look);
        look();
        void ended.then(() => resolve(stderr));
      });
    const one = { child, ended, said };
    running.push(one);
    return one;
  }

  /** Resources of these data folders' runs on the engine, and their bind folders, each with its ID. */
  async function belongingsOf(folders: string[]): Promise<string[]> {
    const runIds = (await Promise.all(folders.map((one) => readdir(join(one, 'runs'))))).flat();
    const owned = (await runtime.listOwned()).filter(({ labels }) =>
      runIds.includes(labels[RUN_LABEL] ?? ''),
    );
    const datasets = await datasetVolumes(folders);
    const binds = await Promise.all(folders.map((one) => readdir(join(one, 'bind')).catch(() => [])));
    return [...owned.map(({ kind, id }) => `${kind} ${id}`), ...datasets, ...binds.flat()].sort();
  }

  /** Volumes of datasets that belong to one of the folders, or have a record there. */
  async function datasetVolumes(folders: string[]): Promise<string[]> {
    const caches = folders.map((one) => join(one, 'datasets'));
    const records = await Promise.all(caches.map((one) => readdir(one).catch(() => [])));
    const volumes = await runtime.volumes.list(DATASET_LABEL);
    return volumes
      .filter(({ name, labels }) => {
        return (
          records.flat().includes(`${name}.json`) ||
          caches.some((one) => labels[DATASET_HOME_LABEL] === homeId(one))
        );
      })
      .map(({ name }) => name);
  }

  it('measure side by side, with one data folder and with two, and nobody sweeps what lives', async () => {
    const mine = home.dataDir;
    const theirs = join(home.dataDir, 'theirs');
    await mkdir(theirs);
    await chown(theirs, NOBODY, NOBODY);

    // Two of one folder want the same tables at the same time; each new one sweeps.
    const first = start(SMALL, mine);
    const second = start(SMALL, mine);
    const foreign = start(SMALL, theirs, 'nobody');
    const all = [first, second, foreign];
    // The runs are stopped between trials, so that a sweep explains whatever disappears now. A stopped process is
    // alive.
    await Promise.all(all.map(({ child, said }) => said(/^\[ ?1\b/m).then(() => child.kill('SIGSTOP'))));
    expect(await readdir(join(mine, 'runs'))).toHaveLength(2);
    const before = await belongingsOf([mine, theirs]);
    // Each run has a server, a volume or a container that holds one, a bind folder, and a network.
    expect(before.length).toBeGreaterThanOrEqual(3 * 4);

    const cleaned = await Promise.all([
      start(['clean', '--json'], mine).ended,
      start(['clean', '--json'], theirs, 'nobody').ended,
      start(['clean', '--json'], join(home.dataDir, 'third')).ended,
    ]);
    for (const { exitCode, stdout, stderr } of cleaned) {
      expect(JSON.parse(stdout), stderr).toMatchObject({ removed: [], failed: [] });
      expect(exitCode).toBe(0);
    }
    expect(await belongingsOf([mine, theirs])).toEqual(before);
    for (const { child } of all) child.kill('SIGCONT');

    const ends = await Promise.all(all.map(({ ended }) => ended));
    for (const { exitCode, stderr } of ends) expect(exitCode, stderr).toBe(0);
    const runs = [
      ...(await readdir(join(mine, 'runs'))).map((runId) => ({ folder: mine, runId })),
      ...(await readdir(join(theirs, 'runs'))).map((runId) => ({ folder: theirs, runId })),
    ];
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(3);
    for (const { folder, runId } of runs) {
      const state = await new RunStore(folder).load(runId);
      expect(state.runId).toBe(runId);
      expect(state.trials.map(({ status }) => status)).toEqual(Array(2).fill('measured'));
      const journal = await readJournal(join(folder, 'runs', runId, 'journal.ndjson'));
      expect(journal?.events.filter(({ type }) => type === 'trial-finished')).toHaveLength(2);
      expect(await leftOf(runtime, runId)).toEqual([]);
    }
    for (const folder of [mine, theirs]) expect(await readdir(join(folder, 'bind'))).toEqual([]);

    // The tables of two loads of one key are kept once, and can be used.
    const left = await start(['clean', '--json'], mine).ended;
    const kept = JSON.parse(left.stdout) as { datasets: { volume: string }[] };
    expect(kept.datasets).toHaveLength(1);
    expect(await datasetVolumes([mine])).toEqual(kept.datasets.map(({ volume }) => volume));
    const again = await start([...SMALL, '--set', 'schedule.rounds=1'], mine).ended;
    expect(again.exitCode, again.stderr).toBe(0);
    expect(again.stderr).not.toMatch(new RegExp(`^${t('live.step.init')}: `, 'm'));

    for (const folder of [mine, theirs]) {
      await start(['clean', '--datasets'], folder, folder === mine ? 'me' : 'nobody').ended;
    }
    expect(await datasetVolumes([mine, theirs])).toEqual([]);
  });
});
