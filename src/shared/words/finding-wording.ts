import { STORAGES } from '../kinds/storages.ts';
import type { Analysis, Recommendation, RecommendationCode, RatioEstimate } from '../model/analysis.ts';
import type { Finding } from '../model/history-entry.ts';
import type { DependsOn, Factor, Verdict } from '../model/names.ts';
import type { ScenarioLabel } from '../model/plan.ts';
import { inverse } from '../analysis/findings.ts';
import { ENOUGH_ROUNDS } from '../statistics/paired-ratio.ts';
import { leastCommitShare } from '../analysis/recommendations.ts';
import { msg } from '../message.ts';
import type { FileSharing } from '../model/passport.ts';
import { ADVICE_LINKS } from './advice-links.ts';
import { fileSharingName } from './facts.ts';
import { messageText, type Translate } from './i18n.ts';
import { givenText, labelText, pathName } from './labels.ts';
import { formatLatency, formatRate } from './units.ts';
import {
  asSentence,
  effectIntervalText,
  effectText,
  isBeyond,
  percentText,
  sizeOf,
} from './effect-wording.ts';

/** What is cheaper is named last: "a published port is slower than …", whatever the baseline is. */
const AS_COST: readonly Factor[] = ['storage', 'path'];

/** Nearer to 1, a ratio is shown as 1.00. */
const SHOWN_AS_ONE = 0.005;

/** "Bind mount", "published port", "8 connections" */
export function levelName(label: ScenarioLabel, factor: DependsOn, t: Translate): string {
  switch (factor) {
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
      const given = label[factor];
      if (given === null) return labelText(label, t);
      return t(`report:finding.level.${factor}`, { name: givenText(given, t.language) });
    }
  }
}

interface Turned {
  slower: string;
  faster: string;
  ratio: RatioEstimate;
}

/** Costs are turned so that the ratio is below 1; what is faster but unsafe is named first. Docker is always first. */
function turned({ factor, of, against, ratio, unsafe }: Finding, t: Translate): Turned {
  const name = (label: ScenarioLabel): string =>
    factor === null
      ? t('report:label.place', {
          storage: levelName(label, 'storage', t),
          path: levelName(label, 'path', t),
        })
      : levelName(label, factor, t);
  const isTurned =
    factor !== null && (unsafe ? ratio.value < 1 : ratio.value > 1 && AS_COST.includes(factor));
  return isTurned
    ? { slower: name(against), faster: name(of), ratio: inverse(ratio) }
    : { slower: name(of), faster: name(against), ratio };
}

/** One sentence without a period: "Published port is 1.7× slower than host network". */
export function findingText(finding: Finding, t: Translate): string {
  const { kind, factor, unsafe } = finding;
  const { slower, faster, ratio } = turned(finding, t);
  if (varies(finding)) {
    const list = atTexts(finding, ratio.value !== finding.ratio.value, t).join(t('report:list.items'));
    return t('report:finding.depends', { slower: asSentence(slower, t), faster, list });
  }
  if (kind === 'same') {
    return factor === null ? t('report:finding.dockerSame', { slower }) : t(`report:finding.same.${factor}`);
  }
  const names = { slower: asSentence(slower, t), faster };
  const effect = effectText(ratio, t);
  if (kind === 'inconclusive') {
    const { low, high } = ratio;
    const name = factor === null ? 'Docker' : t(`report:effects.factor.${factor}`);
    if (ratio.pairedRounds < ENOUGH_ROUNDS) return t('report:finding.tooFew', { name });
    if (low === null || high === null) return t('report:finding.stalled', { name, slower, faster });
    const area = factor === 'storage' || factor === 'path' ? factor : 'other';
    const bound = (value: number): string =>
      effectText({ ...ratio, value, low: null, high: null }, t, { isBound: true });
    // On its own it would be a difference, or nearly.
    const isOneSided = Math.min(high, 1 / low) < 1 + SHOWN_AS_ONE;
    if (isOneSided) {
      const farther = high - 1 < SHOWN_AS_ONE ? low : high;
      const effect = isBeyond(farther)
        ? bound(farther)
        : t('report:finding.upTo', { effect: bound(farther) });
      return t('report:finding.atMost', { name, slower, faster, effect });
    }
    return t(`report:finding.inconclusive.${area}`, { slower, faster, low: bound(low), high: bound(high) });
  }
  if (factor === null) return t(`report:finding.docker.${dockerSafety(finding)}`, { slower, effect });
  return t(unsafe ? 'report:finding.unsafe' : 'report:finding.difference', { ...names, effect });
}

/** "Network: published port 1.7× slower than host network" */
export function findingClause(finding: Finding, t: Translate): string {
  const { kind, factor, unsafe } = finding;
  const name = factor === null ? 'Docker' : t(`report:effects.factor.${factor}`);
  const { slower, faster, ratio } = turned(finding, t);
  const said = (): string => {
    const [first] = finding.at;
    if (first !== undefined && varies(finding)) {
      const list = atTexts(finding, ratio.value !== finding.ratio.value, t).join(t('report:list.items'));
      return t(`report:finding.dependsOn.${first.on}`, { list });
    }
    if (kind !== 'difference') return t(`messages:verdict.${kind}`);
    const effect = effectText(ratio, t);
    if (factor === null) {
      const safety = dockerSafety(finding);
      return safety === 'safe' ? effect : t(`report:finding.clause.docker.${safety}`, { effect });
    }
    return t(unsafe ? 'report:finding.clause.unsafe' : 'report:finding.clause.difference', {
      slower,
      faster,
      effect,
    });
  };
  return t('report:list.named', { name, value: said() });
}

function dockerSafety({ unsafe, ratio }: Finding): 'safe' | 'withUnsafe' | 'withoutUnsafe' {
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

function atTexts({ at }: Finding, isTurned: boolean, t: Translate): string[] {
  return at.map(({ on, of, ratio, verdict }) =>
    t('report:finding.at', {
      level: levelName(of, on, t),
      effect:
        verdict === 'same' || verdict === 'inconclusive'
          ? t(`messages:verdict.${verdict}`)
          : effectText(isTurned ? inverse(ratio) : ratio, t),
    }),
  );
}

/** "95% CI 1.4–2.1×, 5 rounds; costs 240 TPS and 1.90 ms per transaction" */
export function findingDetail(finding: Finding, t: Translate): string {
  const { kind, ratio, cost, at } = finding;
  const shown = turned(finding, t).ratio;
  const interval = t('report:detail.difference', {
    interval: effectIntervalText(shown, t),
    rounds: messageText(msg('rounds', { count: ratio.pairedRounds }), t),
  });
  const isTurned = shown.value !== ratio.value;
  // The cost of the slower one; of the level itself, where it is the slower one.
  const sign = isTurned ? -1 : 1;
  const costs =
    kind !== 'difference' || cost === null || shown.value >= 1
      ? []
      : [
          cost.tps === 0
            ? t('report:finding.costsLatency', { ms: formatLatency(sign * cost.ms * 1000, t.language) })
            : t('report:finding.costs', {
                tps: formatRate(sign * cost.tps, t.language),
                ms: formatLatency(sign * cost.ms * 1000, t.language),
              }),
        ];
  const [first] = at;
  const dependence =
    first === undefined || varies(finding)
      ? []
      : [
          t(`report:finding.dependsOn.${first.on}`, {
            list: atTexts(finding, isTurned, t).join(t('report:list.items')),
          }),
        ];
  return [interval, ...costs, ...dependence].join(t('report:list.clauses'));
}

/** What these gain follows from no measurement of the run. */
const UNMEASURED: ReadonlySet<RecommendationCode> = new Set([
  'use-virtiofs',
  'use-native-image',
  'raise-cpu-limit',
  'group-writes',
]);

export interface AdviceText {
  title: string;
  text: string;
  /** "Gain: 1.8× the throughput (95% CI 1.5–2.1×)." */
  gain: string | null;
  cost: string | null;
  /** Address of the setting's documentation. */
  link: string | null;
}

export function adviceText(
  { code, factor, from: left, pair, ratio, minutes }: Recommendation,
  analysis: Analysis,
  fileSharing: FileSharing,
  t: Translate,
): AdviceText {
  const labelOf = (id: string | undefined) => analysis.scenarios.find((one) => one.id === id)?.label;
  const to = labelOf(pair?.scenarioId);
  const from =
    labelOf(pair?.referenceId) ?? analysis.scenarios.find(({ label }) => label.storage === left)?.label;
  const name = (label: ScenarioLabel | undefined): string =>
    label === undefined || factor === null ? '' : levelName(label, factor, t);
  const about = {
    to: name(to),
    from: name(from),
    sharing: fileSharingName(fileSharing, t),
    share: percentText(Math.round(100 * leastCommitShare(analysis.scenarios)) / 100, t),
  };
  const link = ADVICE_LINKS[code] ?? null;
  const unknown = UNMEASURED.has(code) ? t('report:advice.gainUnknown') : null;
  const gain =
    ratio === null
      ? unknown
      : t('report:advice.gain', { size: sizeOf(ratio, t).size, interval: effectIntervalText(ratio, t) });
  switch (code) {
    case 'nothing-to-change':
      return {
        title: t(
          `report:advice.nothing-to-change.title.${factor === null || factor === 'loadGenerator' ? 'storage' : factor}`,
        ),
        text: t('report:advice.nothing-to-change.text'),
        gain: null,
        cost: null,
        link,
      };
    case 'run-until-conclusive':
      return {
        title:
          minutes === null
            ? t('report:advice.run-until-conclusive.title')
            : t('report:advice.run-until-conclusive.titleMinutes', { count: minutes }),
        text: t(`report:advice.run-until-conclusive.${minutes === null ? 'textLong' : 'text'}`),
        gain: null,
        cost: null,
        link,
      };
    case 'full-run':
      return {
        title:
          minutes === null
            ? t('report:advice.full-run.title')
            : t('report:advice.full-run.titleMinutes', { count: minutes }),
        text: t('report:advice.full-run.text'),
        gain: null,
        cost: null,
        link,
      };
    case 'keep-safe-storage': {
      const { durability } = STORAGES[from?.storage ?? 'container-layer'];
      return {
        title: t(`report:advice.${code}.title`, about),
        text: asSentence(t(`report:advice.keep-safe-storage.text.${durability}`, about), t),
        gain,
        cost: null,
        link,
      };
    }
    case 'use-native-image':
      return {
        title: t(`report:advice.${code}.title`),
        text: t(`report:advice.${code}.text`, about),
        gain,
        cost: null,
        link,
      };
    default:
      return {
        title: t(`report:advice.${code}.title`, about),
        text: asSentence(t(`report:advice.${code}.text`, about), t),
        gain,
        cost: t('report:advice.costLead', { cost: t(`report:advice.${code}.cost`) }),
        link,
      };
  }
}
