import { describe, expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { type Message } from '../../../../src/shared/message.ts';
import { unsupportedReason } from '../../../../src/benchmark/servers/support.ts';
import type { SupportFacts } from '../../../../src/shared/kinds/kind.ts';
import type { PathKind } from '../../../../src/shared/kinds/paths.ts';
import { CONTAINER_PATHS } from '../../../../src/shared/model/cells.ts';
import { PATH_KINDS, type LoadGenerator } from '../../../../src/shared/model/names.ts';
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
  const runs = (runtime: Partial<Passport['runtime']>): PathKind[] =>
    CONTAINER_PATHS.filter((path) => reason(runtime, path) === undefined);
  const IN_CONTAINERS: PathKind[] = ['user-bridge', 'shared-netns', 'unix-socket'];
  const OVERLAYS: PathKind[] = ['overlay', 'overlay-other-node'];

  it('has every path on a native engine', () => {
    expect(runs(NATIVE)).toEqual(CONTAINER_PATHS);
  });

  it.each([
    ['Docker Desktop', DESKTOP, ['published-port', ...IN_CONTAINERS, ...OVERLAYS, 'ingress']],
    [
      'Docker Desktop with host networking',
      DESKTOP_HOST,
      ['published-port', 'host-network', ...IN_CONTAINERS, ...OVERLAYS, 'ingress'],
    ],
    [
      'OrbStack, which routes container addresses',
      ORBSTACK,
      ['published-port', 'host-network', 'container-ip', ...IN_CONTAINERS, ...OVERLAYS, 'ingress'],
    ],
    ['a rootless engine', ROOTLESS, ['published-port', ...IN_CONTAINERS]],
    ['Podman', PODMAN, ['published-port', 'host-network', 'container-ip', ...IN_CONTAINERS]],
    ['an engine elsewhere', REMOTE, [...IN_CONTAINERS, ...OVERLAYS]],
  ] as const)('of %s', (_, runtime, expected) => {
    expect(runs(runtime)).toEqual(
      PATH_KINDS.filter((path) => (expected as readonly string[]).includes(path)),
    );
  });

  it.each([
    [DESKTOP, 'host-network', 'support.desktopHostNetwork'],
    [COLIMA, 'host-network', 'support.vmHostNetwork'],
    [ROOTLESS, 'host-network', 'support.rootlessHostNetwork'],
    [USERNS, 'host-network', 'support.usernsHostNetwork'],
    [COLIMA, 'container-ip', 'support.vmContainerIp'],
    [ROOTLESS, 'container-ip', 'support.rootlessContainerIp'],
    [ROOTLESS, 'overlay', 'support.rootlessOverlay'],
    [PODMAN, 'overlay', 'support.podmanSwarm'],
    [REMOTE, 'published-port', 'support.remotePort'],
    [REMOTE, 'host-network', 'support.remoteHostNetwork'],
    [REMOTE, 'container-ip', 'support.remoteContainerIp'],
  ] as const)('says why (%o, %s)', (runtime, path, code) => {
    expect(reason(runtime, path)).toMatchObject({ code });
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
