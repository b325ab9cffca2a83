import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';
import { toErrorData } from '../../../shared/errors.ts';
import { checkConnection } from './connection-check.ts';
import { runNodeLoad } from './coordinator.ts';
import { commandSchema, parseLine, type ClientAnswer, type Command } from './protocol.ts';
import { startWorker } from './worker.ts';

/**
 * The one bundled file of the load client. As a worker thread it runs connections; started with `node` in a client
 * container it takes commands as lines on stdin, answers on stdout, and ends when stdin does.
 */
function serveCommands(): void {
  const tell = (answer: ClientAnswer): void => {
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  };
  const running = new Map<number, AbortController>();

  const serve = async (command: Exclude<Command, { type: 'stop' }>): Promise<void> => {
    const { id } = command;
    const abort = new AbortController();
    running.set(id, abort);
    try {
      if (command.type === 'run') {
        const totals = await runNodeLoad(command.spec, (event) => tell({ ...event, id }), abort.signal, {
          workerFile: __filename,
        });
        tell({ type: 'done', id, totals });
      } else {
        const { target, path, budgetMs, times } = command;
        const checked = await checkConnection(target, { path, budgetMs, times, signal: abort.signal });
        tell({ type: 'checked', id, checked });
      }
    } catch (error) {
      tell({ type: 'failed', id, error: toErrorData(error) });
    } finally {
      running.delete(id);
    }
  };

  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const command = parseLine(commandSchema, line);
    if (command === undefined) process.stderr.write(`not a command: ${line.slice(0, 200)}\n`);
    else if (command.type === 'stop') running.get(command.id)?.abort();
    else void serve(command);
  });
  lines.on('close', () => process.exit(0));
  tell({ type: 'ready' });
}

if (isMainThread) serveCommands();
else startWorker();
