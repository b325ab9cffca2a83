import { describe, expect, it } from 'vitest';
import { wizardSupport } from '../../../../src/benchmark/plan/wizard-support.ts';
import type { Engines } from '../../../../src/benchmark/runtime/container-runtime.ts';
import { mismatch } from '../../../../src/shared/model/cells.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { makePassport } from '../../plan-builder.ts';

const ASKED = {
  image: 'mysql:8.4',
  nativeBinary: '/does/not/exist/mysqld',
} as const;

describe('what the wizard may offer', () => {
  it('is the support matrix of the runtime, with what only looking can tell', async () => {
    const runtime = new FakeRuntime(
      makePassport({ kind: 'docker-desktop', vm: true, hostNetworking: false }),
    );
    runtime.swarm.current = { ...runtime.swarm.current, liveRestore: true };
    const refused = await wizardSupport({ engines: [runtime] }, ASKED);
    const reason = (storage: string, path: string): string | undefined =>
      refused.find((one) => one.storage === storage && one.path === path)?.reason.code;
    expect(reason('named-volume', 'published-port')).toBeUndefined();
    expect(reason('named-volume', 'host-network')).toBe('support.desktopHostNetwork');
    expect(reason('tmpfs', 'container-ip')).toBe('support.vmContainerIp');
    expect(reason('named-volume', 'overlay')).toBe('swarm.liveRestore');
    expect(reason('container-layer', 'ingress')).toBe('support.meshStorage');
    expect(reason('native', 'loopback')).toBe('native.program');
    // Pairs that never go together aren't among them.
    expect(refused.filter((cell) => mismatch(cell) !== undefined)).toEqual([]);
  });

  it('has the overlay from another node where an engine for the client is named', async () => {
    const [runtime, client] = [new FakeRuntime(), new FakeRuntime()];
    runtime.swarm.join();
    runtime.swarm.addNode('node-2');
    client.swarm.current = { ...runtime.swarm.current, manager: false, nodeId: 'node-2' };
    const reasonWith = async (engines: Engines) =>
      (await wizardSupport(engines, ASKED)).find(({ path }) => path === 'overlay-other-node')?.reason;
    expect(await reasonWith({ engines: [runtime] })).toMatchObject({ code: 'swarm.noClientEngine' });
    expect(await reasonWith({ engines: [runtime], client })).toBeUndefined();
  });
});
