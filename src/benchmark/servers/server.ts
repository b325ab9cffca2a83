import { setTimeout as wait } from 'node:timers/promises';
import type { Said } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { PATHS, SERVER_PORT, type ContainerAttach, type PathKind } from '../../shared/kinds/paths.ts';
import type { Limits } from '../../shared/model/server-spec.ts';
import type { ContainerClient, ContainerState, MountSpec } from '../runtime/container-runtime.ts';
import { LATE_PAUSE_MS } from '../runtime/engine/container-pauses.ts';
import { unlessStopped } from '../stop.ts';
import { diagnoseServer, untilPaused } from './failure-doctor.ts';
import { probeFlush } from './storage/flush-meter.ts';
import { keepLine, logEvidence, LogLimit, readyPort } from './server-log.ts';
import { StartMarks } from './start-parts.ts';
import type { PreparedStorage } from './storage/prepared-storage.ts';
import {
  SHUTDOWN_SECONDS,
  SOCKET_DIRECTORY,
  type Account,
  type Address,
  type RunningServer,
  type ServerBudgets,
  type TargetServer,
  type ServerPhase,
  untilReady,
} from './target-server.ts';

export type ServerContainer = Pick<
  ContainerClient,
  | 'create'
  | 'start'
  | 'stop'
  | 'pause'
  | 'unpause'
  | 'inspect'
  | 'wait'
  | 'waitPaused'
  | 'followLogs'
  | 'exec'
>;

export interface ServerSpec {
  container: ServerContainer;
  id: string;
  name: string;
  image: string;
  labels: Record<string, string>;
  options: string[];
  account: Account;
  env: Record<string, string>;
  mounts?: MountSpec[];
  limits?: Limits;
  storage: PreparedStorage;
  storageName: Said;
  attach: ContainerAttach;
  network: string;
  socketVolume?: string;
  hostPort?: number;
  budgets: ServerBudgets;
  onLog: (lines: string[]) => void;
}

const SOCKET_PATH = `${SOCKET_DIRECTORY}/mysqld.sock`;

const LATE_STOP_SECONDS = 10;

export class Server implements TargetServer {
  readonly spec: ServerSpec;
  readonly containerId: string;
  readonly #log: string[] = [];
  readonly #logLimit: LogLimit;
  #stopping = false;
  #isFrozen = false;

  private constructor(spec: ServerSpec, containerId: string) {
    this.spec = spec;
    this.#logLimit = new LogLimit(spec.onLog);
    this.containerId = containerId;
  }

  static async create(spec: ServerSpec): Promise<Server> {
    const onHost = spec.hostPort !== undefined;
    const { mounts = [], ...parts } = spec.storage.container;
    const containerId = await spec.container.create({
      ...parts,
      name: spec.name,
      image: spec.image,
      labels: spec.labels,
      env: spec.env,
      command: [
        `--datadir=${spec.storage.datadir}`,
        ...(onHost
          ? [`--port=${spec.hostPort}`, '--bind-address=127.0.0.1']
          : [`--port=${SERVER_PORT}`, '--bind-address=*']),
        ...(spec.socketVolume === undefined ? [] : [`--socket=${SOCKET_PATH}`]),
        ...spec.options,
      ],
      mounts: [
        ...mounts,
        ...(spec.mounts ?? []),
        ...(spec.socketVolume === undefined
          ? []
          : [{ type: 'volume' as const, source: spec.socketVolume, target: SOCKET_DIRECTORY }]),
      ],
      network: onHost ? 'host' : spec.network,
      ...(onHost ? {} : { networkAliases: [spec.name] }),
      ...(spec.attach === 'bridge' ? { publish: [SERVER_PORT] } : {}),
      stopTimeoutSeconds: SHUTDOWN_SECONDS,
      ...(spec.limits === undefined ? {} : { limits: spec.limits }),
    });
    return new Server(spec, containerId);
  }

  get id(): string {
    return this.spec.id;
  }

  get options(): string[] {
    return this.spec.options;
  }

  get account(): Account {
    return this.spec.account;
  }

  get #port(): number {
    return this.spec.hostPort ?? SERVER_PORT;
  }

  async start(phase: ServerPhase, signal: AbortSignal): Promise<RunningServer> {
    const { container, budgets } = this.spec;
    this.#stopping = false;
    this.#log.length = 0;
    const began = performance.now();
    await container.start(this.containerId);
    const containerMs = performance.now() - began;
    const marks = new StartMarks();
    const state = await container.inspect(this.containerId);
    const life = new AbortController();
    const endLife = (): void => life.abort();
    signal.addEventListener('abort', endLife, { once: true });

    let ready = (): void => undefined;
    const saysReady = new Promise<void>((resolve) => (ready = resolve));
    const onLine = (line: string): void => {
      // Results contain no words of a user's script.
      if (marks.see(line, performance.now() - began)) return;
      keepLine(this.#log, line);
      this.#logLimit.push(line);
      if (readyPort(line) === this.#port) ready();
    };
    const logEnded = container
      .followLogs(this.containerId, onLine, {
        signal: life.signal,
        ...(state.startedAt === '' ? {} : { since: state.startedAt }),
      })
      .finally(() => this.#logLimit.end());
    const failed = Promise.race([
      this.#failure(phase, marks, logEnded, life.signal),
      untilPaused(container, this.containerId, life.signal, () => this.#isPausedByOthers(life.signal)),
    ]);
    // Log streams of a stopped server would keep this process alive.
    failed.catch(endLife);
    logEnded.catch(() => undefined);

    try {
      await untilReady(saysReady, failed, this.#log, budgets, signal);
    } catch (error) {
      if (error instanceof BenchmarkError && error.code === 'SERVER_NOT_READY') {
        // A server that starts late would run during the next server's trials.
        this.#stopping = true;
        await unlessStopped(signal, container.stop(this.containerId, LATE_STOP_SECONDS)).catch(
          () => undefined,
        );
      }
      life.abort();
      signal.removeEventListener('abort', endLife);
      throw error;
    }
    const startedMs = performance.now() - began;
    return {
      startedMs,
      startParts: marks.parts(containerMs, startedMs),
      initScripts: marks.scripts,
      containerId: this.containerId,
      failed,
      address: (path) => this.#address(path, state),
      logTail: () => logEvidence(this.#log),
      mounts: async () => {
        const { exitCode, stdout } = await container.exec(this.containerId, ['cat', '/proc/self/mountinfo']);
        return exitCode === 0 ? { mountInfo: stdout, datadir: this.spec.storage.datadir } : undefined;
      },
      flush: () =>
        probeFlush((command) => container.exec(this.containerId, command), this.spec.storage.datadir),
      isAlive: async () => (await container.inspect(this.containerId)).running,
      freezer: { freeze: () => this.#freeze(), thaw: () => this.#thaw() },
      stop: async (graceSeconds) => {
        this.#stopping = true;
        try {
          await this.#thaw();
          await container.stop(this.containerId, graceSeconds);
        } finally {
          life.abort();
          signal.removeEventListener('abort', endLife);
        }
        return (await container.inspect(this.containerId)).exitCode;
      },
    };
  }

  async halt(): Promise<void> {
    await this.#thaw();
    await this.spec.container.stop(this.containerId, SHUTDOWN_SECONDS);
  }

  async #freeze(): Promise<void> {
    if (this.#isFrozen) return;
    this.#isFrozen = true;
    try {
      await this.spec.container.pause(this.containerId);
    } catch (error) {
      this.#isFrozen = false;
      throw error;
    }
  }

  /** The engine may report a pause late, or twice. */
  async #isPausedByOthers(signal: AbortSignal): Promise<boolean> {
    if (this.#isFrozen) return false;
    await wait(LATE_PAUSE_MS, undefined, { signal });
    return !this.#isFrozen && (await this.spec.container.inspect(this.containerId)).paused;
  }

  async #thaw(): Promise<void> {
    if (!this.#isFrozen) return;
    await this.spec.container.unpause(this.containerId);
    this.#isFrozen = false;
  }

  async #failure(
    phase: ServerPhase,
    marks: StartMarks,
    logEnded: Promise<void>,
    signal: AbortSignal,
  ): Promise<never> {
    const { container } = this.spec;
    let exitCode: number;
    try {
      exitCode = await container.wait(this.containerId, signal);
    } catch (error) {
      if (signal.aborted) return new Promise<never>(() => undefined);
      throw error;
    }
    if (this.#stopping || signal.aborted) return new Promise<never>(() => undefined);
    // The last lines name the cause; they may follow the exit.
    await logEnded.catch(() => undefined);
    const { oomKilled } = await container.inspect(this.containerId);
    throw diagnoseServer({
      exitCode,
      oomKilled,
      log: this.#log,
      script: marks.script,
      phase,
      storage: this.spec.storageName,
    });
  }

  #address(path: PathKind, state: ContainerState): Address {
    const { hostPort, network, name } = this.spec;
    return PATHS[path].address({
      hostPort: hostPort ?? state.ports[SERVER_PORT] ?? 0,
      containerAddress: state.addresses[network] ?? '',
      containerName: name,
      socketPath: SOCKET_PATH,
    });
  }
}
