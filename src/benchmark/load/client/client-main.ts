import { isMainThread } from 'node:worker_threads';

/**
 * The load client in one file, on the host and in containers. A thread of a connection evaluates only its own part: that
 * takes a quarter of the time and memory.
 */
if (isMainThread) void import('./client-program.ts').then(({ startClient }) => startClient());
else void import('../node/threads/thread.ts').then(({ startThread }) => startThread());
