import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { thisMachine, type Surroundings } from '../../../src/benchmark/runtime/discovery/surroundings.ts';
import { tarOf } from '../../../src/benchmark/runtime/engine/tar.ts';
import type { BenchmarkError } from '../../../src/shared/errors.ts';
import type { RuntimeAttempt } from '../../../src/shared/model/passport.ts';
import { bundled } from '../helpers/bundle-client.ts';
import { writeContext } from '../helpers/docker-contexts.ts';
import { sshClient, sshServer, type SshClient, type SshServer } from '../helpers/ssh-server.ts';
import { authority, tlsEngine } from '../helpers/tls-engine.ts';
import { IMAGE, workbench, type Workbench } from './fixture.ts';
import { englishOf } from '../../../src/shared/message.ts';

let bench: Workbench;
let directory = '';
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  bench = await workbench('remote');
  directory = await mkdtemp(join(tmpdir(), 'whalemark-remote-'));
});
afterAll(async () => {
  await bench.clear();
  for (const close of closing) await close();
  await rm(directory, { recursive: true, force: true });
});

/** This machine with the settings of Docker's CLI in a directory of the test. */
function machine(config: string, env: Record<string, string> = {}): Surroundings {
  return { ...thisMachine(), env: { DOCKER_CONFIG: join(directory, config), ...env } };
}

async function attempts(
  surroundings: Surroundings,
  preferId?: string,
): Promise<Record<string, RuntimeAttempt>> {
  const report = await discoverRuntimes({ surroundings, ...(preferId === undefined ? {} : { preferId }) });
  return Object.fromEntries(report.attempts.map((attempt) => [attempt.label, attempt]));
}

async function connectTo(surroundings: Surroundings, context: string): Promise<ContainerRuntime> {
  const report = await discoverRuntimes({ surroundings, preferId: `context:${context}` });
  expect(report.chosenId).toBe(`context:${context}`);
  return connectRuntime(report, undefined, surroundings);
}

async function bytes(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Everything a run does with an engine: streams in both directions, half-closed input, files, commands, logs. */
async function fullCycle(runtime: ContainerRuntime, what: string): Promise<void> {
  const id = await runtime.containers.create({
    name: bench.name(what),
    image: IMAGE,
    labels: bench.labels,
    command: ['sh', '-c', 'wc -c; cat /data/note.txt >&2; exit 3'],
    stdin: true,
    stopTimeoutSeconds: 1,
  });
  const note = Buffer.from('größe\n'.repeat(100_000));
  await runtime.containers.putArchive(id, '/', await tarOf({ 'data/note.txt': note }));
  const attachment = await runtime.containers.attach(id);
  await runtime.containers.start(id);
  const exited = runtime.containers.wait(id);
  const counted = bytes(attachment.stdout);
  const shown = bytes(attachment.stderr);

  expect(await runtime.containers.exec(id, ['sh', '-c', 'echo inside; echo aside >&2; exit 7'])).toEqual({
    exitCode: 7,
    stdout: 'inside\n',
    stderr: 'aside\n',
  });
  // Two megabytes fill every buffer on the way; `wc` answers only when its input has ended.
  attachment.stdin.write(Buffer.alloc(2_000_000, 'x'));
  attachment.stdin.end();
  expect((await counted).toString().trim()).toBe('2000000');
  expect((await shown).equals(note)).toBe(true);
  await attachment.ended;
  expect(await exited).toBe(3);

  const lines: string[] = [];
  await runtime.containers.followLogs(id, (line) => lines.push(line), {
    signal: new AbortController().signal,
  });
  expect(lines.filter((line) => line === 'größe')).toHaveLength(100_000);
  expect(await runtime.containers.logTail(id, 1)).toEqual(['größe']);
  const archive = await bytes(await runtime.containers.getArchive(id, '/data/note.txt'));
  expect(archive.includes(note)).toBe(true);
  await runtime.containers.remove(id);
  expect((await runtime.listOwned()).filter((owned) => owned.id === id)).toEqual([]);
}

describe('an engine behind TLS', () => {
  let endpoint = '';

  beforeAll(async () => {
    const config = join(directory, 'tls');
    const own = authority(join(directory, 'authority'));
    const strange = authority(join(directory, 'stranger'));
    const client = own.issue('client');
    const serve = async (options: { names?: string; days?: number }): Promise<string> => {
      const engine = await tlsEngine(own.ca, own.issue('engine', options));
      closing.push(engine.close);
      return `tcp://127.0.0.1:${engine.port}`;
    };
    endpoint = await serve({ names: 'IP:127.0.0.1' });
    const expired = await serve({ names: 'IP:127.0.0.1', days: 0 });
    const renamed = await serve({ names: 'DNS:engine.example' });
    const tls = { ca: own.ca, ...client };
    await writeContext(config, 'good', endpoint, { tls });
    await writeContext(config, 'no-client', endpoint, { tls: { ca: own.ca } });
    await writeContext(config, 'foreign-client', endpoint, {
      tls: { ca: own.ca, ...strange.issue('client') },
    });
    await writeContext(config, 'foreign-ca', endpoint, { tls: { ca: strange.ca, ...client } });
    await writeContext(config, 'expired', expired, { tls });
    await writeContext(config, 'renamed', renamed, { tls });
    await writeContext(config, 'renamed-but-trusted', renamed, { tls: client, skipVerify: true });
    await writeContext(config, 'broken', endpoint, { tls: { ca: own.ca, cert: 'not PEM', key: client.key } });
    await writeContext(config, 'not-tls', await plainEngine(), { tls });
  });

  async function plainEngine(): Promise<string> {
    const server = createServer((client) => {
      client.on('error', () => undefined);
      client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    const port = await listen(server);
    return `tcp://127.0.0.1:${port}`;
  }

  it('takes the whole cycle through its context', async () => {
    const runtime = await connectTo(machine('tls'), 'good');
    expect(runtime.passport.runtime).toMatchObject({ kind: 'docker-engine', remote: false });
    await fullCycle(runtime, 'tls');
  });

  it('is named exactly when something is wrong with a certificate', async () => {
    const found = await attempts(machine('tls'));
    const codes = Object.fromEntries(
      Object.entries(found).map(([label, { usable, error }]) => [label, usable ? 'usable' : error?.code]),
    );
    expect(codes).toMatchObject({
      good: 'usable',
      'no-client': 'ENDPOINT_TLS_CLIENT',
      'foreign-client': 'ENDPOINT_TLS_CLIENT',
      'foreign-ca': 'ENDPOINT_TLS_UNTRUSTED',
      expired: 'ENDPOINT_TLS_EXPIRED',
      renamed: 'ENDPOINT_TLS_NAME',
      'renamed-but-trusted': 'usable',
      broken: 'ENDPOINT_TLS_FAILED',
      'not-tls': 'ENDPOINT_TLS_MISSING',
    });
    expect(found['good']?.sameAs).toContain('context:default');
  });
});

describe('an engine behind ssh', () => {
  let client: SshClient;
  let server: SshServer;
  const path = process.env['PATH'] ?? '';

  beforeAll(async () => {
    const config = join(directory, 'ssh');
    client = await sshClient(directory);
    process.env['PATH'] = `${client.bin}:${path}`;
    server = await sshServer(client.publicKey, { PATH: path });
    closing.push(server.close);
    await client.know(server.hostKey);
    await client.host('far', { Port: server.port });
    await writeContext(config, 'far', 'ssh://ada@far');
    await client.host('127.0.0.1', {});
    await writeContext(config, 'near', `ssh://ada@127.0.0.1:${server.port}/var/run/docker.sock`);
  });
  afterAll(() => {
    process.env['PATH'] = path;
  });

  it('takes the whole cycle through its context, with few logins, and leaves no process', async () => {
    const surroundings = machine('ssh');
    const runtime = await connectTo(surroundings, 'far');
    expect(runtime.passport.runtime).toMatchObject({
      kind: 'docker-engine',
      remote: true,
      hostNetworking: false,
      fileSharing: 'unknown',
    });
    const before = server.logins();
    await fullCycle(runtime, 'ssh');
    expect(server.logins() - before).toBeLessThanOrEqual(8);
    await nobodyLeft();
  });

  it('is recognized as this machine at its own address, by the socket the endpoint names', async () => {
    const { near, default: plain } = await attempts(machine('ssh'), 'context:near');
    expect(near?.passport?.runtime.remote).toBe(false);
    expect(plain?.sameAs).toContain('context:near');
  });

  it('is lost when ssh dies on the way, and there again with the next call', async () => {
    const runtime = await connectTo(machine('ssh'), 'far');
    const id = await bench.shell('ssh-lost', 'echo up; cat; sleep 60', { stdin: true });
    const attachment = await runtime.containers.attach(id);
    attachment.stdout.resume();
    await runtime.containers.start(id);
    let logged = (): void => undefined;
    const firstLine = new Promise<void>((resolve) => (logged = resolve));
    const outcome = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => 'fulfilled',
        (error: BenchmarkError) => `${error.code} ${error.evidence.map(englishOf).join()}`,
      );
    const { signal } = new AbortController();
    const pending = [
      outcome(runtime.containers.stop(id, 60)),
      outcome(runtime.containers.wait(id)),
      outcome(runtime.containers.followLogs(id, () => logged(), { signal })),
      outcome(attachment.ended),
    ];
    await firstLine;
    // Every request has reached the engine: they were sent before one that is answered now.
    await runtime.containers.inspect(id);
    for (const pid of (await client.pids()).filter(isAlive)) process.kill(pid, 'SIGKILL');
    const [stop, wait, logs, attached] = await Promise.all(pending);
    expect(stop).toMatch(/^ENGINE_LOST .*ssh was ended by SIGKILL/);
    expect(wait).toMatch(/^ENGINE_LOST /);
    expect(logs).toMatch(/^ENGINE_LOST /);
    expect(attached).toBe('fulfilled');
    attachment.stdin.write('into the void');
    await nobodyLeft();
    await runtime.containers.remove(id);
    await nobodyLeft();
  });

  it('keeps no process from ending, and none outlives it', { tags: ['full'] }, async () => {
    const { file, remove } = await bundled('tests/integration/helpers/ping-main.ts');
    const { PATH } = process.env;
    const env = { PATH, DOCKER_CONFIG: join(directory, 'ssh'), DOCKER_CONTEXT: 'far' };
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const said = bytes(child.stdout);
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    const answered = Date.now();
    const [code] = (await exited) as [number | null];
    expect([(await said).toString(), code]).toEqual(['pong\n', 0]);
    // The process doesn't wait for the connection that is kept for a next request.
    expect(Date.now() - answered).toBeLessThan(2_000);
    await nobodyLeft();
    await remove();
  });

  async function nobodyLeft(): Promise<void> {
    await vi.waitFor(async () => expect((await client.pids()).filter(isAlive)).toEqual([]), {
      timeout: 60_000,
    });
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => void server.close());
  return (server.address() as AddressInfo).port;
}
