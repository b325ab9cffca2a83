import { BenchmarkError } from '../../shared/errors.ts';
import { pathName } from '../../shared/words/labels.ts';
import type { Scenario } from '../../shared/model/plan.ts';
import { Cleanup, cleanupNotices } from '../context/cleanup.ts';
import { type RunContext, step, type WholeRun } from '../context/context.ts';
import type { Environment } from '../context/environment.ts';
import type { EngineBenches } from './servers/engine-bench.ts';
import { makeServer } from './servers/make-servers.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { type RunningServer, SHUTDOWN_SECONDS } from '../servers/target-server.ts';
import { mayRunAgain } from '../tasks/proven-use.ts';
import { runTask } from '../tasks/run-task.ts';

const OF_THE_COMMAND: ReadonlySet<string> = new Set(['COMMAND_ELSEWHERE', 'TASK_FAILED']);

/** Rejects with COMMAND_ELSEWHERE or TASK_FAILED. Without a server, the first trial is the check. */
export async function tryCommand({ plan, own }: WholeRun, benches: EngineBenches): Promise<void> {
  const command = own?.command;
  const scenario = plan.scenarios.find(({ isBaseline }) => isBaseline);
  if (command === undefined || scenario === undefined) return;
  mayRunAgain(command);
  const bench = benches.of(scenario);
  await benches.unlessLost(bench, () =>
    step(bench.context, 'try', '', () =>
      tryOn(bench.context, bench.environment, scenario).catch((error: unknown) => {
        const isOurs = error instanceof BenchmarkError && !OF_THE_COMMAND.has(error.code);
        if (!isOurs || bench.context.signal.aborted || isEngineLost(error)) throw error;
      }),
    ),
  );
}

async function tryOn(context: RunContext, environment: Environment, scenario: Scenario): Promise<void> {
  const { budgets, emit, signal } = context;
  const { clients } = environment;
  const cleanup = new Cleanup();
  let running: RunningServer | undefined;
  try {
    const server = await makeServer(context, environment, scenario, cleanup);
    if (server instanceof BenchmarkError) throw server;
    running = await server.start('start', signal);
    const client = await clients.for(scenario, running);
    const target = { ...running.address(scenario.path), ...server.account };
    try {
      const check = { path: pathName(scenario.path), budgetMs: budgets.pathMs, times: 1, signal };
      await Promise.race([running.failed, client.check(target, check)]);
      const place = { running, client, target, readyMs: 0, scenario };
      await Promise.race([running.failed, runTask(context, environment, place, signal)]);
    } finally {
      await clients.release(client);
    }
  } finally {
    if (!signal.aborted) await running?.stop(SHUTDOWN_SECONDS).catch(() => undefined);
    for (const notice of cleanupNotices(await cleanup.run())) emit(notice);
  }
}
