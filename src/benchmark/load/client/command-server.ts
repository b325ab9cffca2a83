import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { toErrorData } from '../../../shared/errors.ts';
import type { LoadEvent, OpenLoad } from '../load-client.ts';
import { openSysbenchLoad } from '../sysbench/run.ts';
import { checkConnection, queryRows, runScript } from './queries.ts';
import { openBuiltinLoad } from '../builtin/coordinator.ts';
import { WorkerPool } from '../builtin/worker-pool.ts';
import { commandSchema, parseLine, toLine, type Answer, type Command } from './protocol.ts';
import { prepareTables } from '../builtin/workloads.ts';

export class NotACommand extends Error {
  constructor(line: string) {
    super(`not a command: ${line.slice(0, 200)}`);
    this.name = 'NotACommand';
  }
}

/** Until `quit` or the end of `input`. Rejects with `NotACommand`. */
export async function serveCommands(streams: {
  input: Readable;
  output: Writable;
  workerFile: string;
}): Promise<void> {
  const pool = new WorkerPool(streams.workerFile);
  const loads = new Map<number, OpenLoad>();
  const running = new Map<number, { abort: AbortController; ended: Promise<void> }>();
  const tell = (answer: Answer): void => {
    streams.output.write(toLine(answer));
  };
  const run = async (command: WorkCommand, signal: AbortSignal): Promise<void> => {
    const { id } = command;
    try {
      if (command.type === 'open') {
        const { spec } = command;
        const isSysbench = spec.loadGenerator === 'sysbench';
        loads.set(id, isSysbench ? openSysbenchLoad(spec) : await openBuiltinLoad(spec, signal, pool));
        tell({ type: 'opened', id });
      } else if (command.type === 'slice') {
        const load = loads.get(command.load);
        if (load === undefined) throw new Error(`no load ${command.load} is open`);
        const on = (event: LoadEvent): void => tell({ ...event, id });
        tell({ type: 'done', id, totals: await load.slice(command.timing, on, signal) });
      } else if (command.type === 'close') {
        const load = loads.get(command.load);
        loads.delete(command.load);
        await load?.close();
        tell({ type: 'closed', id });
      } else if (command.type === 'prepare') {
        const { target, workload, seed } = command;
        const onProgress = (fraction: number): void => tell({ type: 'progress', id, fraction });
        await prepareTables(target, workload, { seed, onProgress, signal });
        tell({ type: 'prepared', id });
      } else if (command.type === 'query') {
        tell({ type: 'rows', id, rows: await queryRows(command.target, command.sql, signal) });
      } else if (command.type === 'script') {
        tell({ type: 'scripted', id, ms: await runScript(command.target, command.statements, signal) });
      } else {
        const { target, path, budgetMs, times } = command;
        tell({
          type: 'checked',
          id,
          checked: await checkConnection(target, { path, budgetMs, times, signal }),
        });
      }
    } catch (error) {
      tell({ type: 'failed', id, error: toErrorData(error) });
    } finally {
      running.delete(id);
    }
  };

  const lines = createInterface({ input: streams.input });
  try {
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        const command = parseLine(commandSchema, line);
        if (command === undefined) reject(new NotACommand(line));
        else if (command.type === 'quit') resolve();
        else if (command.type === 'stop') running.get(command.id)?.abort.abort();
        else {
          const abort = new AbortController();
          running.set(command.id, { abort, ended: run(command, abort.signal) });
        }
      });
      lines.once('close', resolve);
      tell({ type: 'ready' });
    });
  } finally {
    lines.close();
    for (const { abort } of running.values()) abort.abort();
    await Promise.all([...running.values()].map(({ ended }) => ended));
    await Promise.all([...loads.values()].map((load) => load.close()));
    await pool.close();
  }
}

type WorkCommand = Exclude<Command, { type: 'stop' | 'quit' }>;
