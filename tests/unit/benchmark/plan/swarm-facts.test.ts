import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Message } from '../../../../src/shared/message.ts';
import { routingMeshReason } from '../../../../src/benchmark/servers/swarm.ts';
import { NODE_IMAGE } from '../../../../src/benchmark/load/client-image.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { swarmFacts } from '../../../../src/benchmark/plan/plan-facts.ts';
import { presetOfPlan } from '../../../../src/shared/preset/preset-of-plan.ts';
import type { FindEngines } from '../../../../src/benchmark/service.ts';
import { testWhalemark } from '../../whalemark.ts';
import { makePassport } from '../../plan-builder.ts';
import { mysqlEngine, planned, presetWith } from '../../planned.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const KERNEL = '6.8.0-60-generic';
const MODULES = `/lib/modules/${KERNEL}`;
const native = makePassport({ kernel: KERNEL });
const NO_FILES = (): undefined => undefined;

/** The reason on a machine with these files. */
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
  const facts = (
    runtime: FakeRuntime,
    needs: { ingress?: boolean; otherNode?: boolean; client?: FakeRuntime } = {},
  ) => swarmFacts(runtime, { ingress: false, otherNode: false, ...needs }, NO_FILES);

  it.each([
    ['no swarm, which then has one node', false, 'swarm', 'consent.swarm'],
    ['a swarm, whose nodes all open a port', true, 'existing-swarm', 'consent.existingSwarm'],
  ])('asks for the consent to use %s', async (_, isInSwarm, consent, code) => {
    const [runtime, client] = [new FakeRuntime(), new FakeRuntime()];
    if (isInSwarm) runtime.swarm.join();
    client.swarm.join();
    const found = await facts(runtime, { otherNode: true, client });
    expect(found).toMatchObject({
      facts: { clientEngine: { code: 'swarm.notAnotherNode' } },
      consents: [{ consent, message: { code } }],
    });
    expect(found.facts.swarm).toBeUndefined();
    expect((await facts(runtime, { ingress: true })).consents).toMatchObject([
      { consent, message: { code: `${code}OpenPort` } },
    ]);
    expect(runtime.calls).toEqual([]);
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
    const { facts: found, consents } = await facts(runtime, { otherNode: true, ingress: true });
    expect(found.swarm).toMatchObject({ code });
    expect(consents).toEqual([]);
  });

  it.each([
    ['nobody named', undefined, true, 'swarm.noClientEngine'],
    ['which is the engine itself', 'node-1', true, 'swarm.notAnotherNode'],
    ['of another swarm', 'node-9', true, 'swarm.notAnotherNode'],
    ['which is drained', 'node-2', false, 'swarm.notAnotherNode'],
    ['which is a node of the swarm', 'node-2', true, undefined],
  ])('has an engine for the client %s', async (_, nodeId, usable, code) => {
    const runtime = new FakeRuntime();
    runtime.swarm.join();
    runtime.swarm.addNode('node-2', usable);
    const client = new FakeRuntime();
    client.swarm.current = { ...runtime.swarm.current, manager: false, nodeId: nodeId ?? '' };
    const needs = { otherNode: true, ...(nodeId === undefined ? {} : { client }) };
    expect((await facts(runtime, needs)).facts.clientEngine?.code).toBe(code);
  });
});

describe('a plan with a client on another node', () => {
  const preset = presetWith({
    grid: { storages: ['named-volume'], paths: ['overlay', 'overlay-other-node'] },
    baseline: 'named-volume.overlay',
  });
  const engines = () => {
    const runtime = mysqlEngine();
    runtime.swarm.join();
    runtime.swarm.addNode('node-2');
    const client = Object.assign(new FakeRuntime(), { id: 'context:worker' });
    client.swarm.current = { ...runtime.swarm.current, manager: false, nodeId: 'node-2' };
    return { runtime, client };
  };

  it('names its engine, asks for a confirmation, and prepares its image there', async () => {
    const { runtime, client } = engines();
    const plan = await planned(preset, runtime, { client });
    expect(plan.excluded).toEqual([]);
    expect(plan.clientEngine).toEqual({ runtimeId: 'context:worker', passport: client.passport });
    expect(plan.consents.map(({ consent }) => consent)).toEqual(['existing-swarm', 'engine:worker']);
    for (const one of [runtime, client]) expect(one.calls).toContain(`probeRegistry ${NODE_IMAGE}`);
    expect(presetOfPlan(plan)?.preset.clientEngine).toBe('context:worker');
  });

  it('looks for its engine only where a path needs it', async () => {
    const { runtime, client } = engines();
    const asked: unknown[] = [];
    const find: FindEngines = (...wanted) => {
      asked.push(wanted);
      return Promise.resolve({ engines: [runtime], client });
    };
    for (const paths of [['overlay', 'overlay-other-node'], ['overlay']]) {
      const own = presetWith({ ...preset, clientEngine: 'worker', grid: { ...preset.grid, paths } });
      await testWhalemark().plan(own, {}, find);
    }
    expect(asked).toEqual([
      [undefined, 'worker'],
      [undefined, undefined],
    ]);
  });

  it('leaves it out where it can’t be, and says why', async () => {
    const { runtime, client } = engines();
    const reasonOf = async (given: Parameters<typeof planned>[2]) => {
      const { excluded, clientEngine, consents } = await planned(preset, runtime, given);
      expect(clientEngine).toBeNull();
      expect(consents.map(({ consent }) => consent)).toEqual(['existing-swarm']);
      return excluded.map(({ path, reason: { code } }) => [path, code]);
    };
    expect(await reasonOf({})).toEqual([['overlay-other-node', 'swarm.noClientEngine']]);
    const missing = new BenchmarkError('IMAGE_NOT_FOUND', { image: NODE_IMAGE, reason: 'no' });
    client.failing.set(`probeRegistry ${NODE_IMAGE}`, missing);
    expect(await reasonOf({ client })).toMatchObject([['overlay-other-node', expect.anything()]]);
  });
});
