import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Message } from '../../../../src/shared/message.ts';
import { chooseNode, routingMeshReason } from '../../../../src/benchmark/servers/swarm.ts';
import { swarmFacts } from '../../../../src/benchmark/plan/plan-facts.ts';
import { makePassport } from '../../plan-builder.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const KERNEL = '6.8.0-60-generic';
const MODULES = `/lib/modules/${KERNEL}`;
const native = makePassport({ kernel: KERNEL });
const NO_FILES = (): undefined => undefined;

/** A machine by its files. */
function reason(files: Record<string, string | Buffer>, passport = native): Message | undefined {
  return routingMeshReason(passport, (path) => {
    const content = files[path];
    return content === undefined ? undefined : Buffer.from(content);
  });
}

describe('whether a kernel can carry the routing mesh', () => {
  const config = (line: string): Buffer => gzipSync(`CONFIG_NET=y\n${line}\n`);
  const without = '# CONFIG_IP_VS is not set';
  const dep = 'kernel/net/netfilter/xt_ipvs.ko: kernel/net/netfilter/x_tables.ko\n';
  const ipvs = 'kernel/net/netfilter/ipvs/ip_vs.ko.zst: kernel/net/netfilter/nf_conntrack.ko.zst\n';

  it.each([
    ['it is loaded', { '/proc/net/ip_vs': '' }],
    ['it is built in', { [`${MODULES}/modules.builtin`]: 'kernel/net/netfilter/ipvs/ip_vs.ko\n' }],
    ['it can be loaded', { [`${MODULES}/modules.dep`]: dep + ipvs }],
    ['the configuration has it', { '/proc/config.gz': config('CONFIG_IP_VS=y') }],
    ['it may be out of sight, as in a container', { '/proc/config.gz': config('CONFIG_IP_VS=m') }],
    ['nothing can be seen', {}],
    ['the configuration is cut off', { '/proc/config.gz': gzipSync('CONFIG_X=y\n') }],
    ['only one of the two lists is there', { [`${MODULES}/modules.dep`]: dep }],
  ])('is not denied when %s', (_, files) => {
    expect(reason(files)).toBeUndefined();
  });

  it.each([
    ['the running kernel was built without', { '/proc/config.gz': config(without) }, 'swarm.noIpvs'],
    [
      'its configuration on disk says so',
      { [`/boot/config-${KERNEL}`]: `CONFIG_NET=y\n${without}\n` },
      'swarm.noIpvs',
    ],
    [
      'its module is not installed',
      {
        '/proc/config.gz': config('CONFIG_IP_VS=m'),
        [`${MODULES}/modules.dep`]: dep,
        [`${MODULES}/modules.builtin`]: 'kernel/fs/ext4/ext4.ko\n',
      },
      'swarm.ipvsMissing',
    ],
  ])('is denied when %s', (_, files, code) => {
    expect(reason(files)).toMatchObject({ code });
  });

  it('is left open for an engine whose kernel is not the one that can be looked at', () => {
    const files = { '/proc/config.gz': config(without) };
    for (const runtime of [{ vm: true }, { remote: true }, { kernel: '6.6.87-linuxkit' }]) {
      expect(reason(files, makePassport({ kernel: KERNEL, ...runtime }))).toBeUndefined();
    }
  });
});

describe('what a plan can do with swarms', () => {
  const facts = (runtime: FakeRuntime, nodes: string[] = [], ingress = false) =>
    swarmFacts(runtime, { ingress, nodes }, NO_FILES);

  it('asks for consent where there is no swarm, which then has one node', async () => {
    const runtime = new FakeRuntime();
    const { facts: found, consents } = await facts(runtime, ['other']);
    expect(found.swarm).toBeUndefined();
    expect(found.clientNodes?.['other']).toMatchObject({ code: 'swarm.oneNode' });
    expect(consents).toMatchObject([{ consent: 'swarm', message: { code: 'consent.swarm' } }]);
    expect((await facts(runtime, [], true)).consents).toMatchObject([
      { message: { code: 'consent.swarmOpenPort' } },
    ]);
    expect(runtime.calls).toEqual([]);
  });

  it('asks for another consent where the engine is in a swarm, whose nodes all open a port', async () => {
    const runtime = new FakeRuntime();
    runtime.swarm.join();
    const found = await facts(runtime);
    expect(found).toMatchObject({ facts: { clientNodes: {} }, consents: [{ consent: 'existing-swarm' }] });
    expect(found.consents[0]?.message.code).toBe('consent.existingSwarm');
    expect((await facts(runtime, [], true)).consents[0]?.message.code).toBe('consent.existingSwarmOpenPort');
  });

  it.each([
    [{ state: 'active', manager: false }, 'swarm.notManager'],
    [{ state: 'locked' }, 'swarm.locked'],
    [{ state: 'pending' }, 'swarm.broken'],
    [{ state: 'error' }, 'swarm.broken'],
    [{ state: 'inactive', liveRestore: true }, 'swarm.liveRestore'],
  ] as const)('has none when the engine is %o, and asks for nothing', async (state, code) => {
    const runtime = new FakeRuntime();
    runtime.swarm.current = { ...runtime.swarm.current, ...state };
    const { facts: found, consents } = await facts(runtime, ['other'], true);
    expect(found.swarm).toMatchObject({ code });
    expect(consents).toEqual([]);
  });

  it('finds the node for a client, or counts those that are there without naming one', async () => {
    const runtime = new FakeRuntime();
    runtime.swarm.join();
    runtime.swarm.members.push({ id: 'node-2', hostName: 'rack-7', usable: false });
    const wanted = ['other', 'rack-7', 'rack-8', 'first'];
    const found = (await facts(runtime, wanted)).facts.clientNodes;
    expect(Object.keys(found ?? {})).toEqual(['other', 'rack-7', 'rack-8']);
    for (const { params } of Object.values(found ?? {})) {
      expect(params).toMatchObject({ counted: { params: { count: 2, ready: 1 } } });
    }
    expect(JSON.stringify(Object.values(found ?? {}))).not.toMatch(/rack|first/);

    runtime.swarm.members.push({ id: 'node-3', hostName: 'rack-8', usable: true });
    expect(Object.keys((await facts(runtime, wanted)).facts.clientNodes ?? {})).toEqual(['rack-7']);
    expect(chooseNode('other', runtime.swarm.members, 'node-1')?.id).toBe('node-3');
    expect(chooseNode('first', runtime.swarm.members, 'node-1')?.id).toBe('node-1');
  });
});
