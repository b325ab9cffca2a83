import type { Analysis, RatioEstimate } from '../model/analysis.ts';
import type { Finding } from '../model/history-entry.ts';
import type { DependsOn, Verdict } from '../model/names.ts';
import type { ScenarioLabel } from '../model/plan.ts';
import { ENOUGH_SAMPLES, equivalenceZone } from '../statistics/paired-ratio.ts';
import { timesMeasured } from '../analysis/notices.ts';
import { msg } from '../message.ts';
import { intervalTextOf, percentText, sizeText } from './effect-wording.ts';
import { messageText, type Translate } from './i18n.ts';
import { givenText, labelText, pathName } from './labels.ts';

export function levelName(label: ScenarioLabel, factor: DependsOn, t: Translate): string {
  switch (factor) {
    case 'engine':
      return label.engine ?? labelText(label, t);
    case 'storage':
      return label.storageName === null
        ? messageText(msg(`storage.${label.storage}`), t)
        : givenText(label.storageName, t.language);
    case 'path': {
      const name = messageText(pathName(label.path), t);
      return label.fromOtherNode ? t('report:label.fromOtherNode', { place: name }) : name;
    }
    case 'connections':
      return t('report:provenance.connections', { count: label.connections ?? 0 });
    case 'server':
      return label.server === null
        ? t('report:finding.level.ownServer')
        : givenText(label.server, t.language);
    case 'bufferPool':
    case 'loadGenerator': {
      const ownName = label[factor];
      if (ownName === null) return labelText(label, t);
      return t(`report:finding.level.${factor}`, { name: givenText(ownName, t.language) });
    }
  }
}

function sides({ factor, of, against }: Finding, t: Translate): { level: string; reference: string } {
  const name = (label: ScenarioLabel): string =>
    factor === null
      ? t('report:label.place', {
          storage: levelName(label, 'storage', t),
          path: levelName(label, 'path', t),
        })
      : levelName(label, factor, t);
  return { level: name(of), reference: name(against) };
}

/** One clause without a period, the other choice against what is used: "Network: host network is 1.9× as fast as …" */
export function clauseOf(finding: Finding, t: Translate): string {
  return t('report:list.named', { name: nameOf(finding, t), value: valueOf(finding, t) });
}

function nameOf({ factor }: Finding, t: Translate): string {
  return factor === null ? 'Docker' : t(`report:effects.factor.${factor}`);
}

function valueOf(finding: Finding, t: Translate): string {
  const { kind, factor, ratio, equivalence } = finding;
  const varying = varies(finding) ? dependsText(finding, t) : undefined;
  if (varying !== undefined) return varying;
  const names = sides(finding, t);
  const about = { ...names, size: sizeText(ratio.value, t), percent: percentText(equivalence, t) };
  if (kind === 'same') return t('report:finding.same', about);
  if (kind === 'difference') {
    const [least, most] = equivalenceZone(equivalence);
    if (ratio.value > least && ratio.value < most) return t('report:finding.small', about);
    const safety = safetyOf(finding);
    return factor === null
      ? t(`report:finding.docker.${safety}`, about)
      : t(`report:finding.difference.${safety}`, about);
  }
  if (ratio.samples < ENOUGH_SAMPLES) return t('report:finding.tooFew');
  if (ratio.low === null || ratio.high === null) return t('report:finding.stalled', names);
  const bound = boundOf(finding);
  if (bound === null) return t('report:finding.noisy');
  const what = factor === null ? 'docker' : 'change';
  return bound === 1
    ? t(`report:finding.nothing.${what}`, about)
    : t(`report:finding.atMost.${what}`, { size: sizeText(bound, t) });
}

/** Of one without a verdict: what a change gains at most, or Docker leaves at least; 1: nothing, null: unknown. */
function boundOf({ factor, ratio, equivalence }: Finding): number | null {
  const { low, high } = ratio;
  const [least, most] = equivalenceZone(equivalence);
  const bound = factor === null ? low : high;
  if (bound === null || bound < 0.1 || bound > 10) return null;
  return (factor === null ? bound >= least : bound <= most) ? 1 : bound;
}

/** In lists of runs: "network 1.9×", "storage same", "storage ≤ 1.2×" */
export function chipOf(finding: Finding, t: Translate): string {
  const { kind, factor, ratio } = finding;
  const known = nameOf(finding, t);
  const name = factor === null ? known : known.toLocaleLowerCase(t.language);
  const bound = kind === 'inconclusive' && ratio.samples >= ENOUGH_SAMPLES ? boundOf(finding) : null;
  const value = (): string => {
    if (varies(finding)) return t('report:finding.chip.varies');
    if (kind === 'difference') return sizeText(ratio.value, t);
    if (bound === null) return t(`report:finding.chip.${kind}`);
    if (bound === 1) return t(`report:finding.chip.nothing.${factor === null ? 'docker' : 'change'}`);
    return `${factor === null ? '≥' : '≤'} ${sizeText(bound, t)}`;
  };
  return `${name} ${value()}`;
}

function safetyOf({ unsafe, ratio }: Finding): 'safe' | 'withUnsafe' | 'withoutUnsafe' {
  if (!unsafe) return 'safe';
  return ratio.value > 1 ? 'withUnsafe' : 'withoutUnsafe';
}

/** Whether the average would mislead: not every level agrees with it. */
function varies({ at, kind, ratio }: Finding): boolean {
  const all = new Set(at.map(({ verdict }) => verdict));
  return all.size > 1 || (all.size === 1 && !all.has(verdictOf(kind, ratio)));
}

function verdictOf(kind: Finding['kind'], { value }: RatioEstimate): Verdict {
  if (kind !== 'difference') return kind;
  return value < 1 ? 'slower' : 'faster';
}

function dependsText({ at }: Finding, t: Translate): string | undefined {
  const texts = at.map(({ of, on, verdict, ratio }) => {
    const isDifferent = verdict === 'slower' || verdict === 'faster';
    const effect = isDifferent ? sizeText(ratio.value, t) : t(`messages:verdict.${verdict}`);
    return t('report:finding.at', { level: levelName(of, on, t), effect });
  });
  const [first] = at;
  return first && t(`report:finding.dependsOn.${first.on}`, { list: texts.join(t('report:list.items')) });
}

/** "Network: 95% CI 1.85–1.95, 9 rounds"; without a difference, of which level. */
export function findingDetail(finding: Finding, t: Translate): string {
  const { kind, ratio } = finding;
  const parts = [
    ...(kind === 'difference' ? [] : [sides(finding, t).level]),
    ...(ratio.low === null ? [] : [intervalTextOf(ratio, t)]),
    messageText(timesMeasured(ratio), t),
  ];
  const value = parts.join(t('report:list.parts'));
  return t('report:list.named', { name: nameOf(finding, t), value });
}

/** Differences that vary with another factor, unless their clause says so. */
export function dependenceTexts({ headline }: Analysis, t: Translate): string[] {
  const findings = headline.kind === 'findings' ? headline.findings : [];
  return findings.flatMap((one) => {
    const text = varies(one) ? undefined : dependsText(one, t);
    return text === undefined ? [] : [t('report:list.named', { name: nameOf(one, t), value: text })];
  });
}
