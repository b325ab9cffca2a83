import type { Analysis } from '../analysis/analysis.ts';
import { placeOf } from '../analysis/app-place.ts';
import { seenPassport } from '../analysis/seen-passport.ts';
import { type Placement, PLACEMENTS } from '../model/names.ts';
import type { RunState } from '../model/run-state.ts';
import { failedTrials } from '../run/failures.ts';
import {
  type Action,
  actionsOf,
  adviceText,
  isAboutReference,
  keepText,
  moreText,
  snippetOf,
} from '../words/advice-wording.ts';
import { aboutScenarios, groupedNotices } from '../words/grouped-notices.ts';
import { sizeText } from '../words/effect-wording.ts';
import type { Translate } from '../words/i18n.ts';
import { claimSentences } from '../words/published-wording.ts';
import { aaCheckText, headlineLines, scenarioNameOf } from '../words/wording.ts';
import type { AdviceItem, OtherAdvice, Section } from './blocks.ts';

export function headlineSection({ plan }: RunState, analysis: Analysis, t: Translate): Section {
  return {
    id: 'headline',
    title: null,
    level: 'answer',
    figure: 'headline',
    blocks: [
      { kind: 'headline', question: plan.preset.question, findings: headlineLines(analysis, t) },
      { kind: 'list', items: claimSentences(analysis, t) },
      { kind: 'slot', name: 'actions' },
    ],
  };
}

export function sureSection(run: RunState, analysis: Analysis, t: Translate): Section {
  const noise = aaCheckText(analysis, t);
  const outcome = analysis.aaCheck?.outcome;
  const notices = groupedNotices(analysis.notices, t);
  const failed = failedTrials(run).length;
  const notes = notices.filter(({ isFact }) => isFact).length;
  const warnings = notices.length - notes - Number(failed > 0);
  const { outcome: ended } = run;
  const items = notices.map(({ message, scenarioIds, isFact }) => ({
    about: aboutScenarios(
      scenarioIds.map((id) => scenarioNameOf(analysis, id, t)),
      analysis.scenarios.length,
      t,
    ),
    text: message,
    isFact,
  }));
  return {
    id: 'sure',
    title: t('report:advice.sure'),
    level: 'answer',
    ...(outcome === undefined ? {} : { figure: 'aaCheck' }),
    summary: [
      ...(outcome === undefined
        ? []
        : [
            { text: t(`report:aaCheck.short.${outcome}`), tone: outcome === 'failed' ? 'warn' : '' } as const,
          ]),
      ...(ended === 'stopped' || ended === 'failed'
        ? [{ text: t(`ui:live.status.${ended}`), tone: ended === 'failed' ? 'bad' : 'warn' } as const]
        : []),
      ...(failed > 0 ? [{ text: t('ui:result.failed', { count: failed }), tone: 'bad' } as const] : []),
      ...(warnings > 0
        ? [{ text: t('ui:result.warnings', { count: warnings }), tone: 'warn' } as const]
        : []),
      ...(notes > 0 ? [{ text: t('ui:result.notes', { count: notes }), tone: '' } as const] : []),
    ],
    blocks: [
      { kind: 'lines', items: noise === undefined ? [] : [noise] },
      { kind: 'notices', items: items.slice(0, MOST_NOTICES), others: items.slice(MOST_NOTICES) },
    ],
  };
}

const MOST_NOTICES = 5;

/** A smaller gain isn't worth changing how one works. */
const SMALL_GAIN = 1.1;
const MOST_ITEMS = 2;

type OtherKind = 'also' | Placement | 'small' | 'safety';
const OTHERS: readonly OtherKind[] = ['also', ...PLACEMENTS, 'small', 'safety'];

/** Null for something that a reader does. */
function otherKind(action: Action, { app, effects }: Analysis): OtherKind | null {
  const { code, ratio } = action;
  if (code === 'not-durable') return 'safety';
  if (code === 'keep-safe-storage') return isAboutReference(action, effects) ? null : 'safety';
  if (ratio !== null && ratio.value < SMALL_GAIN) return 'small';
  const place = placeOf(action);
  return place === app.place || (app.place === null && !app.isAsked) ? null : place;
}

export function adviceSection(run: RunState, analysis: Analysis, t: Translate): Section {
  const { fileSharing } = seenPassport(run).runtime;
  const all = actionsOf(analysis).map((action) => ({
    kind: otherKind(action, analysis),
    item: { ...adviceText(action, analysis, fileSharing, t), action, snippet: snippetOf(action, run.plan) },
  }));
  const own = all.flatMap(({ kind, item }) => (kind === null ? [item] : []));
  const also = own.splice(MOST_ITEMS).map((item) => ({ kind: 'also' as const, item }));
  const others = OTHERS.flatMap((kind) =>
    [...also, ...all].flatMap(({ kind: itsKind, item }) =>
      itsKind === kind ? [otherAdvice(kind, item, t)] : [],
    ),
  );
  const { app } = analysis;
  const isNothing = own.length === 0 && app.isAsked && app.place !== null;
  const keep = keepText(analysis, t) ?? (isNothing ? t('report:advice.nothing') : undefined);
  const more = moreText(analysis, t);
  const isOfDatabase = run.plan.database !== null && analysis.effects.length > 0;
  const isSaid = all.length > 0 || (keep ?? more) !== undefined || isOfDatabase;
  const items = own.map((item, at) => (isAlternative(item, own.slice(0, at)) ? asOther(item, t) : item));
  return {
    id: 'advice',
    title: t('report:advice.title'),
    level: 'answer',
    figure: 'advice',
    blocks: isSaid ? [{ kind: 'advice', app, keep, items, others, more }] : [],
  };
}

/** Only one of two changes of a factor can be done. */
function isAlternative({ action }: AdviceItem, before: readonly AdviceItem[]): boolean {
  const isChange = ({ pair, code }: Action): boolean => pair !== null && code !== 'keep-safe-storage';
  return (
    isChange(action) && before.some((one) => isChange(one.action) && one.action.factor === action.factor)
  );
}

function asOther(item: AdviceItem, t: Translate): AdviceItem {
  return { ...item, title: t('report:advice.or', { title: item.title }) };
}

/** Safety advice has its reason here, which is never folded. */
function otherAdvice(kind: OtherKind, item: AdviceItem, t: Translate): OtherAdvice {
  const { title, text, gain, cost, action } = item;
  const said = (...parts: (string | null)[]): string =>
    [`${title}${t('report:list.end')}`, ...parts.flatMap((one) => one ?? [])].join(
      t('report:list.sentences'),
    );
  switch (kind) {
    case 'safety':
      return { line: said(text), item: { ...item, text: '' } };
    case 'small': {
      const size = sizeText(action.ratio?.value ?? 1, t);
      return { line: t('report:advice.for.small', { size, value: said() }), item };
    }
    default:
      return { line: t(`report:advice.for.${kind}`, { value: said(gain, cost) }), item };
  }
}
