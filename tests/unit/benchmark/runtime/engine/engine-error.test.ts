import { describe, expect, it } from 'vitest';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';
import { msg } from '../../../../../src/shared/message.ts';
import { engineError } from '../../../../../src/benchmark/runtime/engine/engine-error.ts';
import { checkReference, registryError } from '../../../../../src/benchmark/runtime/engine/images.ts';
import { saying } from '../../../../helpers/saying.ts';

/** An error as docker-modem makes it of an answer. */
function refusal(statusCode: number, message: string): Error {
  const error = new Error(`(HTTP code ${statusCode}) server error - ${message} `);
  return Object.assign(error, { statusCode, json: { message } });
}

function connection(code: string): Error {
  return Object.assign(new Error(`connect ${code} /home/ada/.docker/run/docker.sock`), { code });
}

describe('engineError', () => {
  it.each(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', 'EACCES'])('%s is a lost engine', (code) => {
    const error = engineError(connection(code), 'start a container');
    expect(error.code).toBe('ENGINE_LOST');
    expect(error.evidence).toEqual([saying(`^start a container: ${code}$`)]);
    expect(JSON.stringify(error.toData())).not.toContain('/home/ada');
  });

  it.each([
    [new Error('socket hang up'), 'ENGINE_LOST'],
    [new Error('aborted'), 'ENGINE_LOST'],
    // The proxy of Docker Desktop answers for a machine that is gone.
    [refusal(503, 'Docker Desktop is shutting down'), 'ENGINE_LOST'],
    // An engine that commands no swarm is not lost.
    [refusal(503, 'This node is not a swarm manager. Use "docker swarm init"'), 'ENGINE_REFUSED'],
    [Object.assign(new Error('The operation was aborted'), { name: 'AbortError' }), 'STOPPED'],
  ])('%s is told as %s', (error, code) => {
    expect(engineError(error, 'create a network').code).toBe(code);
  });

  it('an engine without room names its disk, whatever it was asked for', () => {
    const full = refusal(500, 'write /var/lib/docker/x: no space left on device');
    const message = expect.stringContaining('the engine’s disk') as unknown;
    expect(engineError(full, 'start a container')).toMatchObject({ code: 'STORAGE_FULL', message });
  });

  it("an engine's refusal keeps its words", () => {
    const error = engineError(refusal(500, 'port is already allocated'), 'start a container');
    expect(error.code).toBe('ENGINE_REFUSED');
    expect(error.params).toEqual({ action: 'start a container', reason: 'port is already allocated' });
    expect(error.message).toContain('start a container: port is already allocated');
  });

  it("takes docker-modem's message apart when the answer was no JSON", () => {
    const bare = Object.assign(new Error('(HTTP code 500) unexpected - boom '), { statusCode: 500 });
    expect(engineError(bare, 'x').params['reason']).toBe('boom');
  });

  it('leaves our own errors alone and names what it does not know', () => {
    const own = new BenchmarkError('STORAGE_FULL', { storage: 'tmpfs', reason: 'x' });
    expect(engineError(own, 'x')).toBe(own);
    expect(engineError(new TypeError('boom'), 'ping')).toMatchObject({
      code: 'INTERNAL',
      params: { reason: saying('^ping: boom$') },
    });
  });
});

const HUB = 'Get "https://registry-1.docker.io/v2/"';

describe('registryError', () => {
  it.each([
    [`${HUB}: dial tcp: lookup registry-1.docker.io: no such host`, 'no such host'],
    [`${HUB}: dial tcp 10.0.0.1:443: connect: connection refused`, 'connection refused'],
    [`${HUB}: dial tcp 10.0.0.1:443: i/o timeout`, 'i/o timeout'],
    [`${HUB}: net/http: TLS handshake timeout`, 'TLS handshake'],
    ['dial tcp: lookup x: Temporary failure in name resolution', 'Temporary failure in name resolution'],
    ['dial tcp: lookup registry-1.docker.io on 127.0.0.53:53: server misbehaving', 'server misbehaving'],
    ['proxyconnect tcp: dial tcp 10.0.0.1:3128: connect: connection refused', 'proxyconnect tcp'],
    [`${HUB}: Proxy Authentication Required`, 'Proxy Authentication Required'],
    [`${HUB}: context deadline exceeded (Client.Timeout exceeded)`, 'context deadline exceeded'],
    [
      'tls: failed: x509: certificate signed by unknown authority',
      'x509: certificate signed by unknown authority',
    ],
    [`${HUB}: EOF`, 'EOF'],
  ])('not reached: %s', (reason, cause) => {
    const error = registryError('mysql:8.4', reason);
    expect(error.code).toBe('REGISTRY_UNREACHABLE');
    expect(error.params).toEqual({ image: 'mysql:8.4', reason: cause, local: msg('image.listLocal') });
    // Addresses are in the evidence only.
    expect(error.message).not.toMatch(/\d+\.\d+\.\d+/);
    expect(error.evidence).toEqual([reason]);
  });

  it.each([
    ['manifest for mysql:99 not found: manifest unknown: manifest unknown', 'IMAGE_NOT_FOUND'],
    ["pull access denied for x, repository does not exist or may require 'docker login'", 'IMAGE_NOT_FOUND'],
    ['denied: requested access to the resource is denied', 'IMAGE_NOT_FOUND'],
    ['no matching manifest for linux/arm64/v8 in the manifest list entries', 'IMAGE_NOT_FOUND'],
    ['toomanyrequests: You have reached your pull rate limit', 'PULL_FAILED'],
    ['write /var/lib/docker/tmp/GetImageBlob1: no space left on device', 'PULL_FAILED'],
  ])('reached: %s', (reason, code) => {
    expect(registryError('mysql:8.4', reason)).toMatchObject({
      code,
      params: { image: 'mysql:8.4', reason },
    });
  });
});

describe('checkReference', () => {
  it.each([
    'mysql:8.4',
    'docker.io/library/mysql',
    'localhost:5000/a/b:c',
    `mysql@sha256:${'a'.repeat(64)}`,
    'sha256:abc',
  ])('accepts %s', (reference) => {
    expect(() => checkReference(reference)).not.toThrow();
  });

  it.each(['', 'my sql', '../containers/x', 'mysql?x=1', 'mysql%2f', '-v', 'mysql#1'])(
    'refuses "%s"',
    (reference) => {
      expect(() => checkReference(reference)).toThrow(expect.objectContaining({ code: 'IMAGE_NOT_FOUND' }));
    },
  );
});
