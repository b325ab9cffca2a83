import { renderText } from '../../benchmark/report/text.ts';
import type { RunSession } from '../../benchmark/run/session.ts';
import { analyse } from '../../shared/analysis/analyse.ts';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import { trialsWithoutNumbers, whyNotContinuable } from '../../shared/run/continuing.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { EXIT, exitCodeOfRun } from '../exit-codes.ts';
import { progressLine } from '../text/progress.ts';
import { writeOut, type OutFolder } from './out-folder.ts';
import { KEYS_HELP, listenToKeys, pauseIsOn } from './run-keys.ts';
import { runSummary } from '../text/run-summary.ts';
import { note, print, printError, printJson } from '../text/terminal.ts';

/** What stops a run in an orderly way. The second one ends the process at once. */
const STOPPING = ['SIGINT', 'SIGTERM'] as const;
/** Stops a run, too. A terminal that is closed sends it more than once: the shell does, and then the system. */
const TERMINAL_CLOSED = 'SIGHUP';

/** Where the outcome of a run goes beside the terminal. */
export interface RunOutput {
  out: OutFolder | undefined;
  json: boolean;
}

/** A line of progress for what happens in a run, where it deserves one. */
export function noteProgress(event: RunEvent, state: RunState): void {
  const line = progressLine(event, state);
  if (line !== undefined) note(line);
}

/** Sees a run that was started to its end: signals, keys, report. Resolves with the command's exit code. */
export async function conductRun(session: RunSession, { out, json }: RunOutput): Promise<number> {
  const stop = (): void => session.stop();
  for (const signal of STOPPING) process.once(signal, stop);
  process.on(TERMINAL_CLOSED, stop);
  const stopListening = listenToKeys(process.stdin, {
    isPausing: () => pauseIsOn(session.state()),
    pause: () => session.pause(),
    resume: () => session.resume(),
    skip: () => session.skip(),
    interrupt: () => process.kill(process.pid, 'SIGINT'),
  });
  if (stopListening !== undefined) note(KEYS_HELP);
  const { state, resultPath, saveError } = await session.done;
  stopListening?.();
  for (const signal of [...STOPPING, TERMINAL_CLOSED]) process.removeListener(signal, stop);

  let path = saveError === null ? resultPath : null;
  let outError: ErrorData | undefined;
  try {
    if (out !== undefined) path = await writeOut(out, state);
  } catch (error) {
    // What was measured is kept all the same, and has to be told first.
    outError = toErrorData(error);
  }
  const analysis = analyse(state);
  if (saveError !== null) printError(saveError);
  if (state.error !== null) printError(state.error);
  for (const { scenarioId, error, rounds } of failureGroups(state)) {
    note(`${scenarioId}, round ${rounds.join(', ')}: ${error.message} [${error.code}]`);
    note(`  → ${error.hint}`);
  }
  if (json) printJson(runSummary(state, analysis, path));
  else print(renderText(state, analysis) + (path === null ? '' : `\nResult: ${path}`));
  const hint = continueHint(state);
  if (hint !== undefined) note(hint);
  if (outError !== undefined) printError(outError);
  const isWritten = saveError === null && outError === undefined;
  return isWritten ? exitCodeOfRun(state) : Math.max(exitCodeOfRun(state), EXIT.someFailed);
}

/** How a run that ended early is gone on with; undefined where nothing is left. */
function continueHint(state: RunState): string | undefined {
  if (whyNotContinuable(state) !== undefined) return undefined;
  const left = trialsWithoutNumbers(state).length;
  return `${left} of ${state.trials.length} trials are left. To measure them: whalemark continue ${state.runId}`;
}
