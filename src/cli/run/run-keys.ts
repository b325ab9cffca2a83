import { execFileSync } from 'node:child_process';
import { childEnv } from '../../benchmark/machine/host-source.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { isPaused } from '../../shared/run/pauses.ts';

/** What a terminal is told about its keys. */
export const KEYS_HELP =
  'Keys: p pauses after this trial and goes on again, s skips this trial, Ctrl+C stops.';

/** What keys do. */
export interface KeyActions {
  /** Whether the run waits, or is about to. */
  isPausing(): boolean;
  pause(): void;
  resume(): void;
  skip(): void;
  /** Ctrl+C, which a terminal that passes single keys no longer turns into a signal. */
  interrupt(): void;
}

/** The part of a terminal's input that is used: the seam for tests. */
export type KeyInput = Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode' | 'resume' | 'pause'> & {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
};

const CTRL_C = '\u0003';

/**
 * Listens to single keys of a terminal; undefined where there is none, or where the run goes on in the background. What
 * comes back ends it and gives the terminal back as it was.
 */
export function listenToKeys(
  input: KeyInput,
  actions: KeyActions,
  isForeground: () => boolean = ownsTerminal,
): (() => void) | undefined {
  if (!input.isTTY || !isForeground()) return undefined;
  const end = (): void => {
    input.off('data', onData);
    input.setRawMode(false);
    // Otherwise the process would wait for further keys.
    input.pause();
  };
  const onData = (chunk: Buffer): void => {
    for (const key of chunk.toString()) {
      if (key === 'p' || key === 'P') {
        if (actions.isPausing()) actions.resume();
        else actions.pause();
      } else if (key === 's' || key === 'S') actions.skip();
      else if (key === CTRL_C) {
        // The next one has to reach the process as a signal, which ends it at once.
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

/** Whether a run waits, or will after the trial that runs. */
export function pauseIsOn(state: RunState | undefined): boolean {
  return state !== undefined && (state.pauseRequested || isPaused(state));
}

/**
 * Whoever changes a terminal from the background is stopped by the system (SIGTTOU). `+` in ps(1): in the foreground.
 */
function ownsTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    const args = ['-o', 'stat=', '-p', String(process.pid)];
    return execFileSync('ps', args, { encoding: 'utf8', env: childEnv() }).includes('+');
  } catch {
    return false;
  }
}
