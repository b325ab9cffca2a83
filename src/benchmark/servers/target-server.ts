import type { PathKind } from '../../shared/kinds/paths.ts';
import type { StartPart } from '../../shared/model/evidence.ts';
import type { FlushTimes } from '../../shared/model/events.ts';
import type { LoadTarget } from '../load/load-client.ts';

/** For the volume with a server's socket, in the server's and the client's container. */
export const SOCKET_DIRECTORY = '/run/whalemark-socket';

export interface ServerBudgets {
  readyMs: number;
  pathMs: number;
  awayMs?: number;
}
export const DEFAULT_BUDGETS: ServerBudgets = { readyMs: 120_000, pathMs: 60_000 };
/** Slow shares need minutes to initialize. */
export const SLOW_READY_MS = 600_000;

/** For a clean shutdown before it is killed, seconds. */
export const SHUTDOWN_SECONDS = 60;

export type Address = Pick<LoadTarget, 'host' | 'port' | 'socketPath'>;
export type Account = Pick<LoadTarget, 'user' | 'password' | 'database'>;

export type ServerPhase = 'initialization' | 'start';

export interface TargetServer {
  readonly id: string;
  /** Without those that only say where it is. */
  readonly options: string[];
  readonly account: Account;
  /**
   * Resolves when the server reports readiness on its real port, not on initialization's temporary one. `phase` is
   * for the message of an early end. Rejects with the failure doctor's diagnosis, SERVER_NOT_READY, ENGINE_LOST, or
   * STOPPED.
   */
  start(phase: ServerPhase, signal: AbortSignal): Promise<RunningServer>;
  /** Stops it in any state after the connection to its engine broke; absent: the run can't continue then. */
  halt?(): Promise<void>;
}

/** Both may be called in any state; a frozen server keeps its connections, and does nothing in the background. */
export interface Freezer {
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

export interface RunningServer {
  /** From the engine's order to start it until it said that it is ready, ms; undefined: unknown. */
  readonly startedMs?: number;
  /** What that was spent on, ms. */
  readonly startParts?: Record<Exclude<StartPart, 'login'>, number>;
  readonly failed: Promise<never>;
  /** For clients that share its network; undefined without a container. */
  readonly containerId: string | undefined;
  address(path: PathKind): Address;
  logTail(): string[];
  /** /proc/self/mountinfo as the server sees it; undefined: unknown. */
  mounts(): Promise<{ mountInfo: string; datadir: string } | undefined>;
  flush(): Promise<FlushTimes | undefined>;
  isAlive(): Promise<boolean>;
  /** Absent: it can't be frozen. */
  freezer?: Freezer;
  /** Clean shutdown; the exit code, or null if unknown. */
  stop(graceSeconds: number): Promise<number | null>;
}
