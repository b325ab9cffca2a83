import {
  type Analysis,
  DURABILITY_REASONS,
  type DurabilityReason,
  type ScenarioAnalysis,
} from '../analysis/analysis.ts';
import { kindsOf } from '../kinds/kind.ts';
import { msg } from '../message.ts';
import type { ScenarioLabel } from '../model/plan.ts';
import { asSentence } from './effect-wording.ts';
import { lossesText } from './environment-wording.ts';
import { type FigureKey, figuresShown, figureText, figureTitle } from './figures.ts';
import { messageText, type Translate } from './i18n.ts';
import { levelName } from './labels.ts';
import { formatLatency, formatRatio, NO_VALUE } from '../units.ts';

/** The header comes first; no rows if nothing is known. `words`: columns of text after the first. */
export function durabilityTable(analysis: Analysis, t: Translate): { rows: string[][]; words: number[] } {
  const { hostFlush } = analysis;
  const scenarios = analysis.scenarios.filter(({ durability }) => durability !== null);
  if (scenarios.length === 0) return { rows: [], words: [] };
  const byName = new Map<string, ScenarioAnalysis>();
  for (const scenario of scenarios) {
    const name = placeName(scenario, t);
    if (commitUs(scenario) < commitUs(byName.get(name))) byName.set(name, scenario);
  }
  const isEach = byName.size === scenarios.length;
  const figures = figuresShown(analysis, 'durability');
  const rows = [...byName].map(([name, scenario]) => {
    const { durability, ratio } = scenario;
    const loses = durability?.loses ?? [];
    return [
      asSentence(name, t),
      t(`report:flushes.verdict.${durability?.verdict ?? 'unknown'}`),
      ...figures.map((key) => figureText(key, scenario, t)),
      ...(isEach ? [ratio === null ? NO_VALUE : formatRatio(ratio.value)] : []),
      lossesText(loses, t) ?? NO_VALUE,
    ];
  });
  const ofHost = (key: FigureKey): string => {
    if (key !== 'flush' && key !== 'flushP99') return NO_VALUE;
    return formatLatency(hostFlush?.[key === 'flush' ? 'medianUs' : 'p99Us'] ?? null, t.language);
  };
  const header = [
    t('ui:result.scenario'),
    t('report:flushes.end'),
    ...figures.map((key) => figureTitle(key, t)),
    ...(isEach ? [t('ui:result.ratio')] : []),
    t('report:flushes.mayLose'),
  ];
  const host = [
    asSentence(t('report:flushes.host'), t),
    t(`report:flushes.verdict.${hostFlush?.verdict ?? 'unknown'}`),
    ...figures.map(ofHost),
    ...(isEach ? [NO_VALUE] : []),
    NO_VALUE,
  ];
  return { rows: [header, ...rows, ...(hostFlush === null ? [] : [host])], words: [1, header.length - 1] };
}

function storageText(label: ScenarioLabel, t: Translate): string {
  const place = levelName(label, 'storage', t);
  return label.engine === null ? place : t('report:list.named', { name: label.engine, value: place });
}

function placeName({ label }: ScenarioAnalysis, t: Translate): string {
  const storage = storageText(label, t);
  const parts = label.server === null ? [storage] : [storage, levelName(label, 'server', t)];
  return parts.join(t('report:list.parts'));
}

/** The scenario whose commits wait least for other connections counts. */
function commitUs(scenario: ScenarioAnalysis | undefined): number {
  return scenario === undefined ? Infinity : (scenario.figures.statements.commit?.p50Us ?? Number.MAX_VALUE);
}

/** "Unknown: named volume. A virtual machine is …" */
export function durabilitySentences({ scenarios, hostFlush }: Analysis, t: Translate): string[] {
  const known: [DurabilityReason, string][] = [
    ...scenarios.flatMap(({ durability, label }): [DurabilityReason, string][] =>
      durability === null ? [] : [[durability.reason, storageText(label, t)]],
    ),
    ...(hostFlush === null
      ? []
      : [[hostFlush.reason, t('report:flushes.host')] satisfies [DurabilityReason, string]]),
  ];
  return kindsOf(DURABILITY_REASONS).flatMap((reason) => {
    const names = [...new Set(known.flatMap(([own, name]) => (own === reason ? [name] : [])))];
    if (names.length === 0) return [];
    return [
      t('report:flushes.sentence', {
        verdict: t(`report:flushes.said.${DURABILITY_REASONS[reason]}`),
        list: names.join(t('report:list.items')),
        reason: messageText(msg(`durability.${reason}`), t),
      }),
    ];
  });
}

/** Empty unless the host's flush is far slower. */
export function hostGapLines({ hostGap }: Analysis, t: Translate): { text: string; detail: string }[] {
  if (hostGap === null) return [];
  const [host, vm] = [formatLatency(hostGap.hostUs, t.language), formatLatency(hostGap.vmUs, t.language)];
  return [
    { text: asSentence(t('report:flushes.gap', { host, vm }), t), detail: t('report:flushes.gapDetail') },
  ];
}
