import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type * as Crypto from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { datasetCache } from '../../../src/benchmark/servers/dataset/dataset-cache.ts';
import { SqlConnection } from '../../../src/benchmark/load/builtin/connection.ts';
import { errorNumber } from '../../../src/benchmark/load/builtin/server-errors.ts';
import { renderExport } from '../../../src/benchmark/report/export.ts';
import { loadPngAssets } from '../../../src/benchmark/report/png.ts';
import { EXPORT_FORMATS } from '../../../src/shared/model/sharing.ts';
import { IS_FULL, sampled } from '../../helpers/tier.ts';
import { installation, realBench, runPlan, smallPlan } from '../helpers/bench.ts';
import { docker } from '../helpers/docker-server.ts';
import { filesBelow, watchProcesses, whatTheEngineTells, whereSeen, type Seen } from '../helpers/exposed.ts';
import { LIMITS, limitsIn } from '../helpers/limits.ts';
import { listening, takesConnections } from '../helpers/open-ports.ts';

/** Every secret that this process has made: only it has the passwords. */
const made = vi.hoisted(() => [] as string[]);
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>();
  const randomBytes = (size: number): Buffer => {
    const bytes = crypto.randomBytes(size);
    // Shorter ones make ids.
    if (size >= 16) made.push(bytes.toString('base64url'));
    return bytes;
  };
  return { ...crypto, randomBytes };
});

const ACCESS_DENIED = 1045;
const SERVER_PORT = 3306;
const recordSchema = z.object({
  account: z.object({ user: z.string(), password: z.string(), database: z.string() }),
});
type Account = z.infer<typeof recordSchema>['account'];
const bindingsSchema = z.record(
  z.string(),
  z.array(z.looseObject({ HostIp: z.string(), HostPort: z.string() })).nullable(),
);
const containerSchema = z.looseObject({
  Id: z.string(),
  Config: z.looseObject({ Cmd: z.array(z.string()) }),
  State: z.looseObject({ Pid: z.number() }),
  NetworkSettings: z.looseObject({
    Ports: bindingsSchema,
    Networks: z.record(z.string(), z.looseObject({ Gateway: z.string() })),
  }),
});
const inspectSchema = z.looseObject({
  HostConfig: z.unknown(),
  Config: z.looseObject({ Labels: z.record(z.string(), z.string()) }),
});
type Container = z.infer<typeof containerSchema>;

/** How a server can be reached while it is measured. */
interface Reachable {
  trialId: string;
  /** Addresses of this machine on which its port is open, by the kernel's own list. */
  here: string[];
  /** Other addresses of this machine, and the way from another container, where something answered. */
  elsewhere: string[];
  /** Ports that are open in its container; none when it shares this machine's network. */
  inside: number[];
}

const MORE = [
  { storage: 'named-volume', path: 'unix-socket' },
  { storage: 'named-volume', path: 'shared-netns' },
];
const ALL = [
  { storage: 'named-volume', path: 'host-network' },
  { storage: 'named-volume', path: 'user-bridge' },
  ...MORE,
];

describe.each(
  sampled(
    [['mariadb:11.8', 'mariadb', IS_FULL ? ALL : MORE] as const, ['mysql:8.4', 'mysql', ALL] as const],
    2,
  ),
)('while a run measures %s', (image, client, scenarios) => {
  const bench = realBench();
  let datasetDir = '';
  const seen: Seen = new Map();
  const reachable: Reachable[] = [];
  /** Attempts to log in, and the number of the error; undefined if let in. */
  const logins: { who: string; refused: number | undefined }[] = [];
  let grants: string[] = [];

  beforeAll(async () => {
    datasetDir = await mkdtemp(join(tmpdir(), 'whalemark-secrets-'));
    made.length = 0;
    const plan = await smallPlan(bench.runtime, {
      server: { image, settings: { bufferPool: 64, redoLogMiB: 64 } },
      grid: { storages: ['named-volume'], paths: ['published-port'] },
      scenarios,
      loadGenerator: ['builtin', 'sysbench'],
      // Time to look at a server from all sides while it is measured.
      schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 4 },
    });
    let runId = '';
    /** The entry point of an official image exports the passwords to the server that it initializes. */
    let initialized: string[] = [];
    const processes = watchProcesses(() => initialized);
    let looks = Promise.resolve();
    const look = (what: () => Promise<void>): void => {
      looks = looks.then(what);
      // The test fails when it awaits all looks.
      looks.catch(() => undefined);
    };
    const running = async (role: string): Promise<string[]> => {
      const labels = [`io.whalemark.run=${runId}`, `io.whalemark.role=${role}`];
      const filters = labels.flatMap((label) => ['--filter', `label=${label}`]);
      return (await docker('ps', '--quiet', '--no-trunc', ...filters)).split('\n').filter((id) => id !== '');
    };
    const dataDir = join(bench.dataDir, 'nested', 'home');
    const { state } = await runPlan(plan, bench.runtime, dataDir, {
      datasetDir,
      onEvent: (event) => {
        if (event.type === 'run-started') runId = event.runId;
        if (event.type === 'server-log' && initialized.length === 0) {
          initialized = ['not known yet'];
          look(async () => void (initialized = await running('dataset')));
        }
        if (event.type === 'step-started' && event.kind === 'load') {
          look(async () => add(seen, await whatTheEngineTells(runId, 'while it loads')));
        }
        if (event.type === 'trial-phase' && event.phase === 'measure') {
          const { trialId } = event;
          look(async () => {
            const [id] = await running('server');
            if (id !== undefined) {
              const container = await inspected(id);
              const port = portOf(container);
              if (grants.length === 0 && port !== undefined) {
                logins.push(...(await tryLogins(port, id, client)));
                grants = await grantsOf(port, await accountIn(datasetDir));
              }
              reachable.push({ trialId, ...(await reach(container)) });
            }
            add(seen, await whatTheEngineTells(runId, `in ${trialId}`));
          });
        }
      },
    });
    await looks;
    add(seen, processes.end());
    expect(state.error).toBeNull();
    expect(state.trials.filter(({ status }) => status !== 'measured')).toEqual([]);

    for (const format of EXPORT_FORMATS) {
      const bytes = await renderExport(format, state, () => loadPngAssets(resolve('out/assets')));
      seen.set(`export ${format}`, Buffer.from(bytes).toString('latin1'));
    }
    // Journal, result, the window's view.
    add(seen, await filesBelow(dataDir));
    expect((await stat(dataDir)).mode & 0o077).toBe(0);
  });
  afterAll(async () => {
    await datasetCache(bench.runtime, await installation(bench.dataDir, datasetDir))?.clear();
    await rm(datasetDir, { recursive: true, force: true });
  });

  it('nothing tells a password but the record of its dataset, which is its user’s alone', async () => {
    const { password } = await accountIn(datasetDir);
    // The passwords of the account, and of root before and after its change.
    expect(made).toContain(password);
    expect(made.length).toBeGreaterThanOrEqual(3);
    expect([...seen.keys()].some((place) => place.startsWith('arguments of sysbench '))).toBe(true);
    for (const kind of ['inspect', 'logs', 'top', 'volume inspect', 'network inspect']) {
      expect(
        [...seen.keys()].some((place) => place.startsWith(`docker ${kind} `)),
        kind,
      ).toBe(true);
    }
    expect(whereSeen(seen, made)).toEqual([]);

    const records = await filesBelow(datasetDir);
    expect(whereSeen(records, made)).not.toEqual([]);
    for (const path of records.keys()) expect((await stat(path)).mode & 0o077, path).toBe(0);
  });

  it('its server is open on 127.0.0.1 of this machine, and to nobody else', () => {
    expect(reachable.some(({ here }) => here.length > 0)).toBe(true);
    for (const { trialId, here, elsewhere, inside } of reachable) {
      expect(
        [...new Set(here)].filter((address) => address !== '127.0.0.1'),
        trialId,
      ).toEqual([]);
      expect(elsewhere, trialId).toEqual([]);
      // Neither the X protocol nor an administrative port.
      expect(
        inside.filter((port) => port !== SERVER_PORT),
        trialId,
      ).toEqual([]);
    }
  });

  it('nobody gets in without its password, and root not even with the ones that it had', () => {
    expect(logins.length).toBeGreaterThan(5);
    for (const { who, refused } of logins) expect(refused, who).toBe(ACCESS_DENIED);
  });

  it('no container of its may do more than its work needs, whatever it is for', () => {
    const containers = [...seen].filter(([place]) => place.startsWith('docker inspect '));
    const roles = new Set<string | undefined>();
    for (const [place, text] of containers) {
      const [container] = z.tuple([inspectSchema]).parse(JSON.parse(text));
      roles.add(container.Config.Labels['io.whalemark.role']);
      expect(limitsIn(container.HostConfig), place).toEqual(LIMITS);
    }
    for (const role of ['dataset', 'server', 'client']) expect(roles).toContain(role);
  });

  it('its account reaches its own schema alone', () => {
    const rights = grants.map((grant) => grant.replace(/ TO .*$/, ''));
    expect(rights.sort()).toEqual(['GRANT ALL PRIVILEGES ON `sbtest`.*', 'GRANT USAGE ON *.*']);
  });
});

function add(all: Seen, more: Seen): void {
  for (const [place, text] of more) all.set(place, text);
}

async function accountIn(directory: string): Promise<Account> {
  const [name = ''] = await readdir(directory);
  return recordSchema.parse(JSON.parse(await readFile(join(directory, name), 'utf8'))).account;
}

async function inspected(id: string): Promise<Container> {
  return z.tuple([containerSchema]).parse(JSON.parse(await docker('inspect', id)))[0];
}

/** The server's port on this machine; undefined when it has none. */
function portOf({ Config, NetworkSettings }: Container): number | undefined {
  const published = NetworkSettings.Ports[`${SERVER_PORT}/tcp`]?.[0]?.HostPort;
  if (published !== undefined) return Number(published);
  if (!('host' in NetworkSettings.Networks)) return undefined;
  return Number(Config.Cmd.find((option) => option.startsWith('--port='))?.split('=')[1]);
}

async function reach(container: Container): Promise<Omit<Reachable, 'trialId'>> {
  const { NetworkSettings, State } = container;
  // Docker's own name service listens in every container of a network.
  const inside =
    'host' in NetworkSettings.Networks
      ? []
      : listening(State.Pid).filter(({ address }) => address !== '127.0.0.11');
  const port = portOf(container);
  if (port === undefined) return { here: [], elsewhere: [], inside: inside.map((one) => one.port) };
  const gateways = Object.values(NetworkSettings.Networks).map(({ Gateway }) => Gateway);
  const others = ['127.0.0.2', '::1', ...gateways].filter((address) => address !== '');
  const elsewhere: string[] = [];
  for (const host of others) if (await takesConnections(host, port)) elsewhere.push(host);
  if (await reachesThisMachine(port)) elsewhere.push('another container');
  return {
    here: [...listening().filter((one) => one.port === port)].map(({ address }) => address),
    elsewhere,
    inside: inside.map((one) => one.port),
  };
}

/** Whether a container of another person's gets to a port of this machine; proves that it gets to an open one. */
async function reachesThisMachine(port: number): Promise<boolean> {
  const image = process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'whalemark-test/mysql:debian-sid';
  const label = ['--label', 'io.whalemark.owner=test'];
  const other = await docker('run', '--detach', '--rm', ...label, '--entrypoint', 'sleep', image, '60');
  const control = createServer((socket) => socket.destroy());
  try {
    const gateway = await docker('inspect', '--format', '{{.NetworkSettings.Gateway}}', other);
    await once(control.listen(0, gateway), 'listening');
    const address = control.address();
    const open = typeof address === 'object' && address !== null ? address.port : 0;
    const script = `for port in ${open} ${port}; do (exec 3<>/dev/tcp/${gateway}/$port) 2>/dev/null && echo $port; done; true`;
    const reached = (await docker('exec', other, 'bash', '-c', script)).split('\n');
    expect(reached).toContain(String(open));
    return reached.includes(String(port));
  } finally {
    control.close();
    await docker('rm', '--force', '--volumes', other);
  }
}

async function tryLogins(
  port: number,
  container: string,
  client: string,
): Promise<{ who: string; refused: number | undefined }[]> {
  const tried: { who: string; refused: number | undefined }[] = [];
  // With no password, and with every one that this process has ever made.
  const passwords = ['', ...made];
  for (const user of ['root', '', 'mysql.sys', 'mariadb.sys']) {
    for (const [number, password] of passwords.entries()) {
      tried.push({ who: `${user} over TCP, password ${number}`, refused: await login(port, user, password) });
    }
  }
  tried.push({ who: 'the account without a password', refused: await login(port, 'whalemark', '') });
  // Next to the server: over its socket, and over TCP from the same network namespace.
  for (const way of ['socket', 'tcp']) {
    const command = [client, '--no-defaults', `--protocol=${way}`, '--user=root', '--execute=SELECT 1'];
    const said = await docker('exec', container, ...command).then(
      () => '',
      (error: unknown) => String(error),
    );
    const refused = /ERROR (\d+) /.exec(said)?.[1];
    tried.push({ who: `root beside it over ${way}: ${said}`, refused: Number(refused) });
  }
  return tried;
}

async function login(port: number, user: string, password: string): Promise<number | undefined> {
  try {
    const connection = await SqlConnection.open({ host: '127.0.0.1', port, user, password, database: '' });
    await connection.close();
    return undefined;
  } catch (error) {
    return errorNumber(error) ?? -1;
  }
}

async function grantsOf(port: number, account: Account): Promise<string[]> {
  const connection = await SqlConnection.open({ host: '127.0.0.1', port, ...account });
  try {
    return (await connection.rows('SHOW GRANTS')).map(([grant]) => String(grant));
  } finally {
    await connection.close();
  }
}
