import { execFile, spawn } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { docker as firstDocker } from '../../tests/integration/helpers/docker-server.ts';
import { startSecondEngine } from '../../tests/integration/helpers/second-engine.ts';
import { clientImage } from '../../tests/integration/load/sysbench-command.ts';

const run = promisify(execFile);
/** Room for a handful of datadirs; little enough to be filled in no time. */
const VOLUMES_DISK = '1500M';
/** A disk with more room is not one that was made to be filled. */
const MOST_BYTES = 2 * 2 ** 30;

/** Troubles that the rig (scripts/engines/vm.mjs) can give its virtual machine. */
export type Trouble = 'kill' | 'suspend' | 'resume' | 'boot' | 'restart-forwarder' | 'inside';

/** An engine that faults are inflicted on. */
export interface FaultEngine {
  version: string;
  serverImage: string;
  baseImage: string;
  docker(...args: string[]): Promise<string>;
  /** The engine's socket. */
  socket: string;
  /** Environment and first words of a command line that uses this engine. */
  env: Record<string, string>;
  enter: string[];
  /** Only Whalemark's own engine may be stopped, lose an image, or have its disk filled. */
  own: {
    stop(): Promise<void>;
    start(): Promise<void>;
    volumes: string;
    restoreImage(): Promise<void>;
  } | null;
  /** The machine that it is in, for one in the rig's. */
  vm?: {
    trouble(name: Trouble): Promise<string>;
    /** Runs a command of the shell in it; resolves with what that printed. */
    inside(command: string): Promise<string>;
  };
  remove(): Promise<void>;
}

const serverImage = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8';
const baseImage = process.env['WHALEMARK_TEST_BASE_IMAGE'] ?? 'debian:trixie-slim';

/** This machine's engine: for faults that concern no other program's containers. */
export async function sharedEngine(): Promise<FaultEngine> {
  return {
    ...(await described(firstDocker)),
    docker: firstDocker,
    socket: '/var/run/docker.sock',
    env: {},
    enter: [],
    own: null,
    remove: () => Promise.resolve(),
  };
}

/** An engine for the matrix alone, whose volumes are on a separate small disk. Needs root and Linux. */
export async function ownEngine(options: string[] = []): Promise<FaultEngine> {
  const nodeImage = await clientImage('builtin');
  // An engine with options runs next to the one of all cells, and that next to another matrix.
  const subnet = `172.30.${(process.pid % 100) * 2 + (options.length === 0 ? 0 : 1)}`;
  const prepare = async (dataRoot: string): Promise<void> => {
    await smallDiskForVolumes(dataRoot);
    // A root that is another user outside has to get through.
    if (options.length > 0) await run('chmod', ['o+x', dirname(dataRoot), dataRoot]);
  };
  const engine = await startSecondEngine({ subnet, prepare, options });
  try {
    for (const image of [serverImage, baseImage, nodeImage]) await engine.load(image);
    return {
      ...(await described(engine.docker)),
      docker: engine.docker,
      socket: engine.endpoint.replace('unix://', ''),
      env: { DOCKER_HOST: engine.endpoint },
      enter: engine.enter,
      own: {
        stop: engine.stop,
        start: engine.start,
        volumes: join(engine.dataRoot, 'volumes'),
        restoreImage: () => engine.load(serverImage),
      },
      remove: engine.remove,
    };
  } catch (error) {
    await engine.remove();
    throw error;
  }
}

async function described(docker: FaultEngine['docker']) {
  const version = await docker('version', '--format', '{{.Server.Version}}');
  return { version, serverImage, baseImage };
}

async function smallDiskForVolumes(dataRoot: string): Promise<void> {
  const volumes = join(dataRoot, 'volumes');
  const image = join(dataRoot, 'volumes.img');
  await mkdir(volumes, { recursive: true, mode: 0o700 });
  // Otherwise dockerd would do this later, over the disk.
  await run('mount', ['--bind', dataRoot, dataRoot]);
  await run('mount', ['--make-shared', dataRoot]);
  await run('truncate', [`--size=${VOLUMES_DISK}`, image]);
  // No blocks for root: a disk that is full is full for everybody.
  await run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
  await run('mount', ['-o', 'loop', image, volumes]);
}

/** Takes all the room that a file system has left; resolves with the file that holds it. */
export async function fillDisk(folder: string): Promise<string> {
  const file = join(folder, 'whalemark-fault-filler');
  for (;;) {
    const { bavail, bsize } = await statfs(folder);
    const blocks = Number(bavail);
    if (blocks * bsize > MOST_BYTES) throw new Error(`${folder} is not on a small disk of its own`);
    if (blocks === 0) return file;
    const rest = `dd if=/dev/zero of="$1" bs=${bsize} count=${blocks} oflag=append conv=notrunc 2>/dev/null`;
    const fast = `fallocate --offset "$(stat -c %s "$1")" --length ${blocks * bsize} "$1" 2>/dev/null`;
    const done = await run('sh', ['-c', `touch "$1" && { ${fast} || ${rest}; }`, 'sh', file]).then(
      () => true,
      () => false,
    );
    if (!done) return file;
  }
}

/** Ids of a run's containers: all of a role, or all in a state. */
export async function containersOf(
  engine: FaultEngine,
  runId: string,
  { role, status }: { role?: string; status?: 'running' | 'paused' },
): Promise<string[]> {
  const filters = [
    `label=io.whalemark.run=${runId}`,
    ...(role === undefined ? [] : [`label=io.whalemark.role=${role}`]),
    ...(status === undefined ? [] : [`status=${status}`]),
  ];
  const text = await engine.docker('ps', '--all', '--quiet', ...filters.flatMap((one) => ['--filter', one]));
  return text.split('\n').filter((line) => line !== '');
}

export const running = (engine: FaultEngine, runId: string, role: string): Promise<string[]> =>
  containersOf(engine, runId, { role, status: 'running' });

/** Waits for the engine to tell of an event of a run: its subject's name or id. Rejects when `signal` aborts. */
export function nextEvent(
  engine: FaultEngine,
  { runId, role, event, type }: { runId: string; role?: string; event: string; type: string },
  signal: AbortSignal,
): Promise<string> {
  const filters = [
    `type=${type}`,
    `event=${event}`,
    // The engine has no labels of networks here.
    ...(type === 'container' ? [`label=io.whalemark.run=${runId}`] : []),
    ...(role === undefined ? [] : [`label=io.whalemark.role=${role}`]),
  ];
  const since = String(Math.floor(Date.now() / 1000) - 2);
  const format = type === 'container' ? '{{.Actor.ID}}' : '{{.Actor.Attributes.name}}';
  const host = engine.env['DOCKER_HOST'];
  const child = spawn(
    'docker',
    [
      ...(host === undefined ? [] : ['--host', host]),
      ...['events', '--since', since, '--format', format],
      ...filters.flatMap((one) => ['--filter', one]),
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return new Promise<string>((resolve, reject) => {
    const onAbort = (): void => {
      child.kill();
      reject(new Error(`no ${type} ${event} was seen`));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (type === 'network' && !line.includes(runId)) return;
      signal.removeEventListener('abort', onAbort);
      child.kill();
      resolve(line);
    });
  });
}
