import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import type { LoadClient, LoadTarget } from '../load/load-client.ts';
import { COMMAND_VARIABLES, otherAddresses } from './command-env.ts';
import type { OwnCommand } from '../context/own-task.ts';

interface Place {
  client: LoadClient;
  target: LoadTarget;
  /** False for a command in a container. */
  isHere: boolean;
}

/** Connections (also refused) and Questions count clients alone. */
const COUNTERS = ['Connections', 'Questions'] as const;
/** The quit of a reading counts as a question. */
const OF_A_READING = { Connections: 1, Questions: 2 };

const strayed = new WeakSet<OwnCommand>();

export function mayRunAgain(command: OwnCommand): void {
  strayed.delete(command);
}

/** Rejects with COMMAND_ELSEWHERE unless the server's counters show use; nothing else may use it. */
export async function provenUse(
  command: OwnCommand,
  { client, target, isHere }: Place,
  run: () => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  if (strayed.has(command)) throw elsewhere(isHere);
  const names = COUNTERS.map((name) => `'${name}'`).join(', ');
  const read = async (): Promise<Map<unknown, number>> => {
    const rows = await client.query(target, `SHOW GLOBAL STATUS WHERE Variable_name IN (${names})`, signal);
    return new Map(rows.map(([name, value]) => [name, Number(value)]));
  };
  const before = await read();
  const ms = await run();
  const after = await read();
  const isUsed = COUNTERS.every((name) => {
    const grown = (after.get(name) ?? NaN) - (before.get(name) ?? NaN);
    return grown > OF_A_READING[name];
  });
  if (isUsed) return ms;
  strayed.add(command);
  throw elsewhere(isHere);
}

function elsewhere(isHere: boolean): BenchmarkError {
  const others = isHere ? otherAddresses(process.env) : [];
  return new BenchmarkError(
    'COMMAND_ELSEWHERE',
    {},
    {
      evidence: [
        msg('task.variables', { names: COMMAND_VARIABLES.join(', ') }),
        ...(others.length === 0 ? [] : [msg('task.otherVariables', { names: others.join(', ') })]),
      ],
    },
  );
}
