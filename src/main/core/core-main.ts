import { createCore } from '../../benchmark/core.ts';
import type { CoreMessage } from '../../shared/ipc.ts';
import { createDispatcher } from './dispatch.ts';
import { coreOptionsSchema } from './options.ts';

/** Entry of the utility process: the benchmark behind a message port, so that load can't stall the window. */
const options = coreOptionsSchema.parse(JSON.parse(process.argv.at(-1) ?? ''));
const post = (message: CoreMessage): void => process.parentPort.postMessage(message);
const core = createCore({ ...options, emit: (event) => post({ kind: 'event', event }) });
const dispatch = createDispatcher(core, post);

process.parentPort.on('message', ({ data }) => void dispatch(data));
