import type { PathKind } from '../../shared/kinds/paths.ts';
import type { FlushTimes } from '../../shared/model/events.ts';
import type { LoadTarget } from '../load/driver.ts';

/** Where the volume with a server's socket is mounted, in the server's and in the client's container. */
export const SOCKET_DIRECTORY = '/run/whalemark-socket';

/** How long things may take before they count as failed, ms. */
export interface ServerBudgets {
  /** From the server's start to its own "ready" line. */
  readyMs: number;
  /** From then until the path carries a query; some runtimes forward ports many seconds late. */
  pathMs: number;
  /** How long a lost engine may stay away during a trial; absent: half a minute. */
  awayMs?: number;
}
export const DEFAULT_BUDGETS: ServerBudgets = { readyMs: 120_000, pathMs: 60_000 };
/** Slow shares need minutes to initialise. */
export const SLOW_READY_MS = 600_000;

/** What a server is given to shut down cleanly before it is killed, seconds. */
export const SHUTDOWN_SECONDS = 60;

export type Address = Pick<LoadTarget, 'host' | 'port' | 'socketPath'>;
export type Account = Pick<LoadTarget, 'user' | 'password' | 'database'>;

/** What a server is started for, as messages about its early end name it. */
export type ServerPhase = 'initialisation' | 'start';

/** A server over a whole run, wherever it runs: started and stopped for every trial. */
export interface TargetServer {
  /** Server id in the plan. */
  readonly id: string;
  /** Options that it is started with, beside those that only say where it is. */
  readonly options: string[];
  /** The account that loads it. */
  readonly account: Account;
  /**
   * Starts it and waits until it says itself that it is ready on its real port (not the temporary server of an
   * initialisation). `phase` is for the message of an early end.
   * Rejects with the failure doctor's diagnosis, SERVER_NOT_READY, ENGINE_LOST or STOPPED.
   */
  start(phase: ServerPhase, signal: AbortSignal): Promise<RunningServer>;
  /**
   * Stops it after the connection to its engine broke, whatever it does by then; absent: a run can't go on then. Rejects
   * with what the engine says.
   */
  halt?(): Promise<void>;
}

export interface RunningServer {
  /** Rejects with a diagnosis when the server ends without having been asked to; never resolves. */
  readonly failed: Promise<never>;
  /** Its container, for clients that share its network; undefined for a server without one. */
  readonly containerId: string | undefined;
  /** Where a client finds it over a path. */
  address(path: PathKind): Address;
  logTail(): string[];
  /** The text of /proc/self/mountinfo as the server sees it and where its datadir is in there; undefined: unknown. */
  mounts(): Promise<{ mountInfo: string; datadir: string } | undefined>;
  /** How long the storage of its datadir takes to flush a small write; undefined: unknown. */
  flush(): Promise<FlushTimes | undefined>;
  /** Whether it still runs. Rejects with ENGINE_LOST. */
  isAlive(): Promise<boolean>;
  /** Clean shutdown; resolves with the exit code, null when there is none to know. */
  stop(graceSeconds: number): Promise<number | null>;
}
