import { readFile } from 'node:fs/promises';
import { type ClientKind, ensureClientImage } from '../../../src/benchmark/load/client-image.ts';
import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { docker, type TestServer } from '../helpers/docker-server.ts';

/** The image with the real sysbench, which is built if it isn't there yet. */
export const sysbenchImage = (): Promise<string> => clientImage('sysbench');

/** The image of client containers, which is pulled or built if it isn't there yet. */
export async function clientImage(kind: ClientKind): Promise<string> {
  const files = { Dockerfile: await readFile('assets/client-image/Dockerfile', 'utf8') };
  const runtime = await connectRuntime(await discoverRuntimes({}));
  const { signal } = new AbortController();
  return ensureClientImage(runtime, kind, { files }, () => undefined, signal);
}

const RUN = ['run', '--rm', '--label', 'io.whalemark.owner=test'];

/** Runs the real sysbench on a server's schema. Resolves with its output, or rejects when it fails. */
export async function sysbench(image: string, server: TestServer, ...args: string[]): Promise<string> {
  const { host, port, user, password, database } = server.bridgeTarget;
  const login = [
    `--mysql-host=${host}`,
    `--mysql-port=${port}`,
    `--mysql-user=${user}`,
    `--mysql-password=${password}`,
    `--mysql-db=${database}`,
  ];
  return docker(...RUN, image, 'sysbench', ...login, ...args);
}

/** Numbers from 1…highest that the real sysbench draws, without any server. */
export async function sysbenchDraws(
  image: string,
  randType: string,
  highest: number,
  count: number,
): Promise<number[]> {
  const script = `function event() for i = 1, ${count} do print(sysbench.rand.default(1, ${highest})) end end`;
  const options = `--verbosity=0 --threads=1 --events=1 --time=0 --rand-seed=11 --rand-type=${randType}`;
  const run = `printf %s "$SCRIPT" > /tmp/draw.lua && sysbench ${options} /tmp/draw.lua run`;
  const printed = await docker(...RUN, '--env', `SCRIPT=${script}`, image, 'sh', '-c', run);
  return printed.split('\n').map(Number);
}

/** The counts in sysbench's output. */
export interface SysbenchReport {
  reads: number;
  writes: number;
  other: number;
  transactions: number;
  ignoredErrors: number;
}

export function parseReport(printed: string): SysbenchReport {
  const of = (name: string): number => Number(new RegExp(`^ +${name}: +(\\d+)`, 'm').exec(printed)?.[1]);
  return {
    reads: of('read'),
    writes: of('write'),
    other: of('other'),
    transactions: of('transactions'),
    ignoredErrors: of('ignored errors'),
  };
}
