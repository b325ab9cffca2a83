import { BenchmarkError } from '../../shared/errors.ts';
import { PATHS } from '../../shared/kinds/paths.ts';
import { englishOf, msg } from '../../shared/message.ts';
import type { Scenario } from '../../shared/model/plan.ts';
import type { LoadTarget } from '../load/load-client.ts';
import type { RunContext } from '../context/context.ts';
import type { Environment } from '../context/environment.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import type { RunningServer } from '../servers/target-server.ts';
import { LINES_KEPT, lastLinesOf, timeOf } from './command.ts';
import type { OwnCommand } from '../context/own-task.ts';
import { commandEnv } from './command-env.ts';
import { failed } from './limit.ts';

const FOLDER = '/work';

interface CommandPlace {
  image: string;
  running: RunningServer;
  target: LoadTarget;
  scenario: Scenario;
}

/** The time is the engine's; all else is like `runCommand`. */
export async function runInContainer(
  { runtime: { containers } }: RunContext,
  environment: Environment,
  command: OwnCommand,
  { image, running, target, scenario }: CommandPlace,
  signal: AbortSignal,
): Promise<number> {
  const isOnHost = PATHS[scenario.path].attach === 'host';
  const address = isOnHost ? {} : running.address('user-bridge');
  /** The engine's errors may quote the user's command. */
  const toldOnly = (error: unknown): never => {
    if (!(error instanceof BenchmarkError) || isEngineLost(error)) throw error;
    command.tell([error.message, ...error.evidence.map(englishOf)]);
    throw failed(msg('task.notStarted'));
  };
  const id = await containers
    .create({
      name: `${environment.prefix}-command${environment.nextNumber()}`,
      image,
      labels: environment.labels('client'),
      env: commandEnv({ ...target, ...address }),
      command: [...command.words],
      mounts: [{ type: 'bind', source: command.folder, target: FOLDER }],
      workingDirectory: FOLDER,
      network: isOnHost ? 'host' : environment.networks.bridge,
    })
    .catch(toldOnly);
  try {
    await containers.start(id).catch(toldOnly);
    const ended = containers.wait(id).then(async (code) => {
      const { startedAt, endedAt } = await containers.inspect(id);
      return { ms: Date.parse(endedAt) - Date.parse(startedAt), code };
    });
    const kill = (): void => void containers.kill(id).catch(() => undefined);
    const lastLines = async (): Promise<string[]> => lastLinesOf(await containers.logTail(id, LINES_KEPT));
    return await timeOf(command, { ended, kill, lastLines }, signal);
  } finally {
    await containers.remove(id);
  }
}
