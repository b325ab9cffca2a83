import { mostOf, isWithoutDocker } from '../analysis/findings.ts';
import { leastCommitShare } from '../analysis/recommendations.ts';
import { STORAGES } from '../kinds/storages.ts';
import type { Analysis, Effect, Recommendation, RecommendationCode } from '../model/analysis.ts';
import type { FileSharing } from '../model/passport.ts';
import type { ScenarioLabel } from '../model/plan.ts';
import { equivalenceZone } from '../statistics/paired-ratio.ts';
import { asSentence, percentText, sizeText } from './effect-wording.ts';
import { fileSharingName } from './facts.ts';
import { levelName } from './finding-wording.ts';
import { isRefusal } from '../run/failures.ts';
import { errorText, type Translate } from './i18n.ts';

export const MOST_ACTIONS = 2;

type ActionCode = Exclude<RecommendationCode, 'run-until-conclusive' | 'full-run'>;
export type Action = Recommendation & { code: ActionCode };

export interface AdviceText {
  title: string;
  text: string;
  gain: string | null;
  cost: string | null;
  link: string | null;
}

/** Where the setting is documented; each address is in contract/external-links.json, so that the app can open it. */
export const ADVICE_LINKS: Partial<Record<RecommendationCode, string>> = {
  'use-virtiofs': 'https://docs.docker.com/desktop/settings-and-maintenance/settings/',
  'use-native-image': 'https://docs.docker.com/build/building/multi-platform/',
};

/** What these gain follows from no measurement of the run. */
const UNMEASURED: ReadonlySet<RecommendationCode> = new Set([
  'use-virtiofs',
  'use-native-image',
  'raise-cpu-limit',
  'group-writes',
]);

export function actionsOf({ recommendations }: Pick<Analysis, 'recommendations'>): Action[] {
  return recommendations.filter((one): one is Action => !isMore(one));
}

function isMore({ code }: Recommendation): boolean {
  return code === 'run-until-conclusive' || code === 'full-run';
}

/** Undefined where something is to be changed, or nothing was compared. */
export function keepText(analysis: Analysis, t: Translate): string | undefined {
  const { effects, scenarios, headline } = analysis;
  if (headline.kind === 'nothing-measured') return undefined;
  const neverStarted = neverStartedText(scenarios, t);
  const isRefused = (id: string): boolean => scenarios.some((one) => one.id === id && one.refused !== null);
  const compared = effects.filter(
    (one) =>
      one.factor !== 'loadGenerator' &&
      !one.unsafe.level &&
      !isWithoutDocker(one, scenarios) &&
      !one.pairs.every(({ scenarioId, referenceId }) => isRefused(scenarioId) || isRefused(referenceId)),
  );
  const kept = compared.length === 0 ? undefined : keptText(compared, analysis, t);
  const lines = [...neverStarted, ...(kept === undefined ? [] : [kept])];
  return lines.length === 0 ? undefined : lines.join(t('report:list.sentences'));
}

/** Of storage types that no server started on, a sentence for each reason: "Not usable here: bind mount. …" */
function neverStartedText(scenarios: Analysis['scenarios'], t: Translate): string[] {
  const names = new Map<string, { code: 'refused' | 'notStarted'; reason: string; names: Set<string> }>();
  for (const { refused, label } of scenarios) {
    const isUsed = scenarios.some((one) => one.measured > 0 && one.label.storage === label.storage);
    if (refused === null || isUsed) continue;
    const { message: reason } = errorText(refused, t);
    const one = names.get(reason) ?? {
      code: isRefusal(refused) ? 'refused' : 'notStarted',
      reason,
      names: new Set(),
    };
    one.names.add(levelName(label, 'storage', t));
    names.set(reason, one);
  }
  return [...names.values()].map(({ code, reason, names: list }) =>
    t(`report:advice.keep.${code}`, { list: [...list].join(t('report:list.items')), reason }),
  );
}

function keptText(compared: readonly Effect[], analysis: Analysis, t: Translate): string | undefined {
  const { equivalence } = analysis;
  const isBetterKnown = compared.some(({ verdict, unsafe }) => verdict === 'faster' || unsafe.reference);
  if (isBetterKnown) return undefined;
  if (actionsOf(analysis).some(({ factor }) => factor !== null)) return undefined;
  const open = compared.filter(({ verdict }) => verdict === 'inconclusive');
  const bound = Math.max(0, ...open.map(mostOf));
  if (bound <= equivalenceZone(equivalence)[1]) return t('report:advice.keep.best');
  return bound > 10
    ? t('report:advice.keep.unknown')
    : t('report:advice.keep.atMost', { size: sizeText(bound, t) });
}

/** How long measuring until all is conclusive would take; undefined where nothing is left or a run only continues. */
export function moreText({ recommendations }: Analysis, t: Translate): string | undefined {
  const more = recommendations.find(isMore);
  if (more === undefined) return undefined;
  return more.minutes === null
    ? t('report:advice.moreLong')
    : t('report:advice.more', { count: more.minutes });
}

/** Whether an action before it changes the same factor: only one of them can be done. */
function isAlternative(action: Action, analysis: Analysis): boolean {
  const actions = actionsOf(analysis).filter(
    ({ pair, code }) => pair !== null && code !== 'keep-safe-storage',
  );
  const [first] = actions.filter(({ factor }) => factor === action.factor);
  return actions.includes(action) && first !== action;
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
  const unknown = UNMEASURED.has(code) ? t('report:advice.gainUnknown') : null;
  const { durability } = STORAGES[from?.storage ?? 'container-layer'];
  const text =
    code === 'keep-safe-storage'
      ? t(`report:advice.keep-safe-storage.text.${durability}`, about)
      : t(`report:advice.${code}.text`, about);
  const title = t(`report:advice.${code}.title`, about);
  return {
    title: isAlternative(action, analysis) ? t('report:advice.or', { title }) : title,
    text: asSentence(text, t),
    gain: ratio === null ? unknown : t('report:advice.gain', { size: sizeText(ratio.value, t) }),
    cost:
      code === 'keep-safe-storage' || code === 'use-native-image'
        ? null
        : t('report:advice.costLead', { cost: t(`report:advice.${code}.cost`) }),
    link: ADVICE_LINKS[code] ?? null,
  };
}
