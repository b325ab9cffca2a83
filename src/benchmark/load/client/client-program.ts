import { readFileSync } from 'node:fs';
import { messageOf } from '../../../shared/errors.ts';
import { serveCommands } from './command-server.ts';
import { awaitCommander, relay } from './tcp-commander.ts';
import { startWorker } from '../builtin/worker.ts';
import { WORK } from '../builtin/worker-pool.ts';

/** Then the client is an orphan. */
const COMMANDER_MS = 5 * 60_000;
const RELAY_MS = 30_000;

/**
 * Reads commands from stdin, answers on stdout, and ends with stdin. Its child, `work`, runs the connections. On
 * another swarm node, `serve PORT TOKENFILE` takes commands over TCP, and `relay HOST PORT` connects stdin and
 * stdout to it.
 */
export function startClient(): void {
  if (process.argv[2] === WORK) {
    startWorker();
    return;
  }
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
