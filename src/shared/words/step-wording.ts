import type { Plan } from '../model/plan.ts';
import { currentTrial, type RunState, type StepState } from '../model/run-state.ts';
import { rowCount } from '../model/workload.ts';
import { isOpenEnded, passesOf } from '../run/progress.ts';
import { asSentence } from './effect-wording.ts';
import { messageText, type Translate } from './i18n.ts';
import { labelText } from './labels.ts';
import { formatCount, formatDuration } from '../units.ts';

/** "Pull image: mysql:8.4", "Clone data: named volume via published port", "Clean up" */
export function stepText(
  { kind, subject }: Pick<StepState, 'kind' | 'subject'>,
  { scenarios, clientImage }: Pick<Plan, 'scenarios' | 'clientImage'>,
  t: Translate,
): string {
  if (kind === 'start') return t('ui:live.step.start', { round: subject });
  const name = t(`ui:live.step.${kind}`);
  if (kind === 'cleanup' || kind === 'try') return name;
  const server = scenarios.find(({ serverId }) => serverId === subject)?.label;
  const image = subject === 'client' ? clientImage?.reference : undefined;
  return t('report:list.named', {
    name,
    value: server === undefined ? (image ?? subject) : labelText(server, t),
  });
}

interface Doing {
  text: string;
  /** Why it takes time. */
  why: string;
  /** Null: unknown. */
  fraction: number | null;
}

/** The step or trial that runs, without IDs; undefined between two. */
export function doingText(run: RunState, t: Translate): Doing | undefined {
  const { plan, steps, trials } = run;
  const step = steps.filter(({ status }) => status === 'running').at(-1);
  if (step !== undefined) return stepDoing(step, run, t);
  const trial = currentTrial(trials);
  const label = plan.scenarios.find(({ id }) => id === trial?.scenarioId)?.label;
  if (trial === undefined || label === undefined) return undefined;
  // A slice's phases are too short to read.
  const name = t(`ui:live.phase.${passesOf(plan) > 0 ? 'measure' : (trial.phase ?? 'start')}`);
  return {
    text: asSentence(t('report:list.named', { name, value: labelText(label, t) }), t),
    why: '',
    fraction: null,
  };
}

function stepDoing({ kind, subject, fraction, detail }: StepState, run: RunState, t: Translate): Doing {
  const { plan, steps } = run;
  const rows = formatCount(rowCount(plan.workload), t.language);
  switch (kind) {
    case 'pull': {
      const image = subject === 'client' ? (plan.clientImage?.reference ?? '') : subject;
      return { text: t('ui:live.doing.pull', { image }), why: t('ui:live.why.pull'), fraction };
    }
    case 'init':
    case 'load':
      return { text: t('ui:live.doing.load', { rows }), why: t('ui:live.why.data'), fraction };
    case 'clone': {
      const copies = steps.filter((one) => one.kind === 'clone');
      const done = copies.length;
      const copied = copies.map((one) => (one.status === 'running' ? (one.fraction ?? 0) : 1));
      const all = Math.max(done, new Set(plan.scenarios.map(({ serverId }) => serverId)).size);
      const text = t('ui:live.doing.clone', { rows, done, all });
      return { text, why: t('ui:live.why.data'), fraction: copied.reduce((sum, one) => sum + one) / all };
    }
    case 'start': {
      const nth = steps.filter((one) => one.kind === 'start' && one.subject === subject).length;
      const count = (plan.groups[nth - 1] ?? plan.groups[0])?.length ?? 1;
      const name = t('ui:live.doing.start', { count });
      const value = messageText(detail, t);
      const text = value === '' ? name : t('report:list.named', { name, value });
      return { text, why: t('ui:live.why.start'), fraction };
    }
    case 'build':
    case 'try':
    case 'cleanup':
      return { text: t(`ui:live.step.${kind}`), why: '', fraction };
  }
}

/** "about 4 min 20 s left"; a run until conclusive may end before. Without a time left, the time so far. */
export function timeLeftText(
  leftMs: number | null,
  elapsedMs: number,
  run: Pick<RunState, 'plan' | 'roundsEnded'>,
  t: Translate,
): string {
  if (leftMs === null) return t('ui:live.elapsed', { time: inSeconds(elapsedMs) });
  if (leftMs < 6_000) return t('ui:live.leftAlmost');
  const time = inSeconds(leftMs);
  return t(isOpenEnded(run) ? 'ui:live.leftAtMost' : 'ui:live.left', { time });

  function inSeconds(ms: number): string {
    return formatDuration(Math.max(1, Math.round(ms / 1000)) * 1000, t.language);
  }
}
