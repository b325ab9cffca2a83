import { expect, it } from 'vitest';
import { continueSession } from '../../../src/benchmark/run/session.ts';
import { EXIT, exitCodeOfRun } from '../../../src/cli/exit-codes.ts';
import type { TrialOutline } from '../../../src/shared/model/run-state.ts';
import {
  installation,
  leftOf,
  realBench,
  runPlan,
  smallPlan,
  withContainers,
  withMethods,
} from '../helpers/bench.ts';

const bench = realBench();
const resultOf = ({ scenarioId, status, error }: TrialOutline): string =>
  `${scenarioId}: ${error?.code ?? status}`;

it('measures what needs no client image when the planned one is gone, and the rest once it is back', async () => {
  const plan = await smallPlan(bench.runtime, {
    grid: { storages: ['named-volume'], paths: ['published-port', 'host-network', 'user-bridge'] },
    schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
  });
  const node = plan.clientImage?.reference;
  const without = {
    ...withContainers(bench.runtime, {}),
    images: withMethods(bench.runtime.images, {
      inspect: async (name) => (name === node ? undefined : bench.runtime.images.inspect(name)),
      list: async () => [],
    }),
  };
  const { state } = await runPlan(plan, without, bench.dataDir);
  expect(state.trials.map(resultOf).sort()).toEqual([
    'named-volume.host-network: measured',
    'named-volume.published-port: measured',
    'named-volume.user-bridge: CLIENT_IMAGE_MISSING',
  ]);
  expect([state.outcome, exitCodeOfRun(state)]).toEqual(['completed', EXIT.someFailed]);
  expect(await leftOf(bench.runtime, state.runId)).toEqual([]);

  const { done } = await continueSession(
    state.runId,
    bench.runtime,
    await installation(bench.dataDir),
    () => undefined,
  );
  const whole = (await done).state;
  expect(whole.trials.map(({ status }) => status)).toEqual(['measured', 'measured', 'measured']);
  expect(exitCodeOfRun(whole)).toBe(EXIT.done);
  expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
});
