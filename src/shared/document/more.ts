import type { Analysis } from '../analysis/analysis.ts';
import type { RunState } from '../model/run-state.ts';
import { failureGroups } from '../run/failures.ts';
import { asSentence } from '../words/effect-wording.ts';
import { errorText, messageText, type Translate } from '../words/i18n.ts';
import { labelsText, labelText } from '../words/labels.ts';
import { otherTables } from '../words/other-tables.ts';
import { type Level, type Problem, type Section, tableOf } from './blocks.ts';

export function failedSection(run: RunState, level: Level, t: Translate): Section {
  const items = failureGroups(run).map(({ labels, scenarioId, rounds, error }): Problem => {
    const { message, hint, evidence } = errorText(error, t);
    const name = labelsText(labels, t);
    const about = { name, rounds: rounds.join(t('report:list.items')), count: rounds.length };
    return {
      title: t('ui:result.problemTitle', about),
      text: message,
      failure: { error, scenarioId, hint, evidence },
    };
  });
  return { id: 'problems', title: t('ui:result.problems'), level, blocks: [{ kind: 'problems', items }] };
}

export function excludedSection({ plan }: RunState, level: Level, t: Translate): Section {
  const byReason = new Map<string, string[]>();
  for (const { label, reason } of plan.excluded) {
    const text = messageText(reason, t);
    byReason.set(text, [...(byReason.get(text) ?? []), labelText(label, t)]);
  }
  const items = [...byReason].map(([text, names]): Problem => ({
    title: asSentence(names.join(t('report:list.clauses')), t),
    text,
  }));
  return { id: 'excluded', title: t('ui:result.excluded'), level, blocks: [{ kind: 'problems', items }] };
}

/** Durability, published results, steadiness, types of transactions. */
export function otherSections(analysis: Analysis, t: Translate): Section[] {
  return otherTables(analysis, t).map(({ id, figure, title, lead, rows, words, sentences, notes }) => ({
    id,
    title,
    level: 'why',
    figure,
    blocks: [
      { kind: 'lead', text: lead, isFull: true },
      { kind: 'list', items: sentences },
      tableOf(title, rows, words),
      { kind: 'notes', items: notes.map((text) => ({ text })) },
    ],
  }));
}
