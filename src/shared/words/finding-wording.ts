import { STORAGES } from '../kinds/storages.ts';
import type { Analysis, Recommendation, RecommendationCode, RatioEstimate } from '../model/analysis.ts';
import type { Finding } from '../model/history-entry.ts';
import type { DependsOn, Verdict } from '../model/names.ts';
import type { ScenarioLabel } from '../model/plan.ts';
import { ENOUGH_SAMPLES } from '../statistics/paired-ratio.ts';
import { ratioInterval, timesMeasured } from '../analysis/notices.ts';
import { leastCommitShare } from '../analysis/recommendations.ts';
import { msg } from '../message.ts';
import type { FileSharing } from '../model/passport.ts';
import { ADVICE_LINKS } from './advice-links.ts';
import { fileSharingName } from './facts.ts';
import { messageText, type Translate } from './i18n.ts';
import { givenText, labelText, pathName } from './labels.ts';
import { formatLatency, formatRate, formatRatio } from './units.ts';
import {
  asSentence,
  effectIntervalText,
  effectText,
  isBeyond,
  percentText,
  sizeOf,
} from './effect-wording.ts';

/** Nearer to 1, a ratio is shown as 1.00. */
const SHOWN_AS_ONE = 0.005;

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

/** One sentence without a period, the level first: "Bind mount is 1.7× slower than named volume" */
export function findingText(finding: Finding, t: Translate): string {
  const { kind, factor, ratio } = finding;
  const { level, reference } = sides(finding, t);
  const names = { level: asSentence(level, t), reference };
  if (varies(finding)) {
    return t('report:finding.depends', { ...names, list: atTexts(finding, t).join(t('report:list.items')) });
  }
  if (kind === 'same') {
    return factor === null ? t('report:finding.dockerSame', { level }) : t(`report:finding.same.${factor}`);
  }
  if (kind === 'inconclusive') return inconclusiveText(finding, t);
  const effect = effectText(ratio, t);
  return factor === null
    ? t(`report:finding.docker.${safetyOf(finding)}`, { level, effect })
    : t(`report:finding.difference.${safetyOf(finding)}`, { ...names, effect });
}

function inconclusiveText(finding: Finding, t: Translate): string {
  const { factor, ratio } = finding;
  const { low, high } = ratio;
  const names = sides(finding, t);
  const name = factor === null ? 'Docker' : t(`report:effects.factor.${factor}`);
  if (ratio.samples < ENOUGH_SAMPLES) return t('report:finding.tooFew', { name });
  if (low === null || high === null) return t('report:finding.stalled', { name, ...names });
  const bound = (value: number): string =>
    effectText({ ...ratio, value, low: null, high: null }, t, { isBound: true });
  // On its own it would be a difference, or nearly.
  const isOneSided = Math.min(high, 1 / low) < 1 + SHOWN_AS_ONE;
  if (isOneSided) {
    const farther = high - 1 < SHOWN_AS_ONE ? low : high;
    const reach = isBeyond(farther) ? 'far' : 'near';
    return t(`report:finding.oneSided.${reach}`, { name, ...names, effect: bound(farther) });
  }
  return t('report:finding.inconclusive', { name, ...names, low: bound(low), high: bound(high) });
}

export function findingClause(finding: Finding, t: Translate): string {
  const { kind, factor, ratio } = finding;
  const name = factor === null ? 'Docker' : t(`report:effects.factor.${factor}`);
  const said = (): string => {
    const [first] = finding.at;
    if (first !== undefined && varies(finding)) {
      const list = atTexts(finding, t).join(t('report:list.items'));
      return t(`report:finding.dependsOn.${first.on}`, { list });
    }
    if (kind !== 'difference') return t(`messages:verdict.${kind}`);
    const effect = effectText(ratio, t);
    const safety = safetyOf(finding);
    if (factor !== null) {
      return t(`report:finding.clause.difference.${safety}`, { ...sides(finding, t), effect });
    }
    return safety === 'safe' ? effect : t(`report:finding.clause.docker.${safety}`, { effect });
  };
  return t('report:list.named', { name, value: said() });
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

function atTexts({ at }: Finding, t: Translate): string[] {
  return at.map(({ on, of, ratio, verdict }) =>
    t('report:finding.at', {
      level: levelName(of, on, t),
      effect:
        verdict === 'same' || verdict === 'inconclusive'
          ? t(`messages:verdict.${verdict}`)
          : effectText(ratio, t),
    }),
  );
}

/** "ratio 0.58, 95% CI 0.51–0.66, 5 rounds; costs 240 TPS and 1.90 ms per transaction", in the unit of the tables. */
export function findingDetail(finding: Finding, t: Translate): string {
  const { kind, ratio, cost, at } = finding;
  const about = {
    ratio: formatRatio(ratio.value, t.language),
    interval: messageText(ratioInterval(ratio), t),
    rounds: messageText(timesMeasured(ratio), t),
  };
  const interval = t(`report:detail.${ratio.low === null ? 'difference' : 'ratio'}`, about);
  const costs = kind !== 'difference' || cost === null ? [] : [costText(cost, t)];
  const [first] = at;
  const dependence =
    first === undefined || varies(finding)
      ? []
      : [
          t(`report:finding.dependsOn.${first.on}`, {
            list: atTexts(finding, t).join(t('report:list.items')),
          }),
        ];
  return [interval, ...costs, ...dependence].join(t('report:list.clauses'));
}

function costText({ tps, ms }: NonNullable<Finding['cost']>, t: Translate): string {
  const what = ms < 0 ? 'gains' : 'costs';
  const time = formatLatency(Math.abs(ms) * 1000, t.language);
  if (tps === 0) return t(`report:finding.${what}Latency`, { ms: time });
  return t(`report:finding.${what}`, { tps: formatRate(Math.abs(tps), t.language), ms: time });
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
