import type { Plan } from '../model/plan.ts';
import { currentTrial, type RunState, type StepState } from '../model/run-state.ts';
import { rowCount } from '../model/workload.ts';
import { isOpenEnded, sessionBegan } from '../run/progress.ts';
import { passesOf } from '../run/planned-time.ts';
import { asSentence } from './effect-wording.ts';
import { messageText, type Translate } from './i18n.ts';
import { labelText } from './labels.ts';
import { formatCount, formatDuration } from '../units.ts';

/** "Pull image: mysql:8.4", "Clean up" */
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

export interface Preparation {
  text: string;
  /** "5 of 7 ready"; empty where nothing can be counted */
  count: string;
  why: string;
  state: 'done' | 'now' | 'next';
  /** Null if unknown. */
  fraction: number | null;
}

const PREPARED = {
  images: ['pull', 'build'],
  load: ['init', 'load'],
  clone: ['clone'],
  try: ['try'],
  start: ['start'],
} as const satisfies Record<string, readonly StepState['kind'][]>;
type Prepared = keyof typeof PREPARED;

/** Uncertain steps, and those after the first measurement, are missing. */
export function preparations(run: RunState, t: Translate): Preparation[] {
  const { plan } = run;
  const since = sessionBegan(run);
  const known = (Object.keys(PREPARED) as Prepared[]).flatMap((name): Preparation[] => {
    const kinds: readonly StepState['kind'][] = PREPARED[name];
    const steps = run.steps.filter(({ kind, startedAt }) => kinds.includes(kind) && startedAt >= since);
    if (steps.length > 0) return [preparationOf(name, steps, run, t)];
    const comes = name === 'start' && passesOf(plan) > 0;
    return comes ? [{ ...NOTHING, text: t('ui:live.doing.start') }] : [];
  });
  const first = t(plan.task === null ? 'ui:live.doing.first' : 'ui:live.doing.firstTime');
  return [...known, { ...NOTHING, text: first }];
}

const NOTHING: Preparation = { text: '', count: '', why: '', state: 'next', fraction: null };

function preparationOf(
  name: Prepared,
  steps: readonly StepState[],
  { plan }: Pick<RunState, 'plan'>,
  t: Translate,
): Preparation {
  const running = steps.filter(({ status }) => status === 'running').at(-1);
  const state = running === undefined ? 'done' : 'now';
  const fraction = running?.fraction ?? null;
  const detail = messageText(steps.at(-1)?.detail ?? '', t);
  const percent = fraction === null ? '' : `${Math.floor(100 * fraction)}%`;
  switch (name) {
    case 'images': {
      const about = { why: t('ui:live.why.pull'), state, fraction } as const;
      return {
        ...about,
        text: t('ui:live.doing.images'),
        count: running === undefined ? '' : detail || percent,
      };
    }
    case 'load': {
      const rows = formatCount(rowCount(plan.workload), t.language);
      const text = t('ui:live.doing.load', { rows });
      return { text, count: percent, why: t('ui:live.why.data'), state, fraction };
    }
    case 'clone': {
      const copied = steps.map((one) => (one.status === 'running' ? (one.fraction ?? 0) : 1));
      const done = steps.filter(({ status }) => status !== 'running').length;
      const all = Math.max(steps.length, new Set(plan.scenarios.map(({ serverId }) => serverId)).size);
      const isOver = done === all;
      return {
        text: t('ui:live.doing.clone'),
        count: t('report:table.roundsPartly', { measured: done, planned: all }),
        why: t('ui:live.why.data'),
        state: isOver ? 'done' : 'now',
        fraction: copied.reduce((sum, one) => sum + one, 0) / all,
      };
    }
    case 'start':
      return { text: t('ui:live.doing.start'), count: detail, why: t('ui:live.why.start'), state, fraction };
    case 'try':
      return { text: t('ui:live.step.try'), count: '', why: '', state, fraction };
  }
}

/** The running step, or a single trial's work around its load. */
export function doingText(run: RunState, t: Translate): string | undefined {
  const step = run.steps.filter(({ status }) => status === 'running').at(-1);
  if (step?.kind === 'cleanup') return t('ui:live.step.cleanup');
  if (step !== undefined) {
    const now = preparations(run, t).find(({ state }) => state === 'now');
    if (now === undefined) return undefined;
    const { text: name, count: value } = now;
    return value === '' ? name : t('report:list.named', { name, value });
  }
  const phase = currentTrial(run.trials)?.phase ?? null;
  const isShown = passesOf(run.plan) > 0 || phase === null || phase === 'measure' || phase === 'warmup';
  return isShown ? undefined : asSentence(t(`ui:live.phase.${phase}`), t);
}

/** "about 4 min 20 s left"; a run until conclusive may end before. */
export function timeLeftText(
  leftMs: number,
  run: Pick<RunState, 'plan' | 'roundsEnded'>,
  t: Translate,
): string {
  if (leftMs < 6_000) return t('ui:live.leftAlmost');
  const time = formatDuration(Math.max(1, Math.round(leftMs / 1000)) * 1000, t.language);
  return t(isOpenEnded(run) ? 'ui:live.leftAtMost' : 'ui:live.left', { time });
}
