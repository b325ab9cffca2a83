import type { Analysis } from '../analysis/analysis.ts';
import { seenPassport } from '../analysis/seen-passport.ts';
import type { RunState } from '../model/run-state.ts';
import { failedTrials } from '../run/failures.ts';
import {
  actionsOf,
  adviceText,
  keepText,
  MOST_ACTIONS,
  moreText,
  snippetOf,
} from '../words/advice-wording.ts';
import { aboutScenarios, groupedNotices } from '../words/grouped-notices.ts';
import type { Translate } from '../words/i18n.ts';
import { claimSentences } from '../words/published-wording.ts';
import { aaCheckText, headlineLines, scenarioNameOf } from '../words/wording.ts';
import type { Section } from './blocks.ts';

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
      ...(failed > 0 ? [{ text: t('ui:result.failed', { count: failed }), tone: 'bad' } as const] : []),
      ...(warnings > 0
        ? [{ text: t('ui:result.warnings', { count: warnings }), tone: 'warn' } as const]
        : []),
      ...(notes > 0 ? [{ text: t('ui:result.notes', { count: notes }), tone: '' } as const] : []),
    ],
    blocks: [
      { kind: 'lines', items: noise === undefined ? [] : [noise] },
      {
        kind: 'notices',
        items: notices.map(({ message, scenarioIds, isFact }) => ({
          about: aboutScenarios(
            scenarioIds.map((id) => scenarioNameOf(analysis, id, t)),
            analysis.scenarios.length,
            t,
          ),
          text: message,
          isFact,
        })),
      },
    ],
  };
}

export function adviceSection(run: RunState, analysis: Analysis, t: Translate): Section {
  const { fileSharing } = seenPassport(run).runtime;
  const items = actionsOf(analysis).map((action) => ({
    ...adviceText(action, analysis, fileSharing, t),
    action,
    snippet: snippetOf(action, run.plan),
  }));
  const [keep, more] = [keepText(analysis, t), moreText(analysis, t)];
  const isOfDatabase = run.plan.database !== null && analysis.effects.length > 0;
  const isSaid = items.length > 0 || (keep ?? more) !== undefined || isOfDatabase;
  return {
    id: 'advice',
    title: t('report:advice.title'),
    level: 'answer',
    figure: 'advice',
    blocks: isSaid ? [{ kind: 'advice', keep, items, more }] : [],
  };
}

/** What a reader does first, and what else is possible. */
export function firstAndOthers<Item>(items: readonly Item[]): [first: Item[], others: Item[]] {
  return [items.slice(0, MOST_ACTIONS), items.slice(MOST_ACTIONS)];
}
