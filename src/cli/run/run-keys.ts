import { execFileSync } from 'node:child_process';
import { childEnv } from '../../benchmark/machine/host-source.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { isPaused } from '../../shared/run/pauses.ts';

export const KEYS_HELP =
  'Keys: p pauses after this trial and goes on again, s skips this trial, Ctrl+C stops.';

export interface KeyActions {
  /** Paused, or about to. */
  isPausing(): boolean;
  pause(): void;
  resume(): void;
  skip(): void;
  /** Ctrl+C is no signal in raw mode. */
  interrupt(): void;
}

/** Replaceable in tests. */
export type KeyInput = Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode' | 'resume' | 'pause'> & {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
};

const CTRL_C = '\u0003';

/** Undefined without a terminal or in the background. The returned function restores the terminal. */
export function listenToKeys(
  input: KeyInput,
  actions: KeyActions,
  isForeground: () => boolean = ownsTerminal,
): (() => void) | undefined {
  if (!input.isTTY || !isForeground()) return undefined;
  const end = (): void => {
    input.off('data', onData);
    input.setRawMode(false);
    // Lets the process end.
    input.pause();
  };
  const onData = (chunk: Buffer): void => {
    for (const key of chunk.toString()) {
      if (key === 'p' || key === 'P') {
        if (actions.isPausing()) actions.resume();
        else actions.pause();
      } else if (key === 's' || key === 'S') actions.skip();
      else if (key === CTRL_C) {
        // A second Ctrl+C must reach the process as a signal.
        end();
        actions.interrupt();
        return;
      }
    }
  };
  input.setRawMode(true);
  input.on('data', onData);
  input.resume();
  return end;
}

/** Paused, or after the current trial. */
export function pauseIsOn(state: RunState | undefined): boolean {
  return state !== undefined && (state.pauseRequested || isPaused(state));
}

/** The system stops a background process that changes the terminal (SIGTTOU). `+` in ps(1): foreground. */
function ownsTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    const args = ['-o', 'stat=', '-p', String(process.pid)];
    return execFileSync('ps', args, { encoding: 'utf8', env: childEnv() }).includes('+');
  } catch {
    return false;
  }
}
