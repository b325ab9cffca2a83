import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const READY_MS = 60_000;

/** A second engine on this machine: apart, so that two engines can be two nodes of a swarm, or next to the first. */
export interface SecondEngine {
  /** Address of this machine on the network between the two. */
  address: string;
  /** The docker command against the second engine. */
  docker(...args: string[]): Promise<string>;
  /** Brings an image of the first engine there. */
  load(image: string): Promise<void>;
  /** Makes it a worker of the first engine's swarm. */
  join(): Promise<void>;
  /** Address of its API in the form of DOCKER_HOST. */
  endpoint: string;
  /** Start of a command line that sees the networks and published ports of this engine. */
  enter: string[];
  /** Where the engine keeps its files. */
  dataRoot: string;
  /** Stops the engine, and with it every container, as a restart of its service does. */
  stop(): Promise<void>;
  /** Starts one that is apart again on what it has kept. (Another would remove the first engine's bridge.) */
  start(): Promise<void>;
  /** Ends it and takes everything of it away. */
  remove(): Promise<void>;
}

/**
 * Starts dockerd with its data in a temporary folder: apart in a new network namespace, joined to this
 * machine by a pair of virtual cards, or in the machine's network without rules for it, so that the first
 * engine's are left alone. `nsenter` and not `ip netns exec`: that one mounts another /sys, without the
 * cgroups.
 */
export async function startSecondEngine({
  isApart = true,
  subnet = '172.29.0',
  prepare = () => Promise.resolve(),
  options = [],
}: {
  isApart?: boolean;
  /** First three numbers of the network between the two, or of the engine's networks. */
  subnet?: string;
  /** Runs before the first start, with the folder for its files. */
  prepare?: (dataRoot: string) => Promise<void>;
  /** Further options of dockerd. */
  options?: string[];
} = {}): Promise<SecondEngine> {
  const id = `${process.pid % 100_000}${subnet.split('.')[2] ?? ''}`;
  const namespace = `wmtest${id}`;
  const [outside, inside] = [`wmo${id}`, `wmi${id}`];
  const [address, otherAddress] = [`${subnet}.1`, `${subnet}.2`];
  const directory = await mkdtemp(join(tmpdir(), 'wm-engine-'));
  const socket = `unix://${join(directory, 'docker.sock')}`;
  const docker = async (...args: string[]): Promise<string> =>
    (await run('docker', ['--host', socket, ...args], { maxBuffer: 64 * 2 ** 20 })).stdout.trim();
  const enter = isApart ? ['nsenter', `--net=/var/run/netns/${namespace}`] : ['nsenter'];
  const within = (...args: string[]) => run('nsenter', [...enter.slice(1), ...args]);
  // With `--bridge=none` it would remove the first engine's bridge.
  const bridge = `wmb${id}`;
  const network = isApart
    ? []
    : [
        ...[`--bridge=${bridge}`, '--iptables=false', '--ip6tables=false'],
        `--default-address-pool=base=${subnet}.128/25,size=28`,
      ];
  const dataRoot = join(directory, 'data');
  let daemon: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    daemon = spawn(
      'nsenter',
      [
        ...enter.slice(1),
        'dockerd',
        ...['--data-root', dataRoot, '--exec-root', join(directory, 'exec')],
        ...['--host', socket, '--pidfile', join(directory, 'pid')],
        ...network,
        ...options,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await saysReady(daemon);
  };
  const bridges = new Set([bridge]);
  const stop = async (): Promise<void> => {
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const networks = isApart ? '' : await docker('network', 'ls', '--quiet', '--filter', 'type=custom');
    for (const network of networks.split('\n').filter(Boolean)) bridges.add(`br-${network}`);
    const exited = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    const timer = setTimeout(() => daemon?.kill('SIGKILL'), 20_000);
    await exited;
    clearTimeout(timer);
  };
  const remove = async (): Promise<void> => {
    await docker('swarm', 'leave', '--force').catch(() => undefined);
    await stop();
    for (const mount of mountsUnder(directory)) await run('umount', ['--lazy', mount]);
    if (isApart) await run('ip', ['netns', 'delete', namespace]).catch(() => undefined);
    for (const link of isApart ? [outside] : bridges) {
      await run('ip', ['link', 'delete', link]).catch(() => undefined);
    }
    await rm(directory, { recursive: true, force: true });
  };

  const joinNetworks = async (): Promise<void> => {
    await run('ip', ['netns', 'add', namespace]);
    await run('ip', ['link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', namespace]);
    await run('ip', ['address', 'add', `${address}/24`, 'dev', outside]);
    await run('ip', ['link', 'set', outside, 'up']);
    await within('ip', 'address', 'add', `${otherAddress}/24`, 'dev', inside);
    await within('ip', 'link', 'set', inside, 'up');
    // No way out: what asks for a registry there fails at once.
    await within('ip', 'link', 'set', 'lo', 'up');
  };

  try {
    if (isApart) await joinNetworks();
    else {
      await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
      await run('ip', ['address', 'add', `${subnet}.1/25`, 'dev', bridge]);
      await run('ip', ['link', 'set', bridge, 'up']);
    }
    await prepare(dataRoot);
    await start();
    return {
      address,
      docker,
      endpoint: socket,
      enter,
      dataRoot,
      stop,
      start,
      load: async (image) => {
        const save = spawn('docker', ['save', image], { stdio: ['ignore', 'pipe', 'inherit'] });
        const load = spawn('docker', ['--host', socket, 'load', '--quiet'], {
          stdio: ['pipe', 'ignore', 'inherit'],
        });
        const loaded = once(load, 'exit');
        await pipeline(save.stdout, load.stdin);
        const [exitCode] = (await loaded) as [number | null];
        if (exitCode !== 0) throw new Error(`docker load ended with ${exitCode}`);
      },
      join: async () => {
        const token = (await run('docker', ['swarm', 'join-token', '--quiet', 'worker'])).stdout.trim();
        await docker('swarm', 'join', '--advertise-addr', otherAddress, '--token', token, `${address}:2377`);
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function saysReady(daemon: ChildProcess): Promise<void> {
  const { stderr } = daemon;
  if (stderr === null) throw new Error('no log');
  const log: string[] = [];
  const lines = createInterface({ input: stderr });
  await new Promise<void>((resolve, reject) => {
    const fail = (how: string): void => reject(new Error(`${how}\n${log.slice(-10).join('\n')}`));
    const timer = setTimeout(() => fail('dockerd is not ready'), READY_MS);
    daemon.once('exit', (code) => {
      clearTimeout(timer);
      fail(`dockerd ended with ${code}`);
    });
    // Reading continues, because a full pipe would stop the engine.
    lines.on('line', (line) => {
      log.push(line);
      if (!line.includes('API listen on')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Mount points under a directory, the innermost first. */
function mountsUnder(directory: string): string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .filter((path) => path.startsWith(`${directory}/`))
    .sort((a, b) => b.length - a.length);
}
