import { beforeEach, describe, expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import { Cleanup } from '../../../../src/benchmark/context/cleanup.ts';
import type { RunContext } from '../../../../src/benchmark/context/context.ts';
import { runningTask, serviceContainer } from '../../../../src/benchmark/start/ingress-server.ts';
import { prepareOverlay } from '../../../../src/benchmark/run/execute.ts';
import { createLabels, ROLE_LABEL, RUN_LABEL } from '../../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../../src/benchmark/runtime/sweep.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { makePlan } from '../../plan-builder.ts';

const RUN = 'run-1';
const labels = (role: string): Record<string, string> => createLabels({ runId: RUN, appVersion: '1', role });
const { signal } = new AbortController();
const CONSENT: Plan['consents'] = [{ consent: 'swarm', message: msg('consent.swarm') }];
const EXISTING: Plan['consents'] = [{ consent: 'existing-swarm', message: msg('consent.existingSwarm') }];

let runtime: FakeRuntime;
let cleanup: Cleanup;
beforeEach(() => {
  runtime = new FakeRuntime();
  cleanup = new Cleanup();
});

describe('the overlay of a run', () => {
  const prepare = (consents: Plan['consents']): Promise<string> => {
    const context: Partial<RunContext> = { runtime, plan: makePlan({ consents }), runId: RUN };
    return prepareOverlay(context as RunContext, 'net', labels('network'), cleanup);
  };

  it('gets a swarm that carries the run’s labels and goes after the network', async () => {
    expect(await prepare(CONSENT)).toBe('net');
    expect(runtime.swarm.labels).toMatchObject({ [RUN_LABEL]: RUN, [ROLE_LABEL]: 'swarm' });
    runtime.calls.length = 0;
    expect(await cleanup.run()).toEqual([]);
    expect(runtime.calls).toEqual(['removeNetwork network-1', `leaveSwarm ${RUN}`]);
    expect(runtime.swarm.current.state).toBe('inactive');
  });

  it.each([
    ['starts one', [], false],
    ['starts one in place of one that is gone', EXISTING, false],
    ['uses one', [], true],
    ['uses one that was not there when the user agreed', CONSENT, true],
  ])('never %s without the user’s word', async (_, consents, isInSwarm) => {
    if (isInSwarm) runtime.swarm.join();
    await expect(prepare(consents)).rejects.toMatchObject({ code: 'CONSENT_MISSING' });
    expect(runtime.calls).toEqual([]);
  });

  it('uses a swarm that is there and does not leave it', async () => {
    runtime.swarm.join();
    await prepare(EXISTING);
    expect(await cleanup.run()).toEqual([]);
    expect(runtime.calls.filter((call) => call.includes('Swarm'))).toEqual([]);
    expect(runtime.swarm.current.state).toBe('active');
  });

  it('is left again when the network fails', async () => {
    runtime.failing.set('createNetwork net', new BenchmarkError('ENGINE_REFUSED'));
    await expect(prepare(CONSENT)).rejects.toMatchObject({ code: 'ENGINE_REFUSED' });
    await cleanup.run();
    expect(runtime.swarm.current.state).toBe('inactive');
  });
});

describe('the task of a service', () => {
  const wait = (states: string[], startMs?: number, containerId?: string) => {
    const { swarm } = runtime;
    swarm.serviceSpecs.set('s', { name: 's', image: 'i', labels: {}, nodeId: 'n', publish: 1 });
    swarm.onTask = () => {
      const state = states.length > 1 ? states.shift() : states[0];
      return state === undefined ? undefined : { state, message: 'in words', containerId };
    };
    return runningTask(swarm, 's', signal, startMs);
  };

  it('is waited for until it runs', async () => {
    expect(await wait(['pending', 'preparing', 'running'])).toMatchObject({ state: 'running' });
  });

  it.each([
    ['never ran', ['preparing', 'failed'], undefined, '“failed”: in words'],
    ['waits too long', ['pending'], 10, '“pending”: in words'],
    ['is never made', [], 10, 'no task'],
  ])('is told when it %s', async (_, states, startMs, text) => {
    await expect(wait(states, startMs)).rejects.toThrow(text);
  });

  it('may have ended already for whoever reads its log', async () => {
    expect(await wait(['preparing', 'failed'], undefined, 'container')).toMatchObject({ state: 'failed' });
  });
});

describe('the container of a service', () => {
  it('is made for every start, stopped for its exit code, and removed', async () => {
    runtime.swarm.join();
    runtime.swarm.onTask = () => ({ state: 'running', message: '', containerId: task });
    const task = await runtime.containers.create({ name: 'task', image: 'i', labels: {} });
    const service = serviceContainer(runtime, 3306, signal);
    const id = await service.create({
      name: 'server',
      image: 'i',
      labels: labels('server'),
      command: ['--port=3306'],
      publish: [3306],
      mounts: [{ type: 'volume', source: 'v', target: '/data' }],
      network: '',
    });
    expect(runtime.swarm.serviceSpecs.size).toBe(0);
    expect((await service.inspect(id)).running).toBe(false);
    for (const round of [1, 2]) {
      await runtime.containers.start(task);
      await service.start(id);
      const [spec] = [...runtime.swarm.serviceSpecs.values()];
      expect(spec, `start ${round}`).toMatchObject({
        nodeId: 'node-1',
        publish: 3306,
        command: ['--port=3306'],
      });
      expect(await service.port()).toBe(30_000);
      expect((await service.inspect(id)).running).toBe(true);
      await service.stop(id, 60);
      expect(await service.inspect(id)).toMatchObject({ running: false, exitCode: 0 });
      expect(runtime.swarm.serviceSpecs.size).toBe(0);
    }
    await runtime.containers.start(task);
    await service.start(id);
    await service.remove();
    expect(runtime.calls).toContain(`killContainer ${task}`);
    expect(runtime.swarm.serviceSpecs.size).toBe(0);
  });

  it('is swept by its labels', async () => {
    runtime.swarm.join();
    const spec = { image: 'i', labels: labels('server'), nodeId: 'node-1', publish: 3306 };
    await runtime.swarm.createService({ ...spec, name: `whalemark-${RUN}-server` });
    const { removed, failed } = await sweepLeftovers(runtime, { runId: RUN });
    expect(removed.map(({ kind }) => kind)).toEqual(['service']);
    expect(failed).toEqual([]);
  });
});
