import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ownOwner } from '../../../src/benchmark/host/owner.ts';
import { clientImage } from '../load/sysbench-command.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { createLabels, OWNER_LABEL, ROLE_LABEL, RUN_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../src/benchmark/runtime/sweep.ts';
import { Cleanup } from '../../../src/benchmark/run/cleanup.ts';
import { startSession } from '../../../src/benchmark/run/session.ts';
import { startNodeClient } from '../../../src/benchmark/run/swarm/swarm-client.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { installation, leftOf, realRuntime, runPlan, smallPlan, temporaryHome } from '../helpers/bench.ts';
import { docker } from '../helpers/docker-server.ts';
import { startSecondEngine } from '../helpers/second-engine.ts';
import { englishOf } from '../../../src/shared/message.ts';

const SHORT = { rounds: 1, warmupSeconds: 0, durationSeconds: 1 };
const LABELS = `{{.Label "${RUN_LABEL}"}} {{.Label "${ROLE_LABEL}"}}`;
/** What every trial came to. */
const outcomes = ({ trials }: RunState): string[] =>
  trials.map(({ status, error }) =>
    error === null
      ? status
      : [`${error.code}: ${error.message}`, ...error.evidence.map(englishOf)].join('\n'),
  );

describe('swarms on the real engine', () => {
  let runtime: ContainerRuntime;
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  /** Networks that only swarms need, as they were before. */
  const swarmNetworks = async (): Promise<string[]> =>
    (await docker('network', 'ls', '--format', '{{.Name}}'))
      .split('\n')
      .filter((name) => name === 'docker_gwbridge' || name === 'ingress');
  let networksBefore: string[];
  const expectNoSwarm = async (): Promise<void> => {
    expect((await runtime.swarm.state()).state).toBe('inactive');
    expect(await swarmNetworks()).toEqual(networksBefore);
  };

  beforeAll(async () => {
    runtime = await realRuntime();
    home = await temporaryHome();
    networksBefore = await swarmNetworks();
    await expectNoSwarm();
  });
  afterEach(expectNoSwarm);
  afterAll(() => home.remove());

  it('starts a swarm with consent only, measures the overlay, and leaves nothing', async () => {
    const plan = await smallPlan(runtime, {
      scenarios: [
        { storage: 'named-volume', path: 'overlay', id: 'near' },
        { storage: 'named-volume', path: 'overlay', clientNode: 'other', id: 'far' },
      ],
      baseline: 'near',
      schedule: SHORT,
    });
    expect(plan.consents.map(({ consent }) => consent)).toEqual(['swarm']);
    expect(plan.excluded).toMatchObject([{ id: 'far', reason: { code: 'swarm.oneNode' } }]);
    await expect(
      startSession(plan, runtime, await installation(home.dataDir), () => undefined),
    ).rejects.toMatchObject({ code: 'CONSENT_MISSING' });
    await expectNoSwarm();
    const { state } = await runPlan(plan, runtime, home.dataDir);
    expect(outcomes(state)).toEqual(['measured']);
    expect(state.notices.map(({ code }) => code)).not.toContain('CLEANUP_INCOMPLETE');
    expect(await leftOf(runtime, state.runId)).toEqual([]);
  });

  it('sweeps the swarm of a dead run, unless somebody else uses it', async () => {
    const [machine = '', , startTime = ''] = ownOwner().split('.');
    const runId = `test-swarm-${process.pid}`;
    const labels = {
      ...createLabels({ runId, appVersion: '0', role: 'swarm' }),
      [OWNER_LABEL]: `${machine}.${spawnSync('true').pid}.${startTime}`,
    };
    const ours = Object.create(runtime, {
      listOwned: { value: () => leftOf(runtime, runId) },
    }) as ContainerRuntime;
    await runtime.swarm.init(labels);
    try {
      await runtime.networks.create(`whalemark-${runId}-overlay`, labels, 'overlay');
      await runtime.swarm.createFile('config', `whalemark-${runId}-part0`, Buffer.from('x'), labels);
      await docker('network', 'create', '--driver', 'overlay', 'whalemark-test-somebody');
      const first = await sweepLeftovers(ours);
      expect(first.removed.map(({ kind }) => kind)).toEqual(['config', 'network']);
      expect(first.remaining.map(({ kind }) => kind)).toEqual(['swarm']);
      await docker('network', 'rm', 'whalemark-test-somebody');
      const second = await sweepLeftovers(ours);
      expect(second).toMatchObject({ removed: [{ kind: 'swarm' }], remaining: [], failed: [] });
    } finally {
      await docker('network', 'rm', 'whalemark-test-somebody').catch(() => undefined);
      await runtime.swarm.leave(runId);
    }
  });

  it(
    'measures from another node, names what is missing there, and leaves the user’s swarm alone',
    { tags: ['full'] },
    async () => {
      const image = await clientImage('builtin');
      const second = await startSecondEngine();
      try {
        await docker('swarm', 'init', '--advertise-addr', second.address, '--listen-addr', second.address);
        await second.join();
        const plan = await smallPlan(runtime, {
          scenarios: [
            { storage: 'named-volume', path: 'overlay', id: 'near' },
            { storage: 'named-volume', path: 'overlay', clientNode: 'other', id: 'far' },
          ],
          baseline: 'near',
          schedule: SHORT,
        });
        expect(plan.excluded).toEqual([]);
        expect(plan.consents.map(({ consent }) => consent)).toEqual(['existing-swarm']);

        await expectMissingImage(image);
        await second.load(image);
        const clients: Promise<string>[] = [];
        const { state } = await runPlan(plan, runtime, home.dataDir, {
          onEvent: (event) => {
            if (event.type !== 'trial-phase' || event.phase !== 'measure') return;
            if (event.trialId.includes('far')) clients.push(second.docker('ps', '--format', LABELS));
          },
        });
        expect(outcomes(state)).toEqual(['measured', 'measured']);
        // Its client was a container of the other engine while it was measured.
        expect(await Promise.all(clients)).toEqual([`${state.runId} client`]);
        expect(await leftOf(runtime, state.runId)).toEqual([]);
        // The manager knows that the task is gone; the other node takes its container away behind that.
        await vi.waitFor(async () => expect(await second.docker('ps', '--all', '--quiet')).toBe(''), 30_000);
        expect((await runtime.swarm.state()).state).toBe('active');
      } finally {
        await docker('swarm', 'leave', '--force').catch(() => undefined);
        if (!networksBefore.includes('docker_gwbridge')) {
          await docker('network', 'rm', 'docker_gwbridge').catch(() => undefined);
        }
        await second.remove();
      }
    },
  );

  /** A client whose image is not on the other node. */
  async function expectMissingImage(image: string): Promise<void> {
    const runId = `test-node-${process.pid}`;
    const prefix = `whalemark-${runId}`;
    const labels = (role: string) => createLabels({ runId, appVersion: '0', role });
    const cleanup = new Cleanup();
    const overlay = `${prefix}-overlay`;
    const network = await runtime.networks.create(overlay, labels('network'), 'overlay');
    cleanup.add('network', () => runtime.networks.remove(network));
    const { clientFile } = await installation(home.dataDir);
    const context = { runtime, clientFile, hide: () => undefined, signal: new AbortController().signal };
    const kit = { image, prefix, labels, networks: { bridge: '', overlay } };
    const started = startNodeClient(context, kit, 'other', 1, cleanup);
    await expect(started).rejects.toMatchObject({ code: 'CLIENT_IMAGE_MISSING_ON_NODE' });
    expect(await cleanup.run()).toEqual([]);
    expect(await leftOf(runtime, runId)).toEqual([]);
  }
});
