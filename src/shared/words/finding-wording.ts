import type { Analysis } from '../analysis/analysis.ts';
import type { Finding, Took } from '../model/history-entry.ts';
import type { ScenarioLabel } from '../model/plan.ts';
import { claimOf, varies } from '../analysis/finding-claim.ts';
import { intervalText } from '../units.ts';
import { isDifference } from '../statistics/claims.ts';
import { inverse, type RatioEstimate } from '../statistics/estimate.ts';
import { boundText, intervalTextOf, sizeText, tookText, tookTimes } from './effect-wording.ts';
import type { Translate } from './i18n.ts';
import { briefly, levelName } from './labels.ts';

function sides({ factor, of, against }: Finding, t: Translate): { level: string; reference: string } {
  const name = (label: ScenarioLabel): string =>
    factor === null
      ? label.omitsPath
        ? levelName(label, 'storage', t)
        : t('report:label.place', {
            storage: levelName(label, 'storage', t),
            path: levelName(label, 'path', t),
          })
      : levelName(label, factor, t);
  return { level: name(of), reference: name(against) };
}

/** No period: "Network: host network is 1.9× as fast as …" */
export function clauseOf(finding: Finding, t: Translate): string {
  const { factor, job, unsafe, ratio } = fasterFirst(finding);
  if (job !== null && !unsafe && claimOf(finding).kind === 'ratio') {
    const does = t(`report:finding.does.${job === 'ready' && factor === 'engine' ? 'readyOn' : job}`);
    const size = sizeText(ratio.value, t);
    const text = t('report:finding.job', { ...sides(fasterFirst(finding), t), does, size });
    return ratio.low === null
      ? text
      : t('report:list.aside', { text, aside: intervalText(ratio, t.language) });
  }
  return t('report:list.named', { name: nameOf(finding, t), value: valueOf(finding, t) });
}

/** Small fractions are hard to picture: "23× as fast" says more than "0.043×". */
const TURNED_BELOW = 0.5;

/** The faster job comes first, and the level that is far faster. */
function fasterFirst(finding: Finding): Finding {
  const { factor, job, kind, of, against, ratio, took, unsafe } = finding;
  const canTurn = factor !== null && took === null && !unsafe && !varies(finding);
  const isTurned = kind === 'difference' && ratio.value < (job !== null ? 1 : canTurn ? TURNED_BELOW : 0);
  return isTurned ? { ...finding, of: against, against: of, ratio: inverse(ratio) } : finding;
}

function nameOf({ factor }: Finding, t: Translate): string {
  return factor === null ? 'Docker' : t(`report:effects.factor.${factor}`);
}

function valueOf(finding: Finding, t: Translate): string {
  const { factor } = finding;
  const claim = claimOf(finding);
  const names = sides(finding, t);
  switch (claim.kind) {
    case 'varies':
      return dependsText(finding, t) ?? t('report:finding.noisy');
    case 'ratio': {
      if (finding.took !== null) return tookClause(finding.took, names, finding, t);
      if (factor === null) {
        return t(`report:finding.docker.${safetyOf(finding)}`, { ...names, size: sizeText(claim.value, t) });
      }
      const told = fasterFirst(finding);
      const about = { ...sides(told, t), size: sizeText(told.ratio.value, t) };
      return t(`report:finding.difference.${safetyOf(told)}`, about);
    }
    case 'same': {
      const size = boundText(claim.bound, t);
      if (factor === null) return t('report:finding.same.docker', { size });
      return withoutText(t('report:finding.same.all', { size }), claim.without, finding, t);
    }
    case 'apart': {
      const about = { ...names, size: boundText(claim.bound, t) };
      if (factor === null) return t('report:finding.apart.docker', about);
      return withoutText(t(`report:finding.apart.${claim.scope}`, about), claim.without, finding, t);
    }
    case 'unknown':
      return claim.why === 'stalled'
        ? t('report:finding.stalled', names)
        : t(`report:finding.${claim.why === 'few' ? 'tooFew' : 'noisy'}`);
  }
}

function tookClause(
  took: Took,
  { level, reference }: { level: string; reference: string },
  finding: Finding,
  t: Translate,
): string {
  const isDocker = finding.factor === null;
  const text = t(took.isStart ? 'report:finding.took.start' : 'report:finding.took.task', {
    ...tookTimes(took, t),
    level: isDocker ? 'Docker' : level,
    reference: isDocker ? t('report:finding.took.noDocker') : reference,
  });
  const safety = safetyOf(finding);
  return safety === 'safe' ? text : t(`report:finding.took.${safety}`, { text });
}

/** "…, not counting tmpfs" if something is left out */
function withoutText(
  text: string,
  without: readonly ScenarioLabel[],
  { factor }: Finding,
  t: Translate,
): string {
  if (without.length === 0 || factor === null) return text;
  const list = without.map((label) => levelName(label, factor, t)).join(t('report:list.items'));
  return t('report:finding.without', { text, list });
}

/** "host network 1.9×", "storage same", or "storage ≤ 1.2×" */
export function chipOf(finding: Finding, t: Translate): string {
  const { factor } = finding;
  const known = nameOf(finding, t);
  const told = fasterFirst(finding);
  const claim = claimOf(told);
  const choice = factor === null ? known : known.toLocaleLowerCase(t.language);
  if (claim.kind === 'ratio') {
    const level = factor === null ? choice : briefly(sides(told, t).level);
    const { took, job } = finding;
    return `${level} ${took === null || job !== null ? sizeText(claim.value, t) : tookText(took, t)}`;
  }
  const value = (): string => {
    switch (claim.kind) {
      case 'varies':
        return t('report:finding.chip.varies');
      case 'same':
        return t('report:finding.chip.same');
      case 'apart':
        return `≤ ${boundText(claim.bound, t)}`;
      case 'unknown':
        return t('report:finding.chip.unknown');
    }
  };
  return `${choice} ${value()}`;
}

function safetyOf({ unsafe, ratio }: Finding): 'safe' | 'withUnsafe' | 'withoutUnsafe' {
  if (!unsafe) return 'safe';
  return ratio.value > 1 ? 'withUnsafe' : 'withoutUnsafe';
}

function dependsText(finding: Finding, t: Translate): string | undefined {
  const { at } = finding;
  const texts = at.map(({ of, on, verdict, ratio }) => {
    const effect = isDifference(verdict) ? sizeText(ratio.value, t) : t(`messages:verdict.${verdict}`);
    return t('report:finding.at', { level: levelName(of, on, t), effect });
  });
  const [first] = at;
  if (first === undefined) return undefined;
  const factor = t(
    first.on === 'connections' ? 'ui:sweep.connections' : `report:effects.factor.${first.on}`,
  ).toLocaleLowerCase(t.language);
  const list = texts.join(t('report:list.items'));
  return t('report:finding.dependsOn', { ...sides(finding, t), factor, list });
}

/** "Network: probably 1.85–1.95×, 9 turns"; without a difference, its level */
export function findingDetail(finding: Finding, t: Translate): string {
  const { kind, ratio } = fasterFirst(finding);
  const parts = [...(kind === 'difference' ? [] : [sides(finding, t).level]), certaintyText(ratio, t)];
  const value = parts.join(t('report:list.parts'));
  return t('report:list.named', { name: nameOf(finding, t), value });
}

export function certaintyText(ratio: RatioEstimate, t: Translate): string {
  const { low, high, samples, pairedRounds } = ratio;
  const isWide = low !== null && high !== null && low < 0.1 && high > 10;
  const interval = intervalText(ratio, t.language);
  const probably = isWide ? intervalTextOf(ratio, t) : t('report:finding.probably', { interval });
  const times =
    samples > pairedRounds
      ? t('report:finding.turns', { count: samples })
      : t('report:finding.measurements', { count: pairedRounds });
  return [...(low === null ? [] : [probably]), times].join(t('report:list.parts'));
}

/** Differences that vary, unless their clause says so. */
export function dependenceTexts({ headline }: Analysis, t: Translate): string[] {
  const findings = headline.kind === 'findings' ? headline.findings : [];
  return findings.flatMap((one) => {
    const text = varies(one) ? undefined : dependsText(one, t);
    return text === undefined ? [] : [t('report:list.named', { name: nameOf(one, t), value: text })];
  });
}
