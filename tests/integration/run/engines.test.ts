import { afterAll, beforeAll, expect, it } from 'vitest';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { thisMachine } from '../../../src/benchmark/runtime/discovery/surroundings.ts';
import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { DEFAULT_BUDGETS } from '../../../src/benchmark/servers/target-server.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import { leftOf, realBench, runPlan, smallPlan } from '../helpers/bench.ts';
import { startSecondEngine, type SecondEngine } from '../helpers/second-engine.ts';
import { throttleWrites } from '../helpers/slow-down.ts';

const IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8';
const bench = realBench();
let second: SecondEngine;
let other: ContainerRuntime;

beforeAll(async () => {
  second = await startSecondEngine({ isApart: false, subnet: '172.29.5' });
  await second.load(IMAGE);
  const surroundings = { ...thisMachine(), env: { ...process.env, DOCKER_HOST: second.endpoint } };
  other = connectRuntime(await discoverRuntimes({ surroundings }), undefined, surroundings);
});
afterAll(() => second.remove());

const FAST = { rounds: 2, warmupSeconds: 1, durationSeconds: 5, sliceSeconds: 1 };

async function measured(
  fields: Record<string, unknown>,
  onEvent: (event: RunEvent) => void = () => undefined,
) {
  const plan = await smallPlan(
    bench.runtime,
    {
      server: { image: IMAGE },
      grid: { storages: ['named-volume'], paths: ['published-port'] },
      schedule: FAST,
      ...fields,
    },
    { engines: [bench.runtime, other] },
  );
  const { state } = await runPlan(plan, bench.runtime, bench.dataDir, {
    engines: [bench.runtime, other],
    budgets: { ...DEFAULT_BUDGETS, awayMs: 1000 },
    onEvent,
  });
  return { plan, state, effect: analyze(state).effects.find(({ factor }) => factor === 'engine') };
}

it('measures two engines side by side: equal ones tie', { tags: ['full'] }, async () => {
  const { plan, state, effect } = await measured({ equivalence: 0.25 });
  expect(plan.engines).toHaveLength(2);
  expect(state.trials.map(({ status }) => status)).toEqual(['measured', 'measured', 'measured', 'measured']);
  expect(effect).toMatchObject({
    reference: plan.engines[0]?.id,
    level: plan.engines[1]?.id,
    verdict: 'same',
  });
  for (const engine of [bench.runtime, other]) expect(await leftOf(engine, state.runId)).toEqual([]);
});

it('times what ends on both', { tags: ['full'] }, async () => {
  const { plan, state, effect } = await measured({
    task: { kind: 'ready' },
    connections: 1,
    schedule: { rounds: 3, warmupSeconds: 0, durationSeconds: 1 },
  });
  expect(state.trials.map(({ status }) => status)).toEqual(Array(6).fill('measured'));
  expect(effect).toMatchObject({
    level: plan.engines[1]?.id,
    ratio: { value: expect.any(Number) as unknown },
  });
  for (const engine of [bench.runtime, other]) expect(await leftOf(engine, state.runId)).toEqual([]);
});

it('names the engine whose disk is slow, and the flushes as the cause', { tags: ['full'] }, async () => {
  const throttled: Promise<void>[] = [];
  const { state, effect } = await measured(
    { workload: { kind: 'oltp_write_only', tables: 2, tableSize: 1000 } },
    (event) => {
      if (event.type === 'trial-started') throttled.push(throttle());
    },
  );
  await Promise.all(throttled);
  expect(effect?.verdict).toBe('slower');
  const { largest } = analyze(state).waterfall ?? {};
  expect(largest?.scenarioId).toBe(effect?.pairs[0]?.scenarioId);
  expect(['flush', 'commit']).toContain(largest?.most[0]?.key);
});

it('loses only the trials of an engine that ends in the middle', { tags: ['full'] }, async () => {
  let ended: Promise<void> | undefined;
  const { plan, state } = await measured({}, (event) => {
    if (event.type === 'slice-finished' && event.trialId.includes('docker-engine-2')) ended ??= second.stop();
  });
  await ended;
  expect(state.outcome).toBe('completed');
  const own = plan.scenarios.filter(({ engine }) => engine === plan.engines[0]?.id).map(({ id }) => id);
  const kept = state.trials.filter(({ scenarioId }) => own.includes(scenarioId));
  expect(kept.map(({ status }) => status)).toEqual(['measured', 'measured']);
  const last = state.trials.filter(({ scenarioId, round }) => !own.includes(scenarioId) && round === 2);
  expect(last.map(({ status, error }) => [status, error?.code])).toEqual([['failed', 'ENGINE_LOST']]);
  expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
});

/** Every server of the second engine. */
async function throttle(): Promise<void> {
  const ids = await second.docker('ps', '--quiet');
  for (const id of ids.split('\n').filter(Boolean)) {
    await throttleWrites(id, '/var/lib/mysql', 100, second.docker);
  }
}
