import { setTimeout as after } from 'node:timers/promises';
import { toErrorData } from '../../shared/errors.ts';
import { isOwnerAlive } from '../owners/owner.ts';
import { jsonOf } from '../files/json.ts';
import { errorFields, log, startLog, whoseMachine } from '../log/log.ts';
import { discoverRuntimes } from '../runtime/discovery/discover.ts';
import { connectRuntime } from '../runtime/engine/dockerode-runtime.ts';
import { datasetCache } from '../servers/dataset/dataset-cache.ts';
import { removeLeftovers } from './leftovers.ts';
import { DONE, sweepRequestSchema } from './sweeper.ts';

/** The system closes a process's pipes before it has ended. */
const END_MS = 10_000;
const END_LOOK_MS = 100;
/** An engine may still complete what the killed program asked for. */
const PASS_MS = 3_000;
const SWEEP_MS = 60_000;

/** The next start removes what can't be reached now. */
async function main(): Promise<void> {
  const [first = '', ...said] = (await everythingSaid()).split('\n');
  const { success, data: request } = sweepRequestSchema.safeParse(jsonOf(first));
  if (!success || said.includes(DONE)) return;
  const { runId, owner, engines, dataDir, appVersion } = request;
  startLog('sweeper', whoseMachine(dataDir));
  if (!(await hasEnded(owner))) return;

  const sweepOnce = async (): Promise<boolean> => {
    let isQuiet = true;
    const report = await discoverRuntimes({ ...(engines[0] === undefined ? {} : { preferId: engines[0] }) });
    for (const id of engines) {
      try {
        const runtime = connectRuntime(report, id);
        const cache = datasetCache(runtime, request);
        const swept = await removeLeftovers(runtime, dataDir, appVersion, cache, [], { runId, owner });
        if (swept.removed.length + swept.failed.length > 0) isQuiet = false;
      } catch (error) {
        isQuiet = false;
        log.warn('an engine was not swept', { runId, id, error: errorFields(toErrorData(error)) });
      }
    }
    return isQuiet;
  };
  const until = Date.now() + SWEEP_MS;
  await sweepOnce();
  do await after(PASS_MS);
  while (!(await sweepOnce()) && Date.now() < until);
}

async function everythingSaid(): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of process.stdin) parts.push(Buffer.from(part));
  } catch {
    // A pipe that breaks has ended, too.
  }
  return Buffer.concat(parts).toString('utf8');
}

async function hasEnded(owner: string): Promise<boolean> {
  const until = Date.now() + END_MS;
  while (isOwnerAlive(owner) === 'alive' && Date.now() < until) await after(END_LOOK_MS);
  return isOwnerAlive(owner) === 'dead';
}

void main();
