import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { messageOf } from '../../../shared/errors.ts';
import { serveCommands } from './command-server.ts';
import { awaitCommander, relay } from './tcp-commander.ts';
import { startWorker } from '../node/worker.ts';

/** A client that nobody commands after so long is an orphan. */
const COMMANDER_MS = 5 * 60_000;
/** The client's container runs by the time its relay starts; its name may take a moment to get round. */
const RELAY_MS = 30_000;

/**
 * The load client, bundled into one file. Loaded as a worker thread it runs its share of a load's connections.
 * Started with `node` in a client container it takes commands as lines on stdin, answers on stdout, and starts
 * worker threads of itself; it ends when stdin does. On another node of a swarm, whose containers have no stdin for us:
 *
 * - `serve PORT TOKENFILE` takes the same commands from the first connection that shows the token;
 * - `relay HOST PORT` is the other end: it passes stdin and stdout on to such a client.
 */
if (!isMainThread) startWorker();
else {
  // As process 1 of a container it gets no signal that it doesn't ask for.
  process.once('SIGTERM', () => process.exit(0));
  main(process.argv.slice(2)).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${messageOf(error)}\n`, () => process.exit(2));
    },
  );
}

async function main([mode, ...args]: string[]): Promise<void> {
  const { stdin, stdout } = process;
  switch (mode) {
    case undefined:
      return serveCommands({ input: stdin, output: stdout, workerFile: __filename });
    case 'serve': {
      const [port = '', tokenFile = ''] = args;
      const token = readFileSync(tokenFile, 'utf8').trim();
      const socket = await awaitCommander({ port: Number(port), token, waitMs: COMMANDER_MS });
      socket.setKeepAlive(true, 5000);
      socket.setNoDelay(true);
      await serveCommands({ input: socket, output: socket, workerFile: __filename });
      socket.end();
      return;
    }
    case 'relay': {
      const [host = '', port = ''] = args;
      return relay({ host, port: Number(port), input: stdin, output: stdout, budgetMs: RELAY_MS });
    }
    default:
      throw new Error(`the load client has no mode “${mode}”`);
  }
}
