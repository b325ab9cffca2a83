import {
  createHistogram,
  encodeHistogram,
  recordLatency,
  summarizeHistogram,
} from '../../shared/histogram/histogram.ts';
import { msg } from '../../shared/message.ts';
import type { Totals, Window } from '../../shared/model/measurements.ts';
import { configOf, type Scenario } from '../../shared/model/plan.ts';
import { limitOf } from '../../shared/model/task.ts';
import type { RunContext, UntimedEvent } from '../context/context.ts';
import type { Environment } from '../context/environment.ts';
import { emptyCounts } from '../load/builtin/counts.ts';
import type { LoadClient, LoadTarget } from '../load/load-client.ts';
import type { RunningServer } from '../servers/target-server.ts';
import { runCommand } from './command.ts';
import { runInContainer } from './command-container.ts';
import { importDump } from './dump.ts';
import { migrationStatements } from './generated-sql.ts';
import { withinLimit } from './limit.ts';
import { importHere } from './native-dump.ts';
import { provenUse } from './proven-use.ts';

interface TaskPlace {
  running: RunningServer;
  client: LoadClient;
  target: LoadTarget;
  readyMs: number;
  scenario: Scenario;
}

/** Resolves with the time, ms. Rejects with TASK_FAILED, COMMAND_ELSEWHERE, QUERY_FAILED, or as the client does. */
export async function runTask(
  context: RunContext,
  environment: Environment,
  { running, client, target, readyMs, scenario }: TaskPlace,
  signal: AbortSignal,
): Promise<number> {
  const { plan, runtime, own } = context;
  const { task } = plan;
  switch (task?.kind) {
    case undefined:
      throw new Error('a plan without a task');
    case 'ready':
      return readyMs;
    case 'migrations':
      return withinLimit(limitOf(task), signal, (limited) =>
        client.script(target, migrationStatements(task.count), limited),
      );
    case 'import':
    case 'reset':
    case 'dump': {
      const { containerId } = running;
      const binary = configOf(plan, scenario).native?.binary ?? '';
      const { dumpHere = { account: '', files: [] } } = environment;
      return withinLimit(limitOf(task), signal, (limited) =>
        containerId === undefined
          ? importHere(binary, dumpHere, target, limited)
          : importDump(runtime, containerId, target, limited),
      );
    }
    case 'command': {
      const command = own?.command;
      if (command === undefined) throw new Error('a plan without its command');
      const { image } = task;
      const run = (): Promise<number> =>
        image === undefined
          ? runCommand(command, target, (pids) => context.emit(leftNotice(pids)), signal)
          : runInContainer(context, environment, command, { image, running, target, scenario }, signal);
      return provenUse(command, { client, target, isHere: image === undefined }, run, signal);
    }
  }
}

function leftNotice(pids: readonly number[]): UntimedEvent {
  const message = msg('notice.commandLeft', { pids: pids.join(', ') });
  return { type: 'notice', notice: { code: 'COMMAND_LEFT', message } };
}

export function taskTotals(durationMs: number): { totals: Totals; window: Window } {
  const histogram = createHistogram();
  recordLatency(histogram, durationMs * 1000);
  const measured = {
    ...emptyCounts(),
    durationMs,
    transactions: 1,
    latency: summarizeHistogram(histogram),
  };
  return {
    window: { ...measured, phase: 'measure', index: 0, startMs: 0, interrupted: false },
    totals: {
      ...measured,
      histogram: encodeHistogram(histogram),
      excludedMs: 0,
      connections: 1,
      uncounted: 0,
      statements: {},
      transactionTypes: {},
      client: { cpuSeconds: 0, cpuShare: 0, loopDelayP99Us: 0, workers: 1, gcSeconds: 0, gcMaxUs: 0 },
    },
  };
}
