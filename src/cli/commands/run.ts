import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../benchmark/files/replace-file.ts';
import { renderText } from '../../benchmark/report/text.ts';
import type { RunSession } from '../../benchmark/run/session.ts';
import { serializeResult } from '../../benchmark/store/result-file.ts';
import { allOf } from '../../benchmark/runtime/container-runtime.ts';
import { enginesOf, type PlanToRun } from '../../benchmark/service.ts';
import { analyze } from '../../shared/analysis/analyze.ts';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import type { Analysis } from '../../shared/analysis/analysis.ts';
import { runtimeIds } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { whatIsLeft, whyNotContinuable } from '../../shared/run/continuing.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import { formatAbout } from '../../shared/units.ts';
import {
  checkLevels,
  conditionLines,
  type ConditionOption,
  conditionSummary,
  exitCodeOfConditions,
  judgeLevels,
  type LevelCondition,
} from '../conditions.ts';
import { EXIT, exitCodeOfRun } from '../exit-codes.ts';
import { paths, whalemark } from '../installation.ts';
import { type PlanOptions, planText, type RunOptions } from '../plan-command.ts';
import { outFolder, writeOut, type OutFolder, type OutOptions } from '../run/out-folder.ts';
import { type AppOption, type JsonOption, openResult } from './results.ts';
import { progressNotes } from '../run/progress.ts';
import { cleanUpBefore, engineFinder, leftText } from '../run/runtime.ts';
import { agreed } from '../run/agreed.ts';
import { named, runSummary } from '../text/run-summary.ts';
import { note, print, printError, printJson } from '../text/terminal.ts';
import { execFileSync } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { isPaused } from '../../shared/run/progress.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { labelsText } from '../../shared/words/labels.ts';

/** The first signal stops a run, the second ends the program. */
const STOPPING = ['SIGINT', 'SIGTERM'] as const;
/** A closed terminal sends this more than once. */
const TERMINAL_CLOSED = 'SIGHUP';
const LOOK_MS = 3_000;

async function requested(preset: string, options: PlanOptions): Promise<PlanToRun> {
  return whalemark.plan(await whalemark.presets.open(preset), options, engineFinder(options.context));
}

export async function planPreset(preset: string, options: PlanOptions): Promise<number> {
  return showPlan(await requested(preset, options), options, 'plan');
}

export async function runPreset(preset: string, options: RunOptions): Promise<number> {
  return measure(await requested(preset, options), options, 'run');
}

export async function repeatRun(
  source: string,
  options: MeasureOptions & Pick<RunOptions, 'context'>,
): Promise<number> {
  const { plan: stored } = await openResult(source);
  const planned = await whalemark.planAgain(
    stored,
    existsSync(source),
    engineFinder(options.context, stored.engines[0].runtimeId),
  );
  return measure(planned, options, 'repeat');
}

type MeasureOptions = OutOptions &
  ConditionOption<LevelCondition> &
  AppOption &
  JsonOption &
  Pick<PlanOptions, 'allow'>;

export function showPlan(
  { plan }: PlanToRun,
  { failIf, json }: Pick<MeasureOptions, 'failIf' | 'json'>,
  command: string,
): number {
  checkLevels(failIf, plan, command);
  const { scenarios, excluded } = plan;
  if (json) printJson({ ...plan, scenarios: scenarios.map(named), excluded: excluded.map(named) });
  else print(planText(plan));
  return EXIT.done;
}

export interface Conclusion {
  json: object;
  text: string;
}
type Conclude = (state: RunState, analysis: Analysis) => Promise<Conclusion>;

export async function measure(
  planned: PlanToRun,
  options: MeasureOptions,
  command: string,
  conclude?: Conclude,
): Promise<number> {
  checkLevels(options.failIf, planned.plan, command);
  const out = await outFolder(options);
  await cleanUpBefore(allOf(planned), paths);

  note(planText(planned.plan));
  note('');
  const session = await whalemark.start(planned, progressNotes(), {
    consents: await agreed(planned.plan, options.allow),
  });
  return conductRun(session, out, options, conclude);
}

export async function continueRun(
  runId: string,
  options: MeasureOptions & Pick<PlanOptions, 'context'>,
): Promise<number> {
  const state = await whalemark.runs.continuable(runId);
  const find = engineFinder(options.context, state.plan.engines[0].runtimeId);
  const engines = await find(...enginesOf(state.plan));
  checkLevels(options.failIf, state.plan, 'resume');
  const out = await outFolder(options);
  await cleanUpBefore(allOf(engines), paths);

  const { kept: measured, left, leftMs } = whatIsLeft(state);
  note(`${state.plan.preset.name} — ${state.plan.preset.question}`);
  const time = formatAbout(leftMs);
  const rest = left === null ? `until conclusive (at most ${time})` : `the rest (${left}, about ${time})`;
  note(`Resuming: keeps the measured trials (${measured}) and measures ${rest}`);
  note('');
  const session = await whalemark.start({ plan: state.plan, ...engines, continues: runId }, progressNotes(), {
    consents: options.allow ?? [],
  });
  return conductRun(session, out, options);
}

export async function conductRun(
  session: RunSession,
  out: OutFolder | undefined,
  { app, json, failIf }: AppOption & JsonOption & ConditionOption<LevelCondition> = {},
  conclude?: Conclude,
): Promise<number> {
  const stop = (): void => session.stop();
  let isAsked = false;
  let isDone = false;
  const stopOrLeave = (): void => {
    if (!isAsked) stop();
    else {
      // A third signal ends the program at once.
      for (const signal of STOPPING) process.removeListener(signal, stopOrLeave);
      void leave(session, () => isDone);
    }
    isAsked = true;
  };
  for (const signal of STOPPING) process.on(signal, stopOrLeave);
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
  isDone = true;
  stopListening?.();
  for (const signal of STOPPING) process.removeListener(signal, stopOrLeave);
  process.removeListener(TERMINAL_CLOSED, stop);

  let path = saveError === null ? journalPath : null;
  let outError: ErrorData | undefined;
  let concluded: Conclusion | undefined;
  const analysis = analyze(state, { appPlace: app ?? null });
  const conditions = judgeLevels(failIf, analysis);
  try {
    if (out !== undefined) path = await writeOut(out, state);
    else if (json && path !== null) {
      path = join(dirname(path), 'result.json');
      await replaceFile(path, serializeResult(state));
    }
    concluded = await conclude?.(state, analysis);
  } catch (error) {
    outError = toErrorData(error);
  }
  if (saveError !== null) printError(saveError);
  if (state.error !== null) printError(state.error);
  for (const { labels, error, rounds } of failureGroups(state)) {
    note(`${labelsText(labels, ENGLISH)}, round ${rounds.join(', ')}: ${error.message} [${error.code}]`);
    note(`  → ${error.hint}`);
  }
  if (json) {
    const summary = runSummary(state, analysis, path);
    printJson({ ...summary, conditions: conditionSummary(conditions), ...concluded?.json });
  } else {
    const all = saveError === null ? `\nFull result: whalemark analyze ${state.runId}` : '';
    const isUnanswered = analysis.app.isAsked && analysis.app.place === null;
    const own = isUnanswered ? ' --app host (or container, where your app runs)' : '';
    const result = path === null ? '' : `\nResult: ${path}${all}${all === '' ? '' : own}`;
    print(
      renderText(state, analysis, saveError === null) +
        conditionLines(conditions) +
        result +
        (concluded?.text ?? ''),
    );
  }
  const hint = continueHint(state);
  if (hint !== undefined) note(hint);
  if (outError !== undefined) printError(outError);
  const isWritten = saveError === null && outError === undefined;
  const exitCode = isWritten ? exitCodeOfRun(state) : Math.max(exitCodeOfRun(state), EXIT.someFailed);
  return exitCode === EXIT.done ? exitCodeOfConditions(conditions) : exitCode;
}

/** The run's sweeper removes leftovers. */
async function leave(session: RunSession, isDone: () => boolean): Promise<void> {
  const noAnswer = after(LOOK_MS, undefined, { ref: false });
  const left = await Promise.race([session.left(), noAnswer]).catch(() => undefined);
  if (isDone()) return;
  const plan = session.state()?.plan;
  note(leftText(left, plan === undefined ? [] : runtimeIds(plan)));
  process.exit(EXIT.stopped);
}

function continueHint(state: RunState): string | undefined {
  if (whyNotContinuable(state) !== undefined) return undefined;
  const time = formatAbout(whatIsLeft(state).leftMs);
  const allowed = state.plan.consents.map(({ consent }) => ` --allow ${consent}`).join('');
  return `To measure the remaining rounds (at most ${time}): whalemark resume ${state.runId}${allowed}`;
}

const KEYS_HELP = 'Keys: p pauses and resumes, s skips this trial, Ctrl+C stops.';

interface KeyActions {
  isPausing(): boolean;
  pause(): void;
  resume(): void;
  skip(): void;
  interrupt(): void;
}

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
    input.pause();
  };
  const onData = (chunk: Buffer): void => {
    for (const key of chunk.toString()) {
      if (key === 'p' || key === 'P') {
        if (actions.isPausing()) actions.resume();
        else actions.pause();
      } else if (key === 's' || key === 'S') actions.skip();
      else if (key === CTRL_C) {
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

export function pauseIsOn(state: RunState | undefined): boolean {
  return state !== undefined && (state.pauseRequested || isPaused(state));
}

/** The system stops a background process that changes the terminal (SIGTTOU). `+` in ps(1): foreground. */
function ownsTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    const args = ['-o', 'stat=', '-p', String(process.pid)];
    return execFileSync('ps', args, { encoding: 'utf8' }).includes('+');
  } catch {
    return false;
  }
}
