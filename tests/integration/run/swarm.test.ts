import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deadOwner } from '../../helpers/owners.ts';
import { clientImage } from '../load/sysbench-command.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { thisMachine } from '../../../src/benchmark/runtime/discovery/surroundings.ts';
import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { createLabels, OWNER_LABEL, ROLE_LABEL, RUN_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../src/benchmark/runtime/sweep.ts';
import { startSession } from '../../../src/benchmark/run/session.ts';
import type { Plan } from '../../../src/shared/model/plan.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';
import { installation, leftOf, realRuntime, runPlan, smallPlan, temporaryHome } from '../helpers/bench.ts';
import { docker } from '../helpers/docker-server.ts';
import { startSecondEngine } from '../helpers/second-engine.ts';
import { englishOf } from '../../../src/shared/message.ts';

const SHORT = { rounds: 1, warmupSeconds: 0, durationSeconds: 1 };
const LABELS = `{{.Label "${RUN_LABEL}"}} {{.Label "${ROLE_LABEL}"}}`;
/** The outcome of each trial. */
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
        { storage: 'named-volume', path: 'overlay-other-node', id: 'far' },
      ],
      baseline: 'near',
      schedule: SHORT,
    });
    expect(plan.consents.map(({ consent }) => consent)).toEqual(['swarm']);
    expect(plan.excluded).toMatchObject([{ id: 'far', reason: { code: 'swarm.noClientEngine' } }]);
    await expect(
      startSession(plan, { engines: [runtime] }, await installation(home.dataDir), () => undefined),
    ).rejects.toMatchObject({ code: 'CONSENT_MISSING' });
    await expectNoSwarm();
    const { state } = await runPlan(plan, runtime, home.dataDir);
    expect(outcomes(state)).toEqual(['measured']);
    expect(state.notices.map(({ code }) => code)).not.toContain('CLEANUP_INCOMPLETE');
    expect(await leftOf(runtime, state.runId)).toEqual([]);
  });

  it('sweeps the swarm of a dead run, unless somebody else uses it', async () => {
    const runId = `test-swarm-${process.pid}`;
    const labels = {
      ...createLabels({ runId, appVersion: '0', role: 'swarm' }),
      [OWNER_LABEL]: deadOwner(),
    };
    const ours = Object.create(runtime, {
      listOwned: { value: () => leftOf(runtime, runId) },
    }) as ContainerRuntime;
    await runtime.swarm.init(labels);
    try {
      await runtime.networks.create(`whalemark-${runId}-overlay`, labels, 'overlay');
      await docker('network', 'create', '--driver', 'overlay', 'whalemark-test-somebody');
      const first = await sweepLeftovers(ours);
      expect(first.removed.map(({ kind }) => kind)).toEqual(['network']);
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
    'measures from another node by its engine, and leaves the user’s swarm alone',
    { tags: ['full'] },
    async () => {
      const second = await startSecondEngine();
      try {
        const surroundings = { ...thisMachine(), env: { ...process.env, DOCKER_HOST: second.endpoint } };
        const client = connectRuntime(await discoverRuntimes({ surroundings }), undefined, surroundings);
        const planned = (): Promise<Plan> =>
          smallPlan(
            runtime,
            {
              scenarios: [
                { storage: 'named-volume', path: 'overlay', id: 'near' },
                { storage: 'named-volume', path: 'overlay-other-node', id: 'far' },
              ],
              baseline: 'near',
              schedule: SHORT,
            },
            { client },
          );
        const reasonsNow = async () =>
          (await planned()).excluded.map(({ id, reason: { code } }) => [id, code]);

        await docker('swarm', 'init', '--advertise-addr', second.address, '--listen-addr', second.address);
        expect(await reasonsNow()).toEqual([['far', 'swarm.notAnotherNode']]);
        await second.join();
        // The client's image can't be had there.
        expect((await reasonsNow()).map(([id]) => id)).toEqual(['far']);
        await second.load(await clientImage('builtin'));
        const plan = await planned();
        expect(plan.excluded).toEqual([]);
        expect(plan.consents.map(({ consent }) => consent)).toEqual(['existing-swarm', 'engine:DOCKER_HOST']);

        const clients: Promise<string>[] = [];
        const { state } = await runPlan(plan, runtime, home.dataDir, {
          client,
          onEvent: (event) => {
            if (event.type !== 'trial-phase' || event.phase !== 'measure') return;
            if (event.trialId.includes('far')) clients.push(second.docker('ps', '--format', LABELS));
          },
        });
        expect(outcomes(state)).toEqual(['measured', 'measured']);
        // The client was a container of the other engine while it was measured.
        expect(await Promise.all(clients)).toEqual([`${state.runId} client`]);
        expect(state.notices.map(({ code }) => code)).not.toContain('CLEANUP_INCOMPLETE');
        // Each node drops its copy of a removed network a moment later, and no event marks it.
        for (const engine of [runtime, client]) {
          await expect.poll(() => leftOf(engine, state.runId), { timeout: 30_000 }).toEqual([]);
        }
        expect(await second.docker('ps', '--all', '--quiet')).toBe('');
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
});
