import type { ComparedCell, RunChange, RunsComparison } from '../analysis/compare-runs.ts';
import type { Translate } from './i18n.ts';
import type { Verdict } from '../model/names.ts';
import { msg, type Message, type MessageCode } from '../message.ts';
import type { Notice } from '../model/plan.ts';
import { ratioInterval } from '../analysis/notices.ts';
import type { RunState } from '../model/run-state.ts';
import type { Condition, ConditionGroup } from './facts.ts';
import type { ChangeEstimate } from '../statistics/paired-ratio.ts';
import type { RatioEstimate } from '../statistics/estimate.ts';
import { formatRatio, intervalText, NO_VALUE } from '../units.ts';
import { labelText } from './labels.ts';
import { sizeText } from './effect-wording.ts';

export const MOST_RUNS = 6;

const TELLING = ['workload', 'server', 'settings', 'load'] as const satisfies ConditionGroup[];

type WarningCode = MessageCode extends infer C ? (C extends `compareWarning.${infer W}` ? W : never) : never;

export function runLetter(index: number): string {
  return String.fromCharCode(65 + index);
}

export function compareWarnings(
  runs: readonly RunState[],
  { sameBaseline, analyses }: RunsComparison,
  conditions: readonly Condition[],
): Notice[] {
  const differs = (group: ConditionGroup): boolean =>
    conditions.some((one) => one.group === group && one.differs);
  const warn = (code: WarningCode, params: Message['params'] = {}): Notice => ({
    code,
    message: msg(`compareWarning.${code}`, params),
  });
  const ofRuns = (code: WarningCode, of: (index: number) => boolean): Notice[] =>
    runs.flatMap((_, index) => (of(index) ? [warn(code, { letter: runLetter(index) })] : []));
  return [
    ...ofRuns('baseline', (index) => sameBaseline[index] !== true),
    ...TELLING.filter(differs).map((code) => warn(code)),
    ...(differs('machine') || differs('runtime') ? [warn('machine')] : []),
    ...analyses.flatMap(({ aaCheck }, index) => {
      if (aaCheck?.outcome !== 'failed') return [];
      const { ratio } = aaCheck;
      const params = { ratio: formatRatio(ratio.value), interval: ratioInterval(ratio) };
      return [warn('aaCheck', { letter: runLetter(index), ...params })];
    }),
    ...ofRuns('stopped', (index) => runs[index]?.outcome !== 'completed'),
    warn('notInterleaved'),
  ];
}

export function estimateText(estimate: RatioEstimate | ChangeEstimate | null, t: Translate): string {
  if (estimate === null) return NO_VALUE;
  const value = formatRatio(estimate.value, t.language);
  return estimate.low === null ? value : `${value} (${intervalText(estimate, t.language)})`;
}

export function cellRatioText(cell: ComparedCell, t: Translate): string {
  return cell.isBaseline ? t('ui:common.baseline') : estimateText(cell.ratio, t);
}

/** "0.93× as fast, relative to the baseline, as in A", or a verdict. */
export function changeText({ relative, verdict }: RunChange, t: Translate): string {
  if (relative === null) return t('ui:compare.notComparable');
  if (verdict !== 'slower' && verdict !== 'faster') return t(`messages:verdict.${verdict}`);
  return t('ui:compare.verdictOf', { size: sizeText(relative.value, t) });
}

export function changeSentence({ scenarios }: RunsComparison, t: Translate): string {
  const changes = scenarios.flatMap(({ label, cells, changes: own }) =>
    own.flatMap((change, index) =>
      index === 0 || change === null || change.relative === null || cells[index]?.isBaseline !== false
        ? []
        : [
            {
              name: labelText(label, t),
              letter: runLetter(index),
              verdict: change.verdict,
              ratio: change.relative.value,
            },
          ],
    ),
  );
  if (changes.length === 0) return t('ui:compare.nothingMatches');
  const of = (...verdicts: Verdict[]) => changes.filter(({ verdict }) => verdicts.includes(verdict));
  const changed = of('slower', 'faster').sort(
    (a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)),
  );
  const [most] = changed;
  if (most !== undefined) {
    const { name, letter, ratio } = most;
    const about = { name, letter, size: sizeText(ratio, t), count: changed.length, all: changes.length };
    return t('ui:compare.sentence.changed', about);
  }
  const open = of('inconclusive').length;
  return open === 0
    ? t('ui:compare.sentence.same')
    : t('ui:compare.sentence.open', { open, count: changes.length });
}
