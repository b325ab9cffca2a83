import { describe, expect, it } from 'vitest';
import {
  connectionKey,
  isRemote,
  parseEndpoint,
  type TlsMaterial,
} from '../../../../../src/benchmark/runtime/engine/endpoints.ts';

const ssh = (host: string, more: object = {}) => ({
  ...{ kind: 'ssh', host, user: undefined, port: undefined, socketPath: undefined },
  ...more,
});
const tcp = (host: string, port: number) => ({ kind: 'tcp', host, port, tls: undefined });

describe('parseEndpoint', () => {
  it.each([
    ['unix:///var/run/docker.sock', { kind: 'socket', path: '/var/run/docker.sock' }],
    ['unix://', { kind: 'socket', path: '/var/run/docker.sock' }],
    ['tcp://10.0.0.5:2375', tcp('10.0.0.5', 2375)],
    ['tcp://10.0.0.5', tcp('10.0.0.5', 2375)],
    ['tcp://[::1]:2375/', tcp('::1', 2375)],
    ['http://far.example:80', tcp('far.example', 80)],
    ['10.0.0.5:4243', tcp('10.0.0.5', 4243)],
    [':2375', tcp('127.0.0.1', 2375)],
    ['ssh://far', ssh('far')],
    ['ssh://ada@far.example:2222', ssh('far.example', { user: 'ada', port: 2222 })],
    ['ssh://[::1]:22/', ssh('::1', { port: 22 })],
    [
      'ssh://core@127.0.0.1:53685/run/user/501/podman/podman.sock',
      ssh('127.0.0.1', { user: 'core', port: 53685, socketPath: '/run/user/501/podman/podman.sock' }),
    ],
    ['https://far.example', { kind: 'tcp', host: 'far.example', port: 2376, tls: { verify: true } }],
  ])('%s', (text, expected) => {
    expect(parseEndpoint(text, 'linux')).toEqual(expected);
  });

  it('takes named pipes on Windows only, and sockets elsewhere only', () => {
    const pipe = 'npipe:////./pipe/docker_engine';
    expect(parseEndpoint(pipe, 'win32')).toEqual({ kind: 'socket', path: '//./pipe/docker_engine' });
    expect(() => parseEndpoint(pipe, 'darwin')).toThrow('named pipes');
    expect(() => parseEndpoint('unix:///x.sock', 'win32')).toThrow('Unix sockets');
  });

  it.each([
    'ssh://',
    'ssh://ada:secret@far',
    'ssh://-oProxyCommand=x',
    'ssh://-oProxyCommand=x@far',
    'ssh://far;reboot',
    'ssh://$(reboot)@far',
    'ssh://far/$(reboot)',
    'ssh://far/run/docker.sock;reboot',
    'ssh://far:99999',
    'ssh://far?x=1',
    'ftp://x',
    'fd://3',
    'npipe:////./pipe/docker_engine',
    'tcp://far:2375/prefix',
    'tcp://a:b:c',
    'tcp://host:99999',
    'tcp://host:0',
    'tcp://ada@far:2375',
  ])('refuses %s', (text) => {
    expect(() => parseEndpoint(text, 'linux')).toThrow(
      expect.objectContaining({ code: 'ENDPOINT_UNSUPPORTED' }),
    );
  });
});

describe('isRemote', () => {
  it.each([
    ['unix:///x.sock', false],
    ['tcp://127.0.0.1:2375', false],
    ['tcp://localhost:2375', false],
    ['tcp://[::1]:2375', false],
    ['tcp://10.0.0.5:2375', true],
    ['ssh://ada@far', true],
    ['ssh://core@127.0.0.1:53685', false],
    ['ssh://core@LOCALHOST', false],
  ])('%s: %s', (text, expected) => {
    expect(isRemote(parseEndpoint(text, 'linux'))).toBe(expected);
  });
});

it('a key is the same for two spellings of one place, and differs with who asks', () => {
  const key = (text: string, tls?: TlsMaterial) => connectionKey(parseEndpoint(text, 'linux', tls));
  expect(key('tcp://a')).toBe(key('a:2375'));
  const endpoints = ['ssh://a', 'ssh://ada@a', 'ssh://ada@a:2222', 'ssh://ada@a/x.sock', 'tcp://a:22'];
  const tls = [{ verify: true }, { verify: false }, { verify: true, ca: 'CA' }];
  const keys = [...endpoints.map((text) => key(text)), ...tls.map((material) => key('tcp://a:22', material))];
  expect(new Set(keys).size).toBe(8);
  expect(keys.join()).not.toContain('CA');
});
