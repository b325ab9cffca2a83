import type { ChildProcess } from 'node:child_process';
import type { FaultEngine } from './engine.ts';
import type { Phase } from './phases.ts';

/** What a fault has to do with when it strikes. */
export interface Scene {
  engine: FaultEngine;
  phase: Phase;
  runId: string;
  /** The terminal twin that is running. */
  child: ChildProcess;
  dataDir: string;
  /** What is written there, the preload does (preload.mjs). */
  faultFile: string;
  /** Aborts when the run has ended, or the cell's time is over. */
  signal: AbortSignal;
  /** Runs once the run has ended, before the next start. */
  later(mend: () => Promise<unknown>): void;
}

/**
 * What a fault has to lead to: `error`, a code with a hint somewhere; `stopped`; `harmless`, all is measured as if nothing had
 * happened; `either` where it depends on the moment, and both are right.
 */
export type Effect = 'error' | 'stopped' | 'harmless' | 'either';

export interface Fault {
  name: string;
  /** For people. */
  title: string;
  /** How it is done here, and how far that is the real thing. */
  how: string;
  /** Scenario whose trial of round 2 is struck. */
  scenario: ScenarioId;
  /** What it leads to in a phase, or why there is no such fault in it. */
  effect(phase: Phase): Effect | { none: string };
  /** Stops the engine, takes its image or fills its disk: never on an engine that others use. */
  needsOwnEngine?: boolean;
  /** Uses preload.mjs. */
  preload?: boolean;
  /** The data folder is on a small disk of its own. */
  smallHome?: boolean;
  strike(scene: Scene): Promise<void>;
}

export const HOST = 'named-volume.published-port';
export const BRIDGE = 'named-volume.user-bridge';
export const HOST_NETWORK = 'named-volume.host-network';
export type ScenarioId = typeof HOST | typeof BRIDGE | typeof HOST_NETWORK;

/** Builds `effect` from a table with a reason for what is missing in it. */
export function effects(
  known: Partial<Record<Phase, Effect>>,
  reasons: Partial<Record<Phase, string>> & { other?: string } = {},
): Fault['effect'] {
  return (phase) => known[phase] ?? { none: reasons[phase] ?? reasons.other ?? '' };
}

/** The same effect in every phase, but for some. */
export function everywhere(effect: Effect, but: Partial<Record<Phase, Effect>> = {}): Fault['effect'] {
  return (phase) => but[phase] ?? effect;
}
