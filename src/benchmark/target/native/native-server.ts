import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchmarkError } from '../../../shared/errors.ts';
import { unlessStopped } from '../../stop.ts';
import { BESIDE_DATA } from '../storage/bind-directory.ts';
import { diagnoseServer } from '../failure-doctor.ts';
import { probeOwnFlush } from '../storage/flush-probe.ts';
import { userOption } from './native-initialise.ts';
import type { NativeProgram } from './native-program.ts';
import { supervise, type Supervised } from './native-supervisor.ts';
import { LogLimit } from '../log-limit.ts';
import { keepLine, logEvidence, readyPort } from '../server-log.ts';
import { startEnv } from '../server-options.ts';
import type { Account, RunningServer, ServerBudgets, TargetServer } from '../target-server.ts';

export interface NativeServerSpec {
  /** Server id in the plan. */
  id: string;
  program: NativeProgram;
  options: string[];
  account: Account;
  /** Folder of our own for what is not data. */
  directory: string;
  datadir: string;
  budgets: ServerBudgets;
  onLog: (lines: string[]) => void;
  /** A TCP port of this machine that is free at the moment. */
  freePort: () => Promise<number>;
}

/** A private instance of a server program of this machine, started and stopped for every trial. */
export class NativeServer implements TargetServer {
  readonly #spec: NativeServerSpec;
  /** Run before the server listens, at its next starts; undefined: none. */
  initFile: string | undefined;
  #running: Supervised | undefined;

  constructor(spec: NativeServerSpec) {
    this.#spec = spec;
  }

  get id(): string {
    return this.#spec.id;
  }

  get options(): string[] {
    return this.#spec.options;
  }

  get account(): Account {
    return this.#spec.account;
  }

  /** Ends it at once, if it runs. */
  async kill(): Promise<void> {
    this.#running?.kill();
    await this.#running?.ended;
  }

  async start(phase: string, signal: AbortSignal): Promise<RunningServer> {
    const { budgets, program, directory, datadir, onLog, freePort } = this.#spec;
    if (signal.aborted) throw new BenchmarkError('STOPPED');
    const port = await freePort();
    const log: string[] = [];
    const told = new LogLimit(onLog);
    let ready = (): void => undefined;
    const saysReady = new Promise<void>((resolve) => (ready = resolve));
    const process = supervise(program.binary, this.#arguments(port), {
      // Where it would look for files that are named without a path.
      cwd: directory,
      env: startEnv(program.flavour),
      onLine: (line) => {
        keepLine(log, line);
        told.push(line);
        if (readyPort(line) === port) ready();
      },
    });
    this.#running = process;
    void process.ended.then(() => told.end());
    let stopping = false;
    const failed = process.ended.then((exitCode) => {
      if (stopping || signal.aborted) return new Promise<never>(() => undefined);
      throw diagnoseServer({ exitCode, oomKilled: false, log, phase, storage: 'native' });
    });
    // Whoever waits for it hears of it; nobody else need.
    failed.catch(() => undefined);

    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const seconds = String(Math.round(budgets.readyMs / 1000));
        reject(new BenchmarkError('SERVER_NOT_READY', { seconds }, { evidence: logEvidence(log) }));
      }, budgets.readyMs);
    });
    try {
      await unlessStopped(signal, Promise.race([saysReady, failed, late]));
    } catch (error) {
      stopping = true;
      await this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return {
      containerId: undefined,
      failed,
      address: () => ({ host: '127.0.0.1', port }),
      logTail: () => logEvidence(log),
      mounts: () => ownMounts(datadir),
      flush: () => probeOwnFlush(datadir),
      isAlive: () => Promise.resolve(process.isAlive()),
      stop: async (graceSeconds) => {
        stopping = true;
        process.terminate();
        const kill = setTimeout(() => process.kill(), graceSeconds * 1000);
        const exitCode = await process.ended;
        clearTimeout(kill);
        return exitCode;
      },
    };
  }

  #arguments(port: number): string[] {
    const { program, datadir, directory, options } = this.#spec;
    return [
      '--no-defaults',
      ...userOption(),
      `--datadir=${datadir}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      // Relative to the datadir: a full path is soon longer than the 107 characters that a socket's may have.
      '--socket=mysqld.sock',
      `--pid-file=${join(directory, BESIDE_DATA.pid)}`,
      // Distributions compile in a folder that exists only where their package is installed.
      ...(program.flavour === 'mariadb' ? [] : ['--secure-file-priv=NULL']),
      ...(this.initFile === undefined ? [] : [`--init-file=${this.initFile}`]),
      ...options,
    ];
  }
}

async function ownMounts(datadir: string): Promise<{ mountInfo: string; datadir: string } | undefined> {
  if (process.platform !== 'linux') return undefined;
  return { mountInfo: await readFile('/proc/self/mountinfo', 'utf8'), datadir };
}
