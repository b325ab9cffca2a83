import { messageOf } from '../../../shared/errors.ts';
import { serveCommands } from './command-server.ts';
import { startWorker } from '../builtin/worker.ts';
import { WORK } from '../builtin/worker-pool.ts';

if (process.argv[2] === WORK) startWorker();
else {
  process.once('SIGTERM', () => process.exit(0));
  serveCommands({ input: process.stdin, output: process.stdout, workerFile: __filename }).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${messageOf(error)}\n`, () => process.exit(2));
    },
  );
}
