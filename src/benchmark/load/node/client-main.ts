import { isMainThread } from 'node:worker_threads';
import { serveCommands } from './command-server.ts';
import { startWorker } from './worker.ts';

/**
 * The load client, bundled into one file. Loaded as a worker thread it runs its share of a load's connections.
 * Started with `node` in a client container it takes commands as lines on stdin, answers on stdout, and starts
 * worker threads of itself; it ends when stdin does.
 */
if (!isMainThread) startWorker();
else {
  // As process 1 of a container it gets no signal that it doesn't ask for.
  process.once('SIGTERM', () => process.exit(0));
  serveCommands({ input: process.stdin, output: process.stdout, workerFile: __filename }).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`, () =>
        process.exit(2),
      );
    },
  );
}
