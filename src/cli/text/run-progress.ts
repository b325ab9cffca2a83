import { analyze } from '../../shared/analysis/analyze.ts';
import { endedRounds, factorProgress } from '../../shared/analysis/factor-progress.ts';
import { englishOf } from '../../shared/message.ts';
import type { RunEvent } from '../../shared/model/events.ts';
import { tps } from '../../shared/model/measurements.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { failedTrials } from '../../shared/run/failures.ts';
import { countdown } from '../../shared/run/countdown.ts';
import { shownPass } from '../../shared/run/current-pass.ts';
import { isOpen, progressOf, type RunProgress } from '../../shared/run/progress.ts';
import { hasOpenPasses, passesOf } from '../../shared/run/planned-time.ts';
import { factorStateText } from '../../shared/words/effect-table.ts';
import { clauseOf } from '../../shared/words/finding-wording.ts';
import { speedText } from '../../shared/words/effect-wording.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';
import { stepText, timeLeftText } from '../../shared/words/step-wording.ts';
import { formatDuration, formatLatency } from '../../shared/units.ts';

/** Interval between shown effects of sliced runs, ms. */
const EFFECTS_EVERY = 30_000;

export function progressReport(): (event: RunEvent, state: RunState) => string[] {
  let toldAt = -Infinity;
  const shownOf = countdown();
  return (event, state) => {
    const line = progressLine(event, state, shownOf);
    const isSideBySide = passesOf(state.plan) > 0;
    const isDue = isSideBySide
      ? event.type === 'first-look' ||
        (event.type === 'slice-finished' && line !== undefined && event.at - toldAt >= EFFECTS_EVERY)
      : endsRound(event, state);
    const effects = isDue ? effectLines(state) : [];
    if (effects.length > 0) toldAt = event.at;
    return [...(line === undefined ? [] : [line]), ...effects];
  };
}

type ShownOf = ReturnType<typeof countdown>;

function progressLine(event: RunEvent, state: RunState, shownOf: ShownOf): string | undefined {
  switch (event.type) {
    case 'step-finished': {
      const step = state.steps.find(({ id }) => id === event.stepId);
      if (step === undefined) return undefined;
      const text = stepText(step, state.plan, ENGLISH);
      return event.error === null
        ? `${text} — ${formatDuration(event.at - step.startedAt)}`
        : `${text} — failed: ${event.error.message} [${event.error.code}]`;
    }
    case 'notice':
      return `! ${event.notice.message.text}`;
    case 'slice-finished':
      return passLine(event, state, shownOf);
    case 'trial-finished': {
      const isTask = state.plan.task !== null;
      const p95 = isTask ? '' : `, p95 ${formatLatency(event.totals.latency?.p95Us ?? null)}`;
      return trialLine(event, state, `${speedText(tps(event.totals), isTask, ENGLISH)}${p95}`, shownOf);
    }
    case 'trial-failed': {
      const { code, message } = event.error;
      const isCanceled = code === 'SKIPPED' || code === 'STOPPED';
      const text = isCanceled ? code.toLowerCase() : `failed: ${message} [${code}]`;
      return trialLine(event, state, text, shownOf);
    }
    case 'trial-lost':
      // A notice names a lost slice.
      if (passesOf(state.plan) > 0) return undefined;
      return `${trialName(event.trialId, state)} — ${event.error.message}. It is measured again at the end of its round. [${event.error.code}]`;
    case 'rounds-ended':
      return event.because === 'conclusive'
        ? `Conclusive after ${roundsText(event.after)}.`
        : `The time limit was reached after ${roundsText(event.after)}.`;
    case 'scenarios-decided': {
      const names = event.scenarioIds.map((id) => scenarioName(id, state)).join(', ');
      return `Decided after ${roundsText(event.after)}, so not measured further: ${names}.`;
    }
    case 'pause-requested':
      return passesOf(state.plan) > 0 ? 'Pausing…' : 'Pausing after this trial…';
    case 'run-paused':
      return 'Paused.';
    case 'run-resumed':
      return 'Resumed.';
    case 'stop-requested':
      return 'Stopping… (Press Ctrl+C again to end at once. Leftovers are then removed in the background.)';
    default:
      return undefined;
  }
}

function passLine(
  { at, trialId }: Extract<RunEvent, { type: 'slice-finished' }>,
  state: RunState,
  shownOf: ShownOf,
): string | undefined {
  const trial = state.trials.find(({ id }) => id === trialId);
  const open = state.trials.filter((one) => one.round === trial?.round && isOpen(one));
  const pass = trial?.slices.length ?? 0;
  if (trial === undefined || open.some(({ slices }) => slices.length < pass)) return undefined;
  const key = hasOpenPasses(state.plan) ? 'ui:live.passAtMost' : 'ui:live.pass';
  const text = ENGLISH(key, { ...shownPass(state, trial.round, pass) });
  return `${text}${leftText(progressOf(state, at), state, shownOf)}`;
}

function leftText(progress: RunProgress, state: RunState, shownOf: ShownOf): string {
  const { leftMs } = shownOf(progress);
  const isOver = progress.done === state.trials.length || state.status === 'stopping';
  return leftMs === null || isOver ? '' : ` — ${timeLeftText(leftMs, state, ENGLISH)}`;
}

function trialLine(
  { at, trialId }: { at: number; trialId: string },
  state: RunState,
  text: string,
  shownOf: ShownOf,
): string {
  const progress = progressOf(state, at);
  const { done, all } = progress;
  const number = all === null ? done : `${String(done).padStart(String(all).length)}/${all}`;
  const name = trialName(trialId, state).padEnd(
    Math.max(...state.trials.map(({ id }) => trialName(id, state).length)),
  );
  const failed = failedTrials(state).length;
  const failures = failed === 0 ? '' : `, ${ENGLISH('ui:live.trialsFailed', { count: failed })}`;
  return `[${number}${failures}] ${name} ${text}${leftText(progress, state, shownOf)}`;
}

function trialName(trialId: string, state: RunState): string {
  const trial = state.trials.find(({ id }) => id === trialId);
  return trial === undefined ? trialId : `${scenarioName(trial.scenarioId, state)}, round ${trial.round}`;
}

function scenarioName(id: string, { plan }: RunState): string {
  const scenario = plan.scenarios.find((one) => one.id === id);
  return scenario === undefined ? id : labelText(scenario.label, ENGLISH);
}

function roundsText(count: number): string {
  return ENGLISH('messages:rounds', { count });
}

function endsRound(event: RunEvent, state: RunState): boolean {
  if (event.type !== 'trial-finished' && event.type !== 'trial-failed') return false;
  const round = state.trials.find(({ id }) => id === event.trialId)?.round ?? 0;
  return endedRounds(state) === round && round < state.plan.rounds.length;
}

function effectLines(state: RunState): string[] {
  if (state.status !== 'running') return [];
  const analysis = analyze(state);
  const factors = factorProgress(state, analysis);
  if (factors.length === 0) return [];
  const { headline } = analysis;
  const findings = headline.kind === 'findings' ? headline.findings : [];
  return [
    'Effects so far:',
    ...factors.map((one) => {
      const finding = findings.find(({ factor }) => factor === one.factor);
      const said =
        finding === undefined ? ENGLISH(`report:effects.factor.${one.factor}`) : clauseOf(finding, ENGLISH);
      const isSaid = finding !== undefined && one.state.kind === 'conclusive';
      return isSaid ? `  ${said}` : `  ${said} (${factorStateText(one, ENGLISH)})`;
    }),
  ];
}

export function activityText(state: RunState): string | undefined {
  const { current } = progressOf(state, state.startedAt);
  if (current !== undefined) {
    // A slice's window comes at its end.
    const window = passesOf(state.plan) > 0 ? undefined : current.windows.at(-1);
    const phase = ENGLISH(`ui:live.phase.${current.phase ?? 'start'}`);
    const name = trialName(current.id, state);
    if (window === undefined) return `${name}: ${phase}`;
    return `${name}: ${phase}, ${speedText(tps(window), state.plan.task !== null, ENGLISH)}`;
  }
  const step = state.steps.filter(({ status }) => status === 'running').at(-1);
  if (step === undefined) return undefined;
  const share = step.fraction === null ? '' : ` ${Math.floor(step.fraction * 100)}%`;
  const detail = englishOf(step.detail);
  return `${stepText(step, state.plan, ENGLISH)}${share}${detail === '' ? '' : ` (${detail})`}`;
}
