import { createCore } from '../../benchmark/handlers/handlers.ts';
import { installationPathsSchema } from '../../benchmark/installation/installation.ts';
import { log, logLastWords, startLog, whoseMachine } from '../../benchmark/log/log.ts';
import { readElsewhere } from '../../benchmark/reading/reader.ts';
import { sweepElsewhere } from '../../benchmark/run/sweeper.ts';
import type { CoreMessage } from '../../shared/contract/ipc.ts';
import { createDispatcher } from './dispatch.ts';

const LOOP_TICK_MS = 50;

/** In a utility process, load can't stall the window. */
keepTurning();
const paths = installationPathsSchema.parse(JSON.parse(process.argv.at(-1) ?? ''));
readElsewhere(paths);
sweepElsewhere(paths);
startLog('core', whoseMachine(paths.dataDir));
logLastWords({ survivesRejections: true });
log.info('core started', { version: paths.appVersion, node: process.versions.node });
const post = (message: CoreMessage): void => process.parentPort.postMessage(message);
const core = createCore({ ...paths, emit: (event) => post({ kind: 'event', event }) });
const dispatch = createDispatcher({ ...core, 'core:shut-down': shutDown }, post);

process.parentPort.on('message', ({ data }) => void dispatch(data));

async function shutDown(params: Parameters<(typeof core)['core:shut-down']>[0]): Promise<undefined> {
  await core['core:shut-down'](params);
  log.info('core stops');
}

/**
 * Electron's utility process sometimes misses a ready socket until the next timer, up to a minute (22.3.25:
 * about one trial of twenty; with this timer none of 120).
 */
function keepTurning(): void {
  setInterval(() => undefined, LOOP_TICK_MS);
}
