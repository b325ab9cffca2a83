import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fillDisk, running } from './engine.ts';
import { during, effects, everywhere, HOST, type Fault, type Scene } from './fault.ts';
import { PHASES } from './phases.ts';

const run = promisify(execFile);
const BEFORE_TEARDOWN = PHASES.filter((phase) => phase !== 'teardown');
/** How far the clock jumps, ms. */
const JUMP_MS = 3_600_000;
const SLEEP_MS = 6000;
/** Time between two presses of Ctrl+C. */
const SECOND_PRESS_MS = 150;

const engineRestarted: Fault = {
  name: 'engine-restarted',
  title: 'engine stopped and restarted',
  how: 'SIGTERM to dockerd, which ends its containers; then it is started again',
  scenario: HOST,
  needsOwnEngine: true,
  effect: effects({
    create: 'error',
    ...during('ENGINE_LOST', 'init', 'load', 'clone'),
    ...during('INTERRUPTED', 'warm-up', 'measure'),
    // The engine is back before the program gives up.
    teardown: 'no effect',
  }),
  strike: async ({ engine }) => {
    await engine.own?.stop();
    await engine.own?.start();
  },
};

const workerCrash: Fault = {
  name: 'worker-crash',
  title: 'load worker crashed',
  how: 'a preloaded module kills the worker (bench/faults/preload.mjs)',
  scenario: HOST,
  preload: true,
  effect: effects(
    { 'warm-up': 'CLIENT_LOST', measure: 'CLIENT_LOST' },
    { teardown: 'the workers have ended with their trial', other: 'load workers only run in a trial' },
  ),
  strike: ({ faultFile }) => writeFile(faultFile, 'worker\n'),
};

export const appKilled: Fault = {
  name: 'app-killed',
  title: 'program killed (kill -9)',
  how: '`kill -9` of the terminal; tests/e2e/kill.spec.ts kills the app and its utility process',
  scenario: HOST,
  effect: everywhere('CORE_LOST'),
  isSwept: true,
  strike: async ({ child }) => void child?.kill('SIGKILL'),
};

const journalFull: Fault = {
  name: 'journal-disk-full',
  title: 'journal disk full',
  how: 'the data folder is on a tmpfs of 640 MiB, which is filled and freed again after the run',
  scenario: HOST,
  smallHome: true,
  effect: effects(during('error', ...BEFORE_TEARDOWN), {
    teardown: 'the last events may fit into the journal’s last page',
  }),
  strike: async ({ dataDir, later }) => {
    const file = await fillDisk(dataDir);
    later(() => rm(file));
  },
};

const datadirFull: Fault = {
  name: 'datadir-disk-full',
  title: 'datadir disk full',
  how: 'the engine’s volumes are on a separate ext4 disk, which is filled and freed again after the run',
  scenario: HOST,
  needsOwnEngine: true,
  // The table's rows need room all the time.
  preset: { workload: 'oltp_insert', connections: 16, seconds: 10 },
  effect: effects(during('STORAGE_FULL', ...BEFORE_TEARDOWN), {
    teardown: 'all trials are measured, and a server that ends writes no more than it has room for',
  }),
  strike: async ({ engine, later }) => {
    if (engine.own === null) throw new Error('needs an engine of its own');
    const file = await fillDisk(engine.own.volumes);
    later(() => rm(file));
  },
};

const imageDeleted: Fault = {
  name: 'image-deleted',
  title: 'image deleted',
  how: '`docker rmi --force` of the server image; it is restored after the run',
  scenario: HOST,
  needsOwnEngine: true,
  effect: effects(during('IMAGE_NOT_FOUND', 'create', 'init', 'clone'), {
    other: 'containers keep what they were made of',
  }),
  strike: async ({ engine, later }) => {
    await engine.docker('rmi', '--force', engine.serverImage);
    later(() => engine.own?.restoreImage() ?? Promise.resolve());
  },
};

const clockJump: Fault = {
  name: 'clock-jump',
  title: 'clock jump',
  how: 'a preloaded module moves the wall clock of the process and its threads forward by an hour; the machine’s clock is unchanged',
  scenario: HOST,
  preload: true,
  effect: effects(
    { 'warm-up': 'INTERRUPTED', measure: 'INTERRUPTED' },
    {
      other:
        'only the windows of a trial look at the wall clock; all durations are taken from the monotonic one',
    },
  ),
  strike: ({ faultFile }) => writeFile(faultFile, `clock ${JUMP_MS}\n`),
};

const sleep: Fault = {
  name: 'sleep-and-wake',
  title: 'sleep and wake',
  how: `SIGSTOP of the terminal, of its loads, and of every process in the run's containers for ${SLEEP_MS / 1000} s; an imitation: the machine's clocks and its engine keep running`,
  scenario: HOST,
  effect: effects(
    { 'warm-up': 'INTERRUPTED', measure: 'INTERRUPTED' },
    { other: 'everything stops together, and nothing is being measured' },
  ),
  strike: async (scene) => {
    const pids = await processesOf(scene);
    const tell = (signal: string): Promise<unknown> =>
      run('kill', [`-${signal}`, ...pids]).catch(() => undefined);
    await tell('STOP');
    await wait(SLEEP_MS);
    await tell('CONT');
  },
};

const stop: Fault = {
  name: 'stop',
  title: 'stop pressed',
  how: 'SIGINT, which Ctrl+C sends',
  scenario: HOST,
  effect: effects(during('stopped', ...BEFORE_TEARDOWN), {
    teardown: 'all trials are measured, and the run ends as completed',
  }),
  cleans: true,
  exitCode: 130,
  strike: async ({ child }) => void child?.kill('SIGINT'),
};

const stopTwice: Fault = {
  name: 'stop-twice',
  title: 'stop pressed twice',
  how: `SIGINT, and again ${SECOND_PRESS_MS} ms later: the program ends, and its sweeper removes what is left`,
  scenario: HOST,
  effect: everywhere('stopped'),
  isSwept: true,
  exitCode: 130,
  strike: async ({ child, signal }) => {
    child?.kill('SIGINT');
    await wait(SECOND_PRESS_MS, undefined, { signal }).catch(() => undefined);
    child?.kill('SIGINT');
  },
};

/** The terminal twin and what runs in the run's containers. */
async function processesOf({ engine, runId, child }: Scene): Promise<string[]> {
  const roles = ['server', 'client', 'dataset', 'helper'];
  const ids = (await Promise.all(roles.map((role) => running(engine, runId, role)))).flat();
  const lists = await Promise.all(ids.map((id) => engine.docker('top', id, '-eo', 'pid').catch(() => '')));
  const inContainers = lists.flatMap((text) => text.split('\n').filter((line) => /^\s*\d+$/.test(line)));
  return [...(await withDescendants(child?.pid)), ...inContainers.map((pid) => pid.trim())];
}

/** A process and all that it has started: loads run in separate processes. */
async function withDescendants(pid: number | undefined): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=']);
  const parents = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const found = [String(pid)];
  for (const parent of found) {
    found.push(...parents.flatMap(([own = '', of]) => (of === parent ? own : [])));
  }
  return found;
}

export const MACHINE_FAULTS: readonly Fault[] = [
  engineRestarted,
  workerCrash,
  appKilled,
  journalFull,
  datadirFull,
  imageDeleted,
  clockJump,
  sleep,
  stop,
  stopTwice,
];
