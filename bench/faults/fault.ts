import type { ChildProcess } from 'node:child_process';
import type { EngineProxy } from '../../tests/integration/helpers/engine-proxy.ts';
import type { FaultEngine } from './engine.ts';
import type { Moment, Phase } from './phases.ts';
import type { Ended, Launch } from './program.ts';

/** Everything that a fault can use when it strikes. */
export interface Scene {
  engine: FaultEngine;
  phase: Moment;
  /** Empty before the program starts. */
  runId: string;
  /** The running terminal twin, or its launcher; undefined before it starts. */
  child: ChildProcess | undefined;
  dataDir: string;
  /** A folder of the cell's own, removed with it. */
  home: string;
  /** The proxy between program and engine. */
  proxy: EngineProxy | undefined;
  /** A file with orders for the preload (preload.mjs). */
  faultFile: string;
  /** Aborts when the run has ended, or the cell's time is over. */
  signal: AbortSignal;
  /** Runs once the run has ended, before the next start. */
  later(mend: () => Promise<unknown>): void;
}

/**
 * The declared effect of a fault: `error`, any code with a hint; a code, that one; `stopped`; `no effect`, all is measured
 * without a word although it struck. A cell that shows another effect than it declares has failed.
 */
export type Effect = 'error' | 'stopped' | 'no effect' | Uppercase<string>;

export interface Fault {
  name: string;
  /** Title for people. */
  title: string;
  /** Means of the fault, and its difference from the real one. */
  how: string;
  /** Scenario whose trial of round 2 is struck. */
  scenario?: string;
  /** Differences from the preset of all cells. */
  preset?: {
    storages?: unknown[];
    paths?: string[];
    workload?: string;
    connections?: number;
    seconds?: number;
    /** Whether servers run side by side. */
    sliceSeconds?: number;
  };
  /** The effect in a phase, or why there is no such fault in it; the reason is empty where it makes no sense. */
  effect(phase: Moment): Effect | { none: string };
  /** Stops the engine, takes its image or fills its disk: never on an engine that others use. */
  needsOwnEngine?: boolean;
  /** The kind of engine that it is of; absent: a native one. */
  engine?: 'vm';
  /** Options of a dockerd that the cell starts for itself. */
  daemon?: string[];
  /** The program starts with preload.mjs. */
  preload?: boolean;
  /** The program reaches the engine through a proxy (tests/integration/helpers/engine-proxy.ts). */
  proxy?: boolean | { api: string };
  /** The beginning of the cell's folder name. */
  homeName?: string;
  /** The data folder is on a separate small disk. */
  smallHome?: boolean;
  /** How the struck program is started. */
  launch?: Launch;
  /** How every later command is started. */
  launchNext?: Launch;
  /** The program cleans up before it ends: nothing is left even before the next start. */
  cleans?: boolean;
  /** The sweeper outlives the program: nothing is left soon after its end, even before the next start. */
  isSwept?: boolean;
  /** The program's exit code. */
  exitCode?: number;
  /** Work before the program starts, in every phase. */
  prepare?(home: string): Promise<void>;
  /** Number of trials that are measured in spite of the fault, before the run is resumed. */
  measures?: number;
  /** The next start, instead of `clean`; resolves with broken promises. */
  next?(command: (...args: string[]) => Promise<Ended>, home: string): Promise<string[]>;
  /** The run can't be continued after it. */
  isRefused?: boolean;
  strike(scene: Scene): Promise<void>;
}

export const HOST = 'named-volume.published-port';
export const BRIDGE = 'named-volume.user-bridge';

/** Builds `effect` from a table with a reason for what is missing in it. */
export function effects(
  known: Partial<Record<Moment, Effect>>,
  reasons: Partial<Record<Moment, string>> & { other?: string } = {},
): Fault['effect'] {
  return (phase) => known[phase] ?? { none: reasons[phase] ?? reasons.other ?? '' };
}

/** The same effect in some phases, for such a table. */
export function during(effect: Effect, ...phases: Phase[]): Partial<Record<Moment, Effect>> {
  return Object.fromEntries(phases.map((phase) => [phase, effect]));
}

/** The same effect in every phase of a run. */
export function everywhere(effect: Effect): Fault['effect'] {
  return (phase) => (phase === 'start' ? { none: '' } : effect);
}
