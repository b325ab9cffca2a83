import { asSentence, intervalTextOf, marginsText, sizeText, speedText } from './effect-wording.ts';
import { errorText, type Translate } from './i18n.ts';
import {
  type Analysis,
  type Knee,
  type Flag,
  FLAGS,
  type Sweep,
  type ScenarioAnalysis,
} from '../analysis/analysis.ts';
import type { RunHeadline } from '../model/history-entry.ts';
import type { SaidParts } from '../model/plan.ts';
import { givenText, labelText, levelName } from './labels.ts';
import { formatCount, formatRatio } from '../units.ts';
import { neverStarted } from './advice-wording.ts';
import { hostGapLines } from './durability-wording.ts';
import { certaintyText, chipOf, clauseOf, findingDetail } from './finding-wording.ts';
import { DURABILITIES, isContainerStorage, STORAGES } from '../kinds/storages.ts';
import { LEFT_OUT_KINDS, type Sharing } from '../model/sharing.ts';

/** An unknown scenario's ID is its name. */
export function scenarioNameOf(analysis: Analysis, id: string, t: Translate, said?: SaidParts): string {
  const scenario = analysis.scenarios.find((one) => one.id === id);
  return scenario === undefined ? id : labelText(scenario.label, t, said);
}

export function verdictLabel(scenario: ScenarioAnalysis, t: Translate): string {
  const { measured, refused } = scenario;
  if (refused !== null) return t('messages:verdict.notStarted', { reason: errorText(refused, t).message });
  if (measured === 0) return t('messages:verdict.notMeasured');
  return t(scenario.isBaseline ? 'ui:common.baseline' : `messages:verdict.${scenario.verdict}`);
}

export function headlineText({ headline }: { headline: RunHeadline }, t: Translate): string {
  if (headline.kind === 'onlyBaseline') {
    return t('report:headline.onlyBaseline', { speed: speedText(headline.tps, headline.isTask, t) });
  }
  if (headline.kind === 'findings') {
    return headline.findings
      .map((finding) => `${clauseOf(finding, t)}${t('report:list.end')}`)
      .join(t('report:list.sentences'));
  }
  if (headline.kind !== 'difference') return t(`report:headline.${headline.kind}`);
  const { said } = headline;
  const where = whereText(said, t);
  const level = labelText(headline.scenario, t, said);
  const reference = labelText(headline.baseline, t, said);
  const text = t('report:finding.difference.safe', {
    ...{ level, reference },
    size: sizeText(headline.ratio.value, t),
  });
  return asSentence(where === undefined ? text : [where, text].join(t('report:list.parts')), t);
}

export function headlineChips(headline: RunHeadline, t: Translate): string[] {
  return headline.kind === 'findings'
    ? headline.findings.map((one) => chipOf(one, t))
    : [headlineText({ headline }, t)];
}

export function headlineLines(analysis: Analysis, t: Translate): { text: string; detail: string }[] {
  const { headline } = analysis;
  const findings =
    headline.kind === 'findings'
      ? headline.findings.map((one) => ({ text: clauseOf(one, t), detail: findingDetail(one, t) }))
      : [{ text: headlineText(analysis, t), detail: headlineDetail(analysis, t) }];
  return [...hostGapLines(analysis, t), ...findings];
}

function headlineDetail(analysis: Analysis, t: Translate): string {
  const { headline } = analysis;
  const refused = neverStarted(analysis.scenarios, t).map(({ text }) => text);
  const why = (other: string): string =>
    refused.length > 0 ? refused.join(t('report:list.sentences')) : other;
  switch (headline.kind) {
    case 'difference':
      return certaintyText(headline.ratio, t);
    case 'all-same':
      return t('report:detail.all-same', { margins: marginsText(analysis.equivalence, t) });
    case 'inconclusive':
      return t('report:detail.inconclusive');
    case 'onlyBaseline':
    case 'onlyBaselines':
      return why(t('report:detail.onlyBaseline'));
    case 'findings':
    case 'no-baseline':
    case 'nothing-measured':
      return why(t('report:detail.none'));
  }
}

/** Undefined without an A/A check. */
export function aaCheckText({ aaCheck }: Analysis, t: Translate): string | undefined {
  if (aaCheck === null) return undefined;
  const { pairs } = aaCheck;
  return t(`report:aaCheck.${aaCheck.outcome}`, {
    what: t(pairs > 1 ? 'report:aaCheck.worst' : 'report:aaCheck.baseline', { count: pairs }),
    ratio: formatRatio(aaCheck.ratio.value, t.language),
    interval: intervalTextOf(aaCheck.ratio, t),
  });
}

/** "with 8 connections"; undefined with a single baseline */
export function whereText(
  { server, loadGenerator, connections }: SaidParts,
  t: Translate,
): string | undefined {
  const parts = [
    ...(server === null ? [] : [t('report:where.server', { server: givenText(server, t.language) })]),
    ...(loadGenerator === null ? [] : [t('report:where.loadGenerator', { loadGenerator })]),
    ...(connections === null ? [] : [t('report:where.connections', { count: connections })]),
  ];
  return parts.length === 0 ? undefined : parts.join(t('report:list.parts'));
}

export const FLAG_SIGNS: Record<Flag, string> = { 'not-durable': '†', 'client-limited': '‡' };

export function flagLabel(flag: Flag, t: Translate): string {
  return t(`report:flag.${flag}`);
}

export function flagSigns(flags: readonly Flag[]): string {
  return flags.map((flag) => FLAG_SIGNS[flag]).join('');
}

export function flagNotes({ scenarios }: Analysis, t: Translate): { flag: Flag; text: string }[] {
  return FLAGS.filter((flag) => scenarios.some(({ flags }) => flags.includes(flag))).map((flag) => ({
    flag,
    text: t('report:list.named', { name: flagLabel(flag, t), value: t(`report:flag.meaning.${flag}`) }),
  }));
}

/** The most lasting comes first. */
export function durabilityNotes({ scenarios }: Analysis, t: Translate): string[] {
  const inDocker = scenarios.flatMap(({ label }) => (isContainerStorage(label.storage) ? [label] : []));
  return DURABILITIES.flatMap((durability) => {
    const own = inDocker.filter(({ storage }) => STORAGES[storage].durability === durability);
    const names = [...new Set(own.map((label) => levelName(label, 'storage', t)))];
    return names.length === 0
      ? []
      : [t(`report:durability.${durability}`, { list: names.join(t('report:list.items')) })];
  });
}

export function kneeText(knee: Knee | null, t: Translate): string {
  if (knee === null) return t('report:sweep.noKnee');
  const { connections, agreeing, rounds, end } = knee;
  const where = end === 'lowest' && connections === 1 ? null : end;
  return t(`report:sweep.knee.${where ?? 'between'}`, {
    connections: t('report:provenance.connections', { count: connections }),
    rounds: t('report:sweep.agreeing', { agreeing, count: rounds }),
  });
}

export function sweepSentence({ label, knee }: Sweep, t: Translate): string {
  const name = asSentence(labelText(label, t), t);
  return t('report:list.named', { name, value: kneeText(knee, t) });
}

/** False if throughput still rises at the highest level. */
export function isKnee(knee: Knee | null, connections: number): boolean {
  return knee?.connections === connections && knee.end !== 'highest';
}

export function sharingText({ included, leftOut }: Sharing, t: Translate): string {
  const left = LEFT_OUT_KINDS.flatMap((kind) => {
    const count = leftOut[kind] ?? 0;
    const places = formatCount(count, t.language);
    return count === 0 ? [] : [t('report:share.places', { kind: t(`report:share.kind.${kind}`), places })];
  });
  const own = included.map((kind) => t(`report:share.kind.${kind}`));
  const separator = t('report:list.items');
  return [
    left.length === 0
      ? t('report:share.nothingLeftOut')
      : t('report:share.leftOut', { list: left.join(separator) }),
    ...(own.length === 0 ? [] : [t('report:share.included', { list: own.join(separator) })]),
  ].join(' ');
}
