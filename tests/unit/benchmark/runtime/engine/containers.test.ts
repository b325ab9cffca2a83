import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { containerBody } from '../../../../../src/benchmark/runtime/engine/container-body.ts';
import { Containers } from '../../../../../src/benchmark/runtime/engine/containers.ts';
import { httpEngine } from './http-engine.ts';

const PLAIN = { selinux: false };
const minimal = { name: 'n', image: 'mysql:8.4', labels: { a: 'b' } };

describe('containerBody', () => {
  it('mounts a folder as data; where SELinux needs it as text, no path can be more than one', () => {
    const hostConfig = (source: string, selinux: boolean) => {
      const volume = { type: 'volume' as const, source: 'v', target: '/a' };
      const folder = { type: 'bind' as const, source, target: '/b', readOnly: true };
      return containerBody({ ...minimal, mounts: [volume, folder] }, { selinux }).HostConfig;
    };
    expect(hostConfig('/host:/etc:rw', false)).toMatchObject({
      Binds: [],
      Mounts: [
        { Type: 'volume', Source: 'v', Target: '/a', ReadOnly: false },
        { Type: 'bind', Source: '/host:/etc:rw', Target: '/b', ReadOnly: true },
      ],
    });
    const asText = { Binds: ['/host:/b:Z,ro'], Mounts: [{ Type: 'volume' }] };
    expect(hostConfig('/host', true)).toMatchObject(asText);
    expect(() => hostConfig('/host:/etc', true)).toThrow(/colon/);
  });

  it.each(['host', 'container:abc'])('joins %s without aliases, which the engine would refuse', (network) => {
    const body = containerBody({ ...minimal, network, networkAliases: ['server'] }, PLAIN);
    expect(body.HostConfig?.NetworkMode).toBe(network);
    expect(body.NetworkingConfig).toBeUndefined();
  });

  it('limits CPUs and memory only where asked, and leaves to the image what it should decide', () => {
    const limits = { cpus: 1.5, memoryMiB: 512 };
    const HostConfig = { NanoCpus: 1_500_000_000, Memory: 536_870_912 };
    const asked = containerBody({ ...minimal, env: { A: '1=2' }, limits }, PLAIN);
    expect(asked).toMatchObject({ Env: ['A=1=2'], HostConfig });
    const free = containerBody({ ...minimal, limits: { cpus: null, memoryMiB: null } }, PLAIN);
    for (const name of ['Cmd', 'Entrypoint', 'User', 'StopTimeout']) expect(free).not.toHaveProperty(name);
    for (const name of ['NanoCpus', 'Memory']) expect(free.HostConfig).not.toHaveProperty(name);
  });

  it('keeps no-new-privileges from where no program could be started with it', () => {
    const { HostConfig } = containerBody(minimal, { ...PLAIN, noNewPrivileges: false });
    expect(HostConfig).toMatchObject({ CapDrop: ['ALL'] });
    expect(HostConfig).not.toHaveProperty('SecurityOpt');
  });
});

describe('looking for a path', () => {
  const bodySchema = z.object({
    Image: z.string(),
    HostConfig: z.object({ Mounts: z.array(z.object({ Source: z.string() })) }),
  });
  let looksAtMounts = true;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { Image, HostConfig } = bodySchema.parse(JSON.parse(body));
      const source = HostConfig.Mounts[0]?.Source ?? '';
      const isMissing = looksAtMounts && source !== '/there';
      const message = isMissing
        ? `invalid mount config for type "bind": bind source path does not exist: ${source}`
        : `No such image: ${Image}`;
      response.writeHead(isMissing ? 400 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message }));
    });
  });
  const engine = httpEngine(server);

  it.each([
    ['an engine that looks at mounts first, such as Docker', true, true, false],
    ['an engine that looks for the image first, such as Podman', false, undefined, undefined],
  ])('of %s', async (_, first, there, elsewhere) => {
    looksAtMounts = first;
    const containers = new Containers(engine.client(), PLAIN);
    expect(await containers.hasPath('/there')).toBe(there);
    expect(await containers.hasPath('/elsewhere')).toBe(elsewhere);
  });
});

describe('the port of a new container', () => {
  const PortBindings = z.record(z.string(), z.array(z.object({ HostPort: z.string() })));
  const bodySchema = z.object({ HostConfig: z.object({ PortBindings }) });
  let asked: string[] = [];
  const server = createServer((incoming, answer) => {
    void text(incoming).then((body) => {
      const { HostConfig } = bodySchema.parse(JSON.parse(body));
      asked = Object.values(HostConfig.PortBindings).flatMap((all) => all.map(({ HostPort }) => HostPort));
      answer.writeHead(201, { 'Content-Type': 'application/json' }).end('{"Id":"c"}');
    });
  });
  const engine = httpEngine(server);

  it.each([
    ['the engine picks', { vm: false, remote: false }, /^$/],
    ['is free on this machine, unknown to an engine in a VM', { vm: true, remote: false }, /^\d+$/],
    ['another machine picks', { vm: true, remote: true }, /^$/],
  ])('%s', async (_, traits, expected) => {
    const containers = new Containers(engine.client(), { ...PLAIN, ...traits });
    await containers.create({ ...minimal, publish: [3306] });
    expect(asked).toEqual([expect.stringMatching(expected)]);
  });
});
