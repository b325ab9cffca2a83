import { describe, expect, it } from 'vitest';
import {
  connectionKey,
  defaultEndpoint,
  isRemote,
  parseEndpoint,
} from '../../../../src/benchmark/runtime/endpoints.ts';

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
    ['https://far.example', { kind: 'tcp', host: 'far.example', port: 2376, tls: { verify: true } }],
  ])('%s', (text, expected) => {
    expect(parseEndpoint(text, 'linux')).toEqual(expected);
  });

  it('takes named pipes on Windows only, and sockets elsewhere only', () => {
    expect(parseEndpoint('npipe:////./pipe/docker_engine', 'win32')).toEqual({
      kind: 'socket',
      path: '//./pipe/docker_engine',
    });
    expect(() => parseEndpoint('npipe:////./pipe/docker_engine', 'darwin')).toThrow('named pipes');
    expect(() => parseEndpoint('unix:///x.sock', 'win32')).toThrow('Unix sockets');
  });

  it.each([
    'ssh://ada@far',
    'ftp://x',
    'tcp://a:b:c',
    'tcp://host:99999',
    'tcp://host:0',
    'tcp://ada@far:2375',
  ])('refuses %s', (text) => {
    expect(() => parseEndpoint(text, 'linux')).toThrow(
      expect.objectContaining({ code: 'ENDPOINT_UNSUPPORTED' }),
    );
  });

  it('knows the default of every platform', () => {
    for (const platform of ['linux', 'darwin', 'win32']) {
      expect(parseEndpoint(defaultEndpoint(platform), platform).kind).toBe('socket');
    }
  });
});

describe('isRemote', () => {
  it.each([
    ['unix:///x.sock', false],
    ['tcp://127.0.0.1:2375', false],
    ['tcp://localhost:2375', false],
    ['tcp://[::1]:2375', false],
    ['tcp://10.0.0.5:2375', true],
  ])('%s: %s', (text, expected) => {
    expect(isRemote(parseEndpoint(text, 'linux'))).toBe(expected);
  });
});

describe('connectionKey', () => {
  it('is the same for two spellings of one place', () => {
    expect(connectionKey(parseEndpoint('tcp://a', 'linux'))).toBe(
      connectionKey(parseEndpoint('a:2375', 'linux')),
    );
  });
});
