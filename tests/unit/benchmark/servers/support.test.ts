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

interface Circumstances {
  storage?: StorageSpec;
  loadGenerator?: LoadGenerator;
  facts?: SupportFacts;
  kind?: string;
}

function reason(
  runtime: Partial<Passport['runtime']>,
  path: PathKind,
  { storage = { kind: 'named-volume' }, loadGenerator = 'builtin', facts = {}, kind }: Circumstances = {},
): Message | undefined {
  const workload = workloadSchema.parse({ kind: kind ?? 'oltp_read_write' });
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

  const SYSBENCH = { loadGenerator: 'sysbench' } as const;
  const on = (kind: StorageSpec['kind']): Circumstances => ({ storage: { kind } as StorageSpec });

  it.each<[string, Partial<Passport['runtime']>, PathKind, Circumstances, string | undefined]>([
    ['the routing mesh to a volume', NATIVE, 'ingress', on('named-volume'), undefined],
    ['the mesh to what no service can have', NATIVE, 'ingress', on('container-layer'), 'support.meshStorage'],
    ['the mesh to a relabeled folder', { selinux: true }, 'ingress', on('bind-mount'), 'support.meshSelinux'],
    ['a folder for an engine elsewhere', REMOTE, 'user-bridge', on('bind-mount'), 'support.remoteFolder'],
    ['a server beside an engine elsewhere', REMOTE, 'loopback', on('native'), 'support.remoteNative'],
    ['a volume of an engine elsewhere', REMOTE, 'user-bridge', {}, undefined],
    ['a folder for other users', USERNS, 'user-bridge', on('bind-mount'), 'support.usernsFolder'],
    ['a volume for other users', USERNS, 'user-bridge', {}, undefined],
    ['sysbench for a client of the host', NATIVE, 'published-port', SYSBENCH, undefined],
    ['sysbench in a VM for one', DESKTOP, 'published-port', SYSBENCH, 'support.sysbenchNeedsHost'],
    ['sysbench beside the server', DESKTOP, 'user-bridge', SYSBENCH, undefined],
    ['sysbench with TPC-C', NATIVE, 'user-bridge', { ...SYSBENCH, kind: 'tpcc' }, 'support.sysbenchTpcc'],
  ])('decides on %s', (_, runtime, path, circumstances, code) => {
    expect(reason(runtime, path, circumstances)?.code).toBe(code);
  });
});
