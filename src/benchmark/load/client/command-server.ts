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

/** Rejects at a line that isn't a command. */
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
  const answerTo = async (command: WorkCommand, signal: AbortSignal): Promise<Answer> => {
    const { id } = command;
    switch (command.type) {
      case 'open': {
        const { spec } = command;
        const isSysbench = spec.loadGenerator === 'sysbench';
        loads.set(id, isSysbench ? openSysbenchLoad(spec) : await openBuiltinLoad(spec, signal, pool));
        return { type: 'opened', id };
      }
      case 'slice': {
        const load = loads.get(command.load);
        if (load === undefined) throw new Error(`no load ${command.load} is open`);
        const on = (event: LoadEvent): void => tell({ ...event, id });
        return { type: 'done', id, totals: await load.slice(command.timing, on, signal) };
      }
      case 'close': {
        const load = loads.get(command.load);
        loads.delete(command.load);
        await load?.close();
        return { type: 'closed', id };
      }
      case 'prepare': {
        const { target, workload, seed } = command;
        const onProgress = (fraction: number): void => tell({ type: 'progress', id, fraction });
        await prepareTables(target, workload, { seed, onProgress, signal });
        return { type: 'prepared', id };
      }
      case 'query':
        return { type: 'rows', id, rows: await queryRows(command.target, command.sql, signal) };
      case 'script':
        return { type: 'scripted', id, ms: await runScript(command.target, command.statements, signal) };
      case 'check':
        return {
          type: 'checked',
          id,
          checked: await checkConnection(command.target, { ...command, signal }),
        };
    }
  };
  const run = async (command: WorkCommand, signal: AbortSignal): Promise<void> => {
    const { id } = command;
    const failed = (error: unknown): Answer => ({ type: 'failed', id, error: toErrorData(error) });
    tell(await answerTo(command, signal).catch(failed));
    running.delete(id);
  };

  const lines = createInterface({ input: streams.input });
  try {
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        const command = parseLine(commandSchema, line);
        if (command === undefined) reject(new Error(`not a command: ${line.slice(0, 200)}`));
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

type WorkCommand = Exclude<Command, { type: 'stop' }>;
