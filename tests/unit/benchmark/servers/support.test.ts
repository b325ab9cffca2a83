import { describe, expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { type Message } from '../../../../src/shared/message.ts';
import { unsupportedReason } from '../../../../src/benchmark/servers/support.ts';
import type { SupportFacts } from '../../../../src/shared/kinds/kind.ts';
import type { PathKind } from '../../../../src/shared/kinds/paths.ts';
import { CONTAINER_PATHS } from '../../../../src/shared/model/cells.ts';
import type { LoadGenerator } from '../../../../src/shared/model/names.ts';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import type { StorageSpec } from '../../../../src/shared/model/server-spec.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';
import { makePassport } from '../../plan-builder.ts';

const NATIVE = {};
const DESKTOP = { kind: 'docker-desktop', vm: true, hostNetworking: false } as const;
const DESKTOP_HOST = { kind: 'docker-desktop', vm: true, hostNetworking: true } as const;
const ORBSTACK = { kind: 'orbstack', vm: true, hostNetworking: true } as const;
const COLIMA = { kind: 'colima', vm: true, hostNetworking: false } as const;
const USERNS = { userns: true, hostNetworking: false } as const;
const ROOTLESS = { kind: 'docker-rootless', rootless: true, hostNetworking: false } as const;
const PODMAN = { kind: 'podman' } as const;
const REMOTE = { remote: true } as const;

function reason(
  runtime: Partial<Passport['runtime']>,
  path: PathKind,
  {
    storage = { kind: 'named-volume' },
    loadGenerator = 'builtin',
    facts = {},
    kind = 'oltp_read_write',
  }: {
    storage?: StorageSpec;
    loadGenerator?: LoadGenerator;
    facts?: SupportFacts;
    kind?: string;
  } = {},
): Message | undefined {
  const workload = workloadSchema.parse({ kind });
  return unsupportedReason(makePassport(runtime), { storage, path, loadGenerator, workload }, facts);
}

describe('the support matrix', () => {
  const SWARM = ['overlay', 'overlay-other-node', 'ingress'] as const;
  const all = (code: string, paths: readonly PathKind[]) =>
    Object.fromEntries(paths.map((path) => [path, code]));

  it.each<[string, Partial<Passport['runtime']>, Partial<Record<PathKind, string>>]>([
    ['a native engine', NATIVE, {}],
    [
      'Docker Desktop',
      DESKTOP,
      { 'host-network': 'support.desktopHostNetwork', 'container-ip': 'support.vmContainerIp' },
    ],
    ['Docker Desktop with host networking', DESKTOP_HOST, { 'container-ip': 'support.vmContainerIp' }],
    ['OrbStack, which routes container addresses', ORBSTACK, {}],
    ['Colima', COLIMA, { 'host-network': 'support.vmHostNetwork', 'container-ip': 'support.vmContainerIp' }],
    ['an engine with user namespaces', USERNS, { 'host-network': 'support.usernsHostNetwork' }],
    [
      'a rootless engine',
      ROOTLESS,
      {
        'host-network': 'support.rootlessHostNetwork',
        'container-ip': 'support.rootlessContainerIp',
        ...all('support.rootlessOverlay', SWARM),
      },
    ],
    ['Podman', PODMAN, all('support.podmanSwarm', SWARM)],
    [
      'an engine elsewhere',
      REMOTE,
      {
        'published-port': 'support.remotePort',
        'host-network': 'support.remoteHostNetwork',
        'container-ip': 'support.remoteContainerIp',
        ingress: 'support.remotePort',
      },
    ],
  ])('of %s has every path but those that it refuses, with the reason', (_, runtime, expected) => {
    const refused = CONTAINER_PATHS.flatMap((path) => {
      const message = reason(runtime, path);
      return message === undefined ? [] : [[path, message.code]];
    });
    expect(Object.fromEntries(refused)).toEqual(expected);
  });

  it('passes on what only looking could tell', () => {
    const found = plain('found out');
    expect(reason(NATIVE, 'ingress', { facts: { ingress: found } })).toBe(found);
    expect(reason(NATIVE, 'overlay', { facts: { swarm: found } })).toBe(found);
    const oneNode = { facts: { clientEngine: found } };
    expect(reason(NATIVE, 'overlay', oneNode)).toBeUndefined();
    expect(reason(NATIVE, 'overlay-other-node', oneNode)).toBe(found);
    expect(reason(NATIVE, 'overlay-other-node', { facts: { swarm: plain('no swarm') } })).toEqual(
      plain('no swarm'),
    );
    const native = { storage: { kind: 'native' } as const, facts: { native: found } };
    expect(reason(NATIVE, 'loopback', native)).toBe(found);
  });

  it('leads the routing mesh only to storages that a service can have', () => {
    const ingress = (kind: StorageSpec['kind'], selinux = false) =>
      reason({ selinux }, 'ingress', { storage: { kind } });
    expect(ingress('named-volume')).toBeUndefined();
    expect(ingress('container-layer')).toMatchObject({ code: 'support.meshStorage' });
    expect(ingress('bind-mount', true)).toMatchObject({ code: 'support.meshSelinux' });
  });

  it('keeps folders and servers of this machine from an engine elsewhere', () => {
    expect(reason(REMOTE, 'user-bridge', { storage: { kind: 'bind-mount' } })).toMatchObject({
      code: 'support.remoteFolder',
    });
    expect(reason(REMOTE, 'loopback', { storage: { kind: 'native' } })).toMatchObject({
      code: 'support.remoteNative',
    });
    expect(reason(REMOTE, 'user-bridge')).toBeUndefined();
  });

  it('keeps folders of this machine from an engine whose containers run as other users', () => {
    expect(reason(USERNS, 'user-bridge', { storage: { kind: 'bind-mount' } })).toMatchObject({
      code: 'support.usernsFolder',
    });
    expect(reason(USERNS, 'user-bridge')).toBeUndefined();
  });

  it('lets sysbench stand in for a client of the host only where a container can', () => {
    expect(reason(NATIVE, 'published-port', { loadGenerator: 'sysbench' })).toBeUndefined();
    expect(reason(DESKTOP, 'published-port', { loadGenerator: 'sysbench' })).toMatchObject({
      code: 'support.sysbenchNeedsHost',
    });
    expect(reason(DESKTOP, 'user-bridge', { loadGenerator: 'sysbench' })).toBeUndefined();
    expect(reason(NATIVE, 'user-bridge', { loadGenerator: 'sysbench', kind: 'tpcc' })).toBeDefined();
    expect(reason(NATIVE, 'user-bridge', { loadGenerator: 'sysbench', kind: 'oltp_complex' })).toBeDefined();
  });
});
