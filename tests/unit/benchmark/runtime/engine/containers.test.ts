import { describe, expect, it } from 'vitest';
import { containerBody } from '../../../../../src/benchmark/runtime/engine/containers.ts';

const minimal = { name: 'n', image: 'mysql:8.4', labels: { a: 'b' } };

describe('containerBody', () => {
  it('publishes on the loopback only, with a port that the runtime picks', () => {
    const body = containerBody({ ...minimal, publish: [3306] }, false);
    expect(body.HostConfig?.PortBindings).toEqual({ '3306/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] });
    expect(body.ExposedPorts).toEqual({ '3306/tcp': {} });
  });

  it('mounts volumes and folders', () => {
    const mounts = [
      { type: 'volume', source: 'v', target: '/a' },
      { type: 'bind', source: '/host', target: '/b', readOnly: true },
    ] as const;
    expect(containerBody({ ...minimal, mounts: [...mounts] }, false).HostConfig).toMatchObject({
      Binds: [],
      Mounts: [
        { Type: 'volume', Source: 'v', Target: '/a', ReadOnly: false },
        { Type: 'bind', Source: '/host', Target: '/b', ReadOnly: true },
      ],
    });
    expect(containerBody({ ...minimal, mounts: [...mounts] }, true).HostConfig).toMatchObject({
      Binds: ['/host:/b:Z,ro'],
      Mounts: [{ Type: 'volume' }],
    });
  });

  it.each(['host', 'container:abc'])('joins %s without aliases, which the engine would refuse', (network) => {
    const body = containerBody({ ...minimal, network, networkAliases: ['server'] }, false);
    expect(body.HostConfig?.NetworkMode).toBe(network);
    expect(body.NetworkingConfig).toBeUndefined();
  });

  it('joins a network under its aliases', () => {
    const body = containerBody({ ...minimal, network: 'net', networkAliases: ['server'] }, false);
    expect(body.NetworkingConfig?.EndpointsConfig).toEqual({ net: { Aliases: ['server'] } });
  });

  it('opens stdin only when asked, and closes it with us', () => {
    expect(containerBody({ ...minimal, stdin: true }, false)).toMatchObject({
      OpenStdin: true,
      StdinOnce: true,
    });
    expect(containerBody(minimal, false)).not.toHaveProperty('OpenStdin');
  });

  it('leaves out what the image should decide', () => {
    const body = containerBody(minimal, false);
    for (const name of ['Cmd', 'Entrypoint', 'User', 'StopTimeout']) expect(body).not.toHaveProperty(name);
    expect(containerBody({ ...minimal, env: { A: '1=2' } }, false).Env).toEqual(['A=1=2']);
  });
});
