import { dirname, join } from 'node:path';
import { replaceFile } from '../../benchmark/files/replace-file.ts';
import { loadInstallation } from '../../benchmark/installation/installation.ts';
import { makePlan } from '../../benchmark/plan/plan.ts';
import { requireAnswers } from '../../benchmark/presets/preset-store.ts';
import { findPreset } from '../../benchmark/presets/preset-file.ts';
import { renderText } from '../../benchmark/report/text.ts';
import type { RunSecrets } from '../../benchmark/run/context.ts';
import { continueSession, startSession, type RunSession } from '../../benchmark/run/session.ts';
import { RunStore } from '../../benchmark/runs/run-store.ts';
import { writeResultFile } from '../../benchmark/runs/stored-result.ts';
import type { ContainerRuntime } from '../../benchmark/runtime/container-runtime.ts';
import { analyse } from '../../shared/analysis/analyse.ts';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import type { Consent, Plan } from '../../shared/model/plan.ts';
import { shortForm } from '../../shared/model/preset-forms.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import {
  asContinued,
  trialsWithoutNumbers,
  whatIsLeft,
  whyNotContinuable,
} from '../../shared/run/continuing.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import { formatDuration } from '../../shared/words/units.ts';
import { EXIT, exitCodeOfRun } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { type PlanOptions, withOptions } from '../plan-command.ts';
import { outFolder, writeOut, type OutFolder, type OutOptions } from '../run/out-folder.ts';
import { KEYS_HELP, listenToKeys, pauseIsOn } from '../run/run-keys.ts';
import { cleanUpBefore, findRuntime } from '../run/runtime.ts';
import { planText } from '../text/plan-text.ts';
import { progressLine, runSummary } from '../text/run-summary.ts';
import { note, print, printError, printJson } from '../text/terminal.ts';

/** What stops a run in an orderly way. The second one ends the process at once. */
const STOPPING = ['SIGINT', 'SIGTERM'] as const;
/** Stops a run, too. A terminal that is closed sends it more than once: the shell does, and then the system. */
const TERMINAL_CLOSED = 'SIGHUP';

/** A plan that the command line asks for, and what it takes to start it. */
interface RequestedPlan {
  plan: Plan;
  runtime: ContainerRuntime;
  consents: Consent[];
  secrets: RunSecrets;
}

/** The plan that a preset and the command line's options come to: the short form first, then the options. */
async function requested(presetName: string, options: PlanOptions): Promise<RequestedPlan> {
  const { consent: consents = [], short: isShort = false } = options;
  const found = await findPreset(presetName, paths.presetsDir, paths.dataDir);
  const preset = withOptions(isShort ? shortForm(found) : found, options, process.env);
  requireAnswers(preset);
  const runtime = await findRuntime(options.context);
  const { clientImageFiles } = await loadInstallation(paths);
  const plan = await makePlan({
    preset,
    mode: isShort ? 'short' : 'full',
    runtime,
    imageNamedByUser: options.image !== undefined,
    // An address on this very command line, or the word for one that the preset names.
    asksExternal:
      consents.includes('external') || (options.dsn ?? process.env['WHALEMARK_DSN']) !== undefined,
    clientImageFiles,
    dataDir: paths.dataDir,
    referenceDir: join(paths.assetsDir, 'reference'),
  });
  return { plan, runtime, consents, secrets: { dsn: preset.server.dsn } };
}

/** `whalemark plan` */
export async function planPreset(presetName: string, options: PlanOptions): Promise<number> {
  const { plan } = await requested(presetName, options);
  if (options.json) printJson(plan);
  else print(planText(plan));
  return EXIT.done;
}

/** `whalemark run`: one run from plan to report. */
export async function runPreset(presetName: string, options: PlanOptions): Promise<number> {
  const { plan, runtime, consents, secrets } = await requested(presetName, options);
  const out = await outFolder(options);
  const installation = await loadInstallation(paths);
  await cleanUpBefore(runtime, installation);

  note(planText(plan));
  note('');
  const session = await startSession(plan, runtime, installation, noteProgress, {
    consents,
    secrets,
    freshDataset: options.freshDataset ?? false,
  });
  return conductRun(session, out, options.json);
}

/** `whalemark continue`: measures what a run that ended early has left, and reports the whole. */
export async function continueRun(
  runId: string,
  options: OutOptions & Pick<PlanOptions, 'consent' | 'context' | 'dsn' | 'json'>,
): Promise<number> {
  const installation = await loadInstallation(paths);
  const state = await new RunStore(installation.dataDir).continuable(runId);
  const runtime = await findRuntime(options.context, state.plan.runtimeId);
  const out = await outFolder(options);
  await cleanUpBefore(runtime, installation);

  const { kept, left, all, leftMs } = whatIsLeft(asContinued(state, runtime.passport));
  note(`${state.plan.preset.name} — ${state.plan.preset.question}`);
  note(`Going on: ${kept} of ${all} trials are kept, ${left} are left, about ${formatDuration(leftMs)}`);
  note('');
  const session = await continueSession(runId, runtime, installation, noteProgress, {
    consents: options.consent ?? [],
    secrets: { dsn: options.dsn ?? process.env['WHALEMARK_DSN'] },
  });
  return conductRun(session, out, options.json);
}

function noteProgress(event: RunEvent, state: RunState): void {
  const line = progressLine(event, state);
  if (line !== undefined) note(line);
}

/** Sees a run that was started to its end: signals, keys, report. Resolves with the command's exit code. */
export async function conductRun(
  session: RunSession,
  out: OutFolder | undefined,
  json = false,
): Promise<number> {
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
  const { state, journalPath, saveError } = await session.done;
  stopListening?.();
  for (const signal of [...STOPPING, TERMINAL_CLOSED]) process.removeListener(signal, stop);

  let path = saveError === null ? journalPath : null;
  let outError: ErrorData | undefined;
  try {
    if (out !== undefined) path = await writeOut(out, state);
    else if (json && path !== null) {
      path = join(dirname(path), 'result.json');
      await replaceFile(path, (draft) => writeResultFile(draft, state));
    }
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
