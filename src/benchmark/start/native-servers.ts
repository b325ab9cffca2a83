import { join } from 'node:path';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Scenario, ServerConfig } from '../../shared/model/plan.ts';
import { hasTables, limitOf } from '../../shared/model/task.ts';
import { rowCount } from '../../shared/model/workload.ts';
import { ownHost } from '../host/host-source.ts';
import { ownOwner } from '../owners/owner.ts';
import { ROW_SEED } from '../servers/dataset/dataset.ts';
import { BESIDE_DATA, createBindDirectory, removeBindDirectory } from '../servers/storage/bind-directory.ts';
import { initializeDatadir, userOption, writeAccountFile } from '../servers/native/native-initialize.ts';
import { mostConnections, serverOptions, startEnv } from '../servers/server-options.ts';
import {
  type Account,
  type Freezer,
  type RunningServer,
  type ServerBudgets,
  SHUTDOWN_SECONDS,
  type TargetServer,
  type ServerPhase,
  stopCleanly,
  untilReady,
} from '../servers/target-server.ts';
import type { Environment } from '../context/environment.ts';
import type { Cleanup } from '../context/cleanup.ts';
import { freePort } from '../host/free-port.ts';
import { step, type RunContext } from '../context/context.ts';
import { withinLimit } from '../tasks/limit.ts';
import { importHere, writeDump } from '../tasks/native-dump.ts';
import { pathName, storageName } from '../../shared/words/labels.ts';
import { diagnoseServer } from '../servers/failure-doctor.ts';
import { timeFlushes } from '../servers/storage/flush-meter.ts';
import type { NativeProgram } from '../servers/native/native-program.ts';
import { supervise, type Supervised } from '../servers/native/native-supervisor.ts';
import { keepLine, logEvidence, LogLimit, readyPort } from '../servers/server-log.ts';

export async function makeNativeServer(
  context: RunContext,
  environment: Environment,
  config: ServerConfig,
  scenario: Scenario,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { signal } = context;
  const make = async (own: Cleanup): Promise<TargetServer> => {
    const program = config.native;
    if (program === null) throw new Error(`config ${config.id} has no native program`);
    const { serverId: id } = scenario;
    const onLog = (lines: string[]): void => context.emit({ type: 'server-log', serverId: id, lines });
    const name = `${environment.prefix}-native${environment.nextNumber()}`;
    const mark = { owner: ownOwner(), runId: context.runId };
    const { directory, data } = await createBindDirectory(context.bindRoot, name, mark);
    own.add('storage', () =>
      removeBindDirectory(directory, () =>
        Promise.reject(new BenchmarkError('BIND_UNWRITABLE', { path: data, reason: 'EACCES' })),
      ),
    );
    const options = [
      ...serverOptions(program, config.settings, mostConnections(context.plan)),
      ...config.options,
    ];
    const { account } = environment;
    const place = { program, directory, datadir: data, budgets: context.budgets, onLog };
    const server = new NativeServer({ id, options, account }, place);
    own.add('container', () => server.kill());

    const loaded = environment.nativeData.get(config.id);
    if (loaded !== undefined) {
      const copy = (): Promise<void> => cp(loaded, data, { recursive: true, preserveTimestamps: true });
      await (context.plan.task === null ? step(context, 'clone', id, copy) : copy());
      return server;
    }
    const running = await step(context, 'init', id, async () => {
      const env = startEnv(program.flavor);
      await initializeDatadir(program, data, { onLine: (line) => onLog([line]), env, signal });
      const initFile = join(directory, BESIDE_DATA.account);
      const removeFile = await writeAccountFile(initFile, account);
      try {
        return await server.start('initialization', signal, [`--init-file=${initFile}`]);
      } finally {
        await removeFile();
      }
    });
    await step(context, 'load', id, async (progress) => {
      await fillTables(context, environment, running, program.binary, (fraction) =>
        progress({ fraction, detail: '' }),
      );
      await stopCleanly(running, signal);
    });
    environment.nativeData.set(config.id, data);
    const rows = hasTables(context.plan) ? rowCount(context.plan.workload) : 0;
    context.emit({ type: 'dataset-loaded', bytes: await bytesOf(data), rows });
    return server;
  };
  // Trials of a task copy data that none of them changes.
  if (context.plan.task !== null && !environment.nativeData.has(config.id)) await make(environment.cleanup);
  return make(cleanup);
}

async function fillTables(
  context: RunContext,
  environment: Environment,
  running: RunningServer,
  binary: string,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { plan, budgets, signal, own } = context;
  const client = environment.clients.onHost();
  const target = { ...running.address('loopback'), ...environment.account };
  const path = pathName('loopback');
  const check = client.check(target, { path, budgetMs: budgets.pathMs, times: 3, signal });
  await Promise.race([running.failed, check]);
  if (hasTables(plan)) {
    const filled = client.prepare(target, plan.workload, { seed: ROW_SEED, onProgress, signal });
    await Promise.race([running.failed, filled]);
  }
  if (own?.before === undefined) return;
  const name = `${environment.prefix}-before${environment.nextNumber()}`;
  const place = { ...context, name, account: environment.account };
  const before = await writeDump(own.before, place, environment.cleanup, signal);
  await withinLimit(limitOf(plan.task), signal, (limited) => importHere(binary, before, target, limited));
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return bytesOf(path);
      return entry.isFile() ? (await stat(path)).size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

interface NativeServerPlace {
  program: NativeProgram;
  directory: string;
  datadir: string;
  budgets: ServerBudgets;
  onLog: (lines: string[]) => void;
}

class NativeServer implements TargetServer {
  readonly id: string;
  readonly options: string[];
  readonly account: Account;
  readonly #place: NativeServerPlace;
  #running: Supervised | undefined;
  #stop: RunningServer['stop'] | undefined;

  constructor({ id, options, account }: Omit<TargetServer, 'start'>, place: NativeServerPlace) {
    this.id = id;
    this.options = options;
    this.account = account;
    this.#place = place;
  }

  async kill(): Promise<void> {
    this.#running?.kill();
    await this.#running?.ended;
  }

  async halt(): Promise<void> {
    await this.#stop?.(SHUTDOWN_SECONDS);
  }

  async start(phase: ServerPhase, signal: AbortSignal, more: string[] = []): Promise<RunningServer> {
    const { budgets, program, directory, datadir, onLog } = this.#place;
    if (signal.aborted) throw new BenchmarkError('STOPPED');
    const port = await freePort();
    const log: string[] = [];
    const logLimit = new LogLimit(onLog);
    let began = performance.now();
    let ready = (): void => undefined;
    const saysReady = new Promise<void>((resolve) => (ready = resolve));
    const process = supervise(program.binary, [...this.#arguments(port), ...more], {
      cwd: directory,
      env: startEnv(program.flavor),
      onLine: (line) => {
        keepLine(log, line);
        logLimit.push(line);
        if (readyPort(line) === port) ready();
      },
      onSpawned: () => (began = performance.now()),
    });
    this.#running = process;
    void process.ended.then(() => logLimit.end());
    let stopping = false;
    const failed = process.ended.then((exitCode) => {
      if (stopping || signal.aborted) return new Promise<never>(() => undefined);
      throw diagnoseServer({
        exitCode,
        oomKilled: false,
        log,
        phase,
        storage: storageName({ kind: 'native' }),
      });
    });
    failed.catch(() => undefined);

    try {
      await untilReady(saysReady, failed, log, budgets, signal);
    } catch (error) {
      stopping = true;
      await this.kill();
      throw error;
    }
    const startedMs = performance.now() - began;
    const stop = async (graceSeconds: number): Promise<number> => {
      stopping = true;
      process.signal('SIGTERM', ...(CAN_FREEZE ? (['SIGCONT'] as const) : []));
      const kill = setTimeout(() => process.kill(), graceSeconds * 1000);
      const exitCode = await process.ended;
      clearTimeout(kill);
      return exitCode;
    };
    this.#stop = stop;
    return {
      startedMs,
      containerId: undefined,
      failed,
      address: () => ({ host: '127.0.0.1', port }),
      logTail: () => logEvidence(log),
      mounts: () => ownMounts(datadir),
      flush: () => timeFlushes(datadir, ownHost()),
      isAlive: () => Promise.resolve(process.isAlive()),
      ...(CAN_FREEZE ? { freezer: freezerOf(process) } : {}),
      stop,
    };
  }

  #arguments(port: number): string[] {
    const { program, datadir, directory } = this.#place;
    return [
      '--no-defaults',
      ...userOption(),
      `--datadir=${datadir}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      // Socket paths are limited to 107 characters.
      '--socket=mysqld.sock',
      `--pid-file=${join(directory, BESIDE_DATA.pid)}`,
      // Compiled-in defaults may name folders that only packages create.
      ...(program.flavor === 'mariadb' ? [] : ['--secure-file-priv=NULL']),
      ...this.options,
    ];
  }
}

const CAN_FREEZE = process.platform !== 'win32';

function freezerOf({ signal }: Supervised): Freezer {
  return {
    freeze: () => Promise.resolve(signal('SIGSTOP')),
    thaw: () => Promise.resolve(signal('SIGCONT')),
  };
}

async function ownMounts(datadir: string): Promise<{ mountInfo: string; datadir: string } | undefined> {
  if (process.platform !== 'linux') return undefined;
  return { mountInfo: await readFile('/proc/self/mountinfo', 'utf8'), datadir };
}
