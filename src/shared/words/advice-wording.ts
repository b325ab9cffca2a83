import { isWithoutDocker } from '../analysis/findings.ts';
import { leastCommitShare, moreCpus } from '../analysis/recommendations.ts';
import { ADVICE, type AdviceCode, type Snippet } from '../analysis/advice.ts';
import { isContainerStorage, STORAGES } from '../kinds/storages.ts';
import type { Analysis, Effect, Recommendation } from '../analysis/analysis.ts';
import type { ErrorData } from '../errors.ts';
import type { FileSharing } from '../model/passport.ts';
import { imagesOf, type Plan, type ScenarioLabel } from '../model/plan.ts';
import { asSentence, boundText, percentText, sizeText } from './effect-wording.ts';
import { fileSharingName } from './environment-wording.ts';
import { isRefusal } from '../run/failures.ts';
import { errorText, type Translate } from './i18n.ts';
import { labelText, levelName } from './labels.ts';

const IMAGE_NAME = /^[\w./:@-]{1,200}$/;

/** Largest gain at which the choice is kept. */
const MOST_TO_KEEP = 1.5;

type ActionCode = Exclude<AdviceCode, 'run-until-conclusive'>;
export type Action = Recommendation & { code: ActionCode };

export interface AdviceText {
  title: string;
  text: string;
  gain: string | null;
  cost: string | null;
  link: string | null;
}

export function actionsOf({ recommendations }: Pick<Analysis, 'recommendations'>): Action[] {
  return recommendations.filter((one): one is Action => !isMore(one));
}

function isMore({ code }: Recommendation): boolean {
  return code === 'run-until-conclusive';
}

/** Gain of single changes from the reference choices. */
export type KeepClaim = { kind: 'best' | 'unknown' } | { kind: 'atMost'; bound: number };

/** Undefined if a change is advised, or nothing was compared. */
export function keepClaimOf(analysis: Analysis): KeepClaim | undefined {
  const { effects, scenarios, headline } = analysis;
  if (headline.kind === 'nothing-measured') return undefined;
  const isRefused = (id: string): boolean => scenarios.some((one) => one.id === id && one.refused !== null);
  const compared = effects.filter(
    (one) =>
      one.factor !== 'loadGenerator' &&
      !one.unsafe.level &&
      !isWithoutDocker(one, scenarios) &&
      !one.pairs.every(({ scenarioId, referenceId }) => isRefused(scenarioId) || isRefused(referenceId)),
  );
  const isBetterKnown = compared.some(({ verdict, unsafe }) => verdict === 'faster' || unsafe.reference);
  if (compared.length === 0 || isBetterKnown) return undefined;
  if (actionsOf(analysis).some((one) => isAboutReference(one, effects))) return undefined;
  const most = ({ named, ratio }: Effect): number => (named ?? ratio)?.high ?? Infinity;
  if (compared.every((one) => most(one) <= 1 + one.margin)) return { kind: 'best' };
  const bound = Math.max(...compared.map(most));
  return bound > MOST_TO_KEEP ? { kind: 'unknown' } : { kind: 'atMost', bound };
}

/** Unsafe storage may only be measured for comparison. */
export function isAboutReference({ code, factor, from }: Action, effects: readonly Effect[]): boolean {
  if (code !== 'keep-safe-storage') return factor !== null;
  const reference = effects.find((one) => one.factor === 'storage')?.reference;
  return reference === undefined || reference === from;
}

/** Undefined with nothing to keep and no storage that couldn't start. */
export function keepText(analysis: Analysis, t: Translate): string | undefined {
  const claim = keepClaimOf(analysis);
  const kept = claim === undefined ? undefined : claimText(claim, analysis, t);
  const refused = neverStarted(analysis.scenarios, t).flatMap(({ text, hint }) => [text, hint]);
  const lines = [...refused, kept ?? ''].filter((line) => line !== '');
  return lines.length === 0 ? undefined : lines.join(t('report:list.sentences'));
}

function claimText(claim: KeepClaim, analysis: Analysis, t: Translate): string {
  const { scenarios, baselineId } = analysis;
  const baseline = scenarios.find(({ id }) => id === baselineId);
  const reference = [baseline, ...scenarios].find((one) => one && isContainerStorage(one.label.storage));
  const { label } = reference ?? baseline ?? {};
  const name = label === undefined ? '' : labelText({ ...label, loadGenerator: null, connections: null }, t);
  const about = { name };
  return claim.kind === 'atMost'
    ? t('report:advice.keep.atMost', { ...about, size: boundText(claim.bound, t) })
    : t(`report:advice.keep.${claim.kind}`, about);
}

export function neverStarted(
  scenarios: Analysis['scenarios'],
  t: Translate,
): { text: string; hint: string }[] {
  const names = new Map<string, { error: ErrorData; names: Set<string> }>();
  for (const { refused, label } of scenarios) {
    const isUsed = scenarios.some((one) => one.measured > 0 && one.label.storage === label.storage);
    if (refused === null || isUsed) continue;
    const one = names.get(refused.message) ?? { error: refused, names: new Set() };
    one.names.add(levelName(label, 'storage', t));
    names.set(refused.message, one);
  }
  return [...names.values()].map(({ error, names: list }) => {
    const { message, hint } = errorText(error, t);
    const reason = /[.。]$/.test(message) ? message : `${message}${t('report:list.end')}`;
    const about = { list: [...list].join(t('report:list.items')), reason };
    return isRefusal(error)
      ? { text: t('report:advice.keep.refused', about), hint }
      : { text: t('report:advice.keep.notStarted', about), hint: '' };
  });
}

/** Undefined if nothing is left or a run only continues. */
export function moreText({ recommendations }: Analysis, t: Translate): string | undefined {
  const more = recommendations.find(isMore);
  if (more === undefined) return undefined;
  return more.minutes === null
    ? t('report:advice.moreLong')
    : t('report:advice.more', { count: more.minutes });
}

export function adviceText(
  action: Action,
  analysis: Analysis,
  fileSharing: FileSharing,
  t: Translate,
): AdviceText {
  const { code, factor, from: left, pair, ratio } = action;
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
  const unknown = ADVICE[code].isUnmeasured ? t('report:advice.gainUnknown') : null;
  const { durability } = STORAGES[from?.storage ?? 'container-layer'];
  const text =
    code === 'keep-safe-storage'
      ? t(`report:advice.keep-safe-storage.text.${durability}`, about)
      : t(`report:advice.${code}.text`, about);
  const title = t(`report:advice.${code}.title`, about);
  return {
    title,
    text: asSentence(text, t),
    gain: ratio === null ? unknown : t('report:advice.gain', { ...about, size: sizeText(ratio.value, t) }),
    cost:
      code === 'keep-safe-storage' || code === 'use-native-image'
        ? null
        : t('report:advice.costLead', { cost: t(`report:advice.${code}.cost`) }),
    link: ADVICE[code].link ?? null,
  };
}

export function snippetOf(
  { code, pair }: Pick<Recommendation, 'code' | 'pair'>,
  plan: Pick<Plan, 'configs' | 'scenarios' | 'engines'>,
): Snippet | null {
  const to = plan.scenarios.find(({ id }) => id === pair?.scenarioId);
  const [image] = imagesOf(plan);
  const isMariaDb = image?.flavor === 'mariadb';
  const named = image?.requested ?? '';
  const server = {
    // A stranger's result may name any image.
    image: IMAGE_NAME.test(named) ? named : isMariaDb ? 'mariadb:11.8' : 'mysql:8.4',
    isMariaDb,
    password: `${isMariaDb ? 'MARIADB_ROOT_PASSWORD' : 'MYSQL_ROOT_PASSWORD'}: \${MYSQL_ROOT_PASSWORD:?}`,
    cpus: moreCpus(plan),
    storage: to?.storage.kind,
    settings: plan.configs.find(({ id }) => id === to?.configId)?.settings,
  };
  return ADVICE[code].lines?.(server) ?? null;
}
