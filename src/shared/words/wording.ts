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
import { runHeadlineOf } from '../analysis/run-headline.ts';
import { formatCount, formatRatio } from '../units.ts';
import { neverStarted } from './advice-wording.ts';
import { hostGapLines } from './durability-wording.ts';
import { certaintyText, chipOf, clauseOf, findingDetail } from './finding-wording.ts';
import { DURABILITIES, isContainerStorage, STORAGES } from '../kinds/storages.ts';
import { LEFT_OUT_KINDS, type Sharing } from '../model/sharing.ts';

export function scenarioNameOf(analysis: Analysis, id: string, t: Translate): string {
  const scenario = analysis.scenarios.find((one) => one.id === id);
  return scenario === undefined ? id : labelText(scenario.label, t);
}

export function nameWithin(said: SaidParts, analysis: Analysis, id: string, t: Translate): string {
  const scenario = analysis.scenarios.find((one) => one.id === id);
  return scenario === undefined ? id : labelText(scenario.label, t, said);
}

export function verdictLabel(scenario: ScenarioAnalysis, t: Translate): string {
  const { measured, refused } = scenario;
  if (refused !== null) return t('messages:verdict.notStarted', { reason: errorText(refused, t).message });
  if (measured === 0) return t('messages:verdict.notMeasured');
  return t(scenario.isBaseline ? 'ui:common.baseline' : `messages:verdict.${scenario.verdict}`);
}

export function headlineText(analysis: Analysis, t: Translate): string {
  return runHeadlineText(runHeadlineOf(analysis), t);
}

export function runHeadlineText(headline: RunHeadline, t: Translate): string {
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
  const name = labelText(headline.scenario, t, said);
  const baseline = labelText(headline.baseline, t, said);
  const about = { size: sizeText(headline.ratio.value, t), baseline };
  return where === undefined
    ? t('report:headline.difference', { ...about, name: asSentence(name, t) })
    : t('report:headline.differenceIn', { ...about, name, where: asSentence(where, t) });
}

export function headlineChips(headline: RunHeadline, t: Translate): string[] {
  return headline.kind === 'findings'
    ? headline.findings.map((one) => chipOf(one, t))
    : [runHeadlineText(headline, t)];
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
  if (runHeadlineOf(analysis).kind.startsWith('onlyBaseline')) return why(t('report:detail.onlyBaseline'));
  switch (headline.kind) {
    case 'difference':
      return certaintyText(headline.ratio, t);
    case 'all-same':
      return t('report:detail.all-same', { margins: marginsText(analysis.equivalence, t) });
    case 'inconclusive':
      return t('report:detail.inconclusive');
    case 'findings':
    case 'no-baseline':
    case 'nothing-measured':
      return why(t('report:detail.none'));
  }
}

export function aaCheckText({ aaCheck }: Analysis, t: Translate): string | undefined {
  if (aaCheck === null) return undefined;
  const { pairs } = aaCheck;
  return t(`report:aaCheck.${aaCheck.outcome}`, {
    what: t(pairs > 1 ? 'report:aaCheck.worst' : 'report:aaCheck.baseline', { count: pairs }),
    ratio: formatRatio(aaCheck.ratio.value, t.language),
    interval: intervalTextOf(aaCheck.ratio, t),
  });
}

/** "with server “In memory” and load generator sysbench, with 8 connections"; undefined with a single baseline. */
export function whereText(
  { server, loadGenerator, connections }: SaidParts,
  t: Translate,
): string | undefined {
  const where = partsText(
    { server: server === null ? null : givenText(server, t.language), loadGenerator },
    t,
  );
  if (connections === null) return where;
  const level = t('report:where.connections', { count: connections });
  return where === undefined ? level : [where, level].join(t('report:list.parts'));
}

function partsText(
  { server, loadGenerator }: Omit<SaidParts, 'connections'>,
  t: Translate,
): string | undefined {
  if (server !== null && loadGenerator !== null) return t('report:where.both', { server, loadGenerator });
  if (server !== null) return t('report:where.server', { server });
  return loadGenerator === null ? undefined : t('report:where.loadGenerator', { loadGenerator });
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

/** What becomes of the data in each storage type, most lasting first: "Data survives the container: named volume". */
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

/** False where throughput still rises at the highest level. */
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
