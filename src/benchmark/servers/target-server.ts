import type { PathKind } from '../../shared/kinds/paths.ts';
import type { InitScript, StartPart } from '../../shared/model/evidence.ts';
import type { FlushTimes } from '../../shared/model/events.ts';
import type { LoadTarget } from '../load/load-client.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { unlessStopped } from '../stop.ts';
import { logEvidence } from './server-log.ts';

export const SOCKET_DIRECTORY = '/run/whalemark-socket';

export interface ServerBudgets {
  readyMs: number;
  pathMs: number;
  awayMs?: number;
}
export const DEFAULT_BUDGETS: ServerBudgets = { readyMs: 120_000, pathMs: 60_000 };
/** Slow shares need minutes to initialize. */
export const SLOW_READY_MS = 600_000;

export const SHUTDOWN_SECONDS = 60;

export type Address = Pick<LoadTarget, 'host' | 'port' | 'socketPath'>;
export type Account = Pick<LoadTarget, 'user' | 'password' | 'database'>;

export type ServerPhase = 'initialization' | 'start';

export interface TargetServer {
  readonly id: string;
  readonly options: string[];
  readonly account: Account;
  /**
   * Resolves when the real port is ready, not initialization's temporary one. Rejects with the failure
   * doctor's diagnosis, SERVER_NOT_READY, ENGINE_LOST, or STOPPED.
   */
  start(phase: ServerPhase, signal: AbortSignal): Promise<RunningServer>;
  /** Stops the server after a lost connection; absent: the run can't continue. */
  halt?(): Promise<void>;
}

/** A frozen server keeps its connections. */
export interface Freezer {
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

export interface RunningServer {
  /** Time from the engine's order; undefined: unknown. */
  readonly startedMs?: number;
  readonly startParts?: Record<Exclude<StartPart, 'login'>, number>;
  readonly initScripts?: readonly InitScript[];
  readonly failed: Promise<never>;
  /** Undefined without a container. */
  readonly containerId: string | undefined;
  address(path: PathKind): Address;
  logTail(): string[];
  /** The server's view; undefined: unknown. */
  mounts(): Promise<{ mountInfo: string; datadir: string } | undefined>;
  flush(): Promise<FlushTimes | undefined>;
  isAlive(): Promise<boolean>;
  freezer?: Freezer;
  /** Null: the exit code is unknown. */
  stop(graceSeconds: number): Promise<number | null>;
}

/** Rejects like `failed`, with SERVER_NOT_READY after `readyMs`, or STOPPED. */
export async function untilReady(
  saysReady: Promise<void>,
  failed: Promise<never>,
  log: readonly string[],
  { readyMs }: ServerBudgets,
  signal: AbortSignal,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = String(Math.round(readyMs / 1000));
      reject(new BenchmarkError('SERVER_NOT_READY', { seconds }, { evidence: logEvidence(log) }));
    }, readyMs);
  });
  try {
    await unlessStopped(signal, Promise.race([saysReady, failed, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects with DATASET_FAILED if files may be incomplete. */
export async function stopCleanly(running: RunningServer, signal: AbortSignal): Promise<void> {
  const exitCode = await unlessStopped(signal, running.stop(SHUTDOWN_SECONDS));
  // Windows has no SIGTERM: a native server recovers at its next start.
  const isKilled = running.containerId === undefined && process.platform === 'win32';
  if (exitCode === 0 || isKilled) return;
  const reason = `the server did not shut down cleanly (exit code ${String(exitCode)})`;
  throw new BenchmarkError('DATASET_FAILED', { reason }, { evidence: running.logTail() });
}
