import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { thisMachine } from '../../../src/benchmark/runtime/discovery/surroundings.ts';

const SOCKET = '/var/run/docker.sock';
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'whalemark-discovery-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** This machine with other environment variables and without contexts of its own. */
function surroundings(env: Record<string, string>) {
  return { ...thisMachine(), env: { DOCKER_CONFIG: directory, ...env } };
}

function forward(client: Socket): void {
  const engine = connect(SOCKET);
  client.on('error', () => engine.destroy());
  engine.on('error', () => client.destroy());
  client.pipe(engine).pipe(client);
}

describe('discovery on this machine', () => {
  it('finds the engine and says what `docker info` says', async () => {
    const report = await discoverRuntimes({ surroundings: surroundings({}) });
    expect(report.chosenId).toBe('context:default');
    const runtime = report.attempts.find(({ chosen }) => chosen)?.passport?.runtime;
    const format = '{{.ServerVersion}}|{{.Driver}}|{{.NCPU}}|{{.MemTotal}}|{{.KernelVersion}}';
    const told = execFileSync('docker', ['info', '--format', format], { encoding: 'utf8' }).trim();
    expect(
      [
        runtime?.engineVersion,
        runtime?.storageDriver,
        runtime?.cpus,
        runtime?.memoryBytes,
        runtime?.kernel,
      ].join('|'),
    ).toBe(told);
    expect(runtime).toMatchObject({ kind: 'docker-engine', vm: false, fileSharing: 'native' });
    await connectRuntime(report).ping();
  });

  it('reaches it over TCP too and recognizes it as the same engine', async () => {
    const forwarder = createServer(forward);
    await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve));
    const { port } = forwarder.address() as AddressInfo;
    const machine = surroundings({ DOCKER_HOST: `tcp://127.0.0.1:${port}` });
    const report = await discoverRuntimes({ surroundings: machine });
    expect(report.chosenId).toBe('env:DOCKER_HOST');
    expect(report.attempts[0]?.sameAs).toEqual(['context:default']);
    const runtime = connectRuntime(report, undefined, machine);
    await runtime.ping();
    expect(await runtime.images.inspect('whalemark-test/debian:trixie')).toBeDefined();
    forwarder.close();
  });

  it('reaches it over TLS with the certificates of DOCKER_CERT_PATH, and no other', async () => {
    const path = (name: string): string => join(directory, name);
    const certificate = ['-subj', '/CN=engine', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        ...certificate,
        '-keyout',
        path('key.pem'),
        '-out',
        path('ca.pem'),
      ],
      { stdio: 'ignore' },
    );
    const tls = { key: await readFile(path('key.pem')), cert: await readFile(path('ca.pem')) };
    const forwarder = createTlsServer(tls, forward);
    await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve));
    const { port } = forwarder.address() as AddressInfo;
    const env = { DOCKER_HOST: `tcp://127.0.0.1:${port}`, DOCKER_TLS_VERIFY: '1' };
    // The server's key is of no use to a client, but a client without its own certificate is what we want here.
    await rm(path('key.pem'));
    const trusting = surroundings({ ...env, DOCKER_CERT_PATH: directory });
    const report = await discoverRuntimes({ surroundings: trusting });
    expect(report.attempts[0]?.error).toBeNull();
    expect(report.chosenId).toBe('env:DOCKER_HOST');
    await connectRuntime(report, undefined, trusting).ping();
    const stranger = await discoverRuntimes({
      surroundings: surroundings({ ...env, DOCKER_CERT_PATH: '/nothing' }),
    });
    expect(stranger.attempts[0]?.error).toMatchObject({
      code: 'ENDPOINT_TLS_UNTRUSTED',
      params: { reason: expect.stringContaining('self-signed') as unknown },
    });
    await rm(path('ca.pem'));
    forwarder.close();
  });

  it('tells a socket without a listener, a file and a stranger apart', async () => {
    const silent = createServer();
    const stranger = createServer((client) => {
      client.on('error', () => undefined);
      client.end('SSH-2.0-OpenSSH_9.2\r\n');
    });
    const mute = createServer((client) => void client.on('data', () => undefined));
    const path = (name: string): string => join(directory, name);
    await new Promise<void>((resolve) => silent.listen(path('stranger-less.sock'), resolve));
    await new Promise<void>((resolve) => stranger.listen(path('stranger.sock'), resolve));
    await new Promise<void>((resolve) => mute.listen(path('mute.sock'), resolve));
    await writeFile(path('file.sock'), '');
    const codeOf = async (name: string): Promise<string | undefined> => {
      const report = await discoverRuntimes({
        surroundings: surroundings({ DOCKER_HOST: `unix://${path(name)}` }),
      });
      expect(report.chosenId).toBeNull();
      return report.attempts[0]?.error?.code;
    };
    expect(await codeOf('nothing.sock')).toBe('ENDPOINT_MISSING');
    expect(await codeOf('file.sock')).toBe('ENDPOINT_REFUSED');
    expect(await codeOf('stranger.sock')).toBe('ENDPOINT_BAD_ANSWER');
    expect(await codeOf('mute.sock')).toBe('ENDPOINT_TIMEOUT');
    for (const server of [silent, stranger, mute]) server.close();
  });
});
