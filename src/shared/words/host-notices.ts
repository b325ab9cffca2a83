import type { Translate } from './i18n.ts';
import { HOST_CONDITIONS, type HostCondition, type HostConditionKind } from '../model/evidence.ts';
import type { NoticeText } from '../model/plan.ts';
import type { TrialOutline } from '../model/run-state.ts';
import { formatCount, formatNumber } from './units.ts';
import { percentText } from './wording.ts';

/** What the codes of all these remarks begin with. */
export const HOST_NOTICE = 'HOST_';

/** Said of the run, whichever scenarios they met: a machine's power does not change with what is measured. */
const OF_THE_RUN: readonly HostConditionKind[] = ['on-battery', 'low-power'];

/** What of a kind was found in some trials. */
interface Found {
  kind: HostConditionKind;
  conditions: HostCondition[];
  /** How many of the trials it touches. */
  touched: number;
  trials: TrialOutline[];
}

/**
 * What else went on while it was measured: for each kind one remark with each scenario that it met, or one for the run
 * where it met more than half of them: nobody reads ten lines of the same kind. Only measured trials count.
 */
export function hostNotices(trials: readonly TrialOutline[], t: Translate): NoticeText[] {
  const measured = trials.filter(({ status }) => status === 'measured');
  const scenarioIds = [...new Set(measured.map(({ scenarioId }) => scenarioId))];
  return HOST_CONDITIONS.flatMap((kind): NoticeText[] => {
    const code = `${HOST_NOTICE}${kind.toUpperCase().replace('-', '_')}`;
    const ofRun = find(kind, measured);
    if (ofRun.touched === 0) return [];
    const each = scenarioIds
      .map((id) => ({
        id,
        found: find(
          kind,
          measured.filter(({ scenarioId }) => scenarioId === id),
        ),
      }))
      .filter(({ found }) => found.touched > 0);
    if (OF_THE_RUN.includes(kind) || 2 * each.length > scenarioIds.length) {
      return [{ code, message: message(ofRun, t) }];
    }
    return each.map(({ id, found }) => ({ code, message: message(found, t), scenarioId: id }));
  });
}

function find(kind: HostConditionKind, trials: TrialOutline[]): Found {
  const each = trials.map(({ evidence }) =>
    (evidence?.host?.conditions ?? []).filter((one) => one.kind === kind),
  );
  return { kind, conditions: each.flat(), touched: each.filter(({ length }) => length > 0).length, trials };
}

function message(found: Found, t: Translate): string {
  const values = found.conditions.flatMap(({ value }) => value ?? []);
  const worst = values.length === 0 ? undefined : Math.max(...values);
  const where = whereText(found, t);
  switch (found.kind) {
    case 'steal':
      return t('report:notice.HOST_STEAL', { where, worst: percentText(worst ?? 0, t) });
    case 'memory-pressure':
      return worst === undefined
        ? t('report:notice.HOST_MEMORY_WARNING', { where })
        : t('report:notice.HOST_MEMORY_PRESSURE', { where, worst: percentText(worst, t) });
    case 'memory-low':
      return t('report:notice.HOST_MEMORY_LOW', { where, worst: percentText(worst ?? 0, t) });
    case 'swapping':
      return t('report:notice.HOST_SWAPPING', { where, worst: formatCount(worst ?? 0, t.language) });
    case 'others-busy':
      return othersText(found, where, t);
    case 'container-busy':
      return t('report:notice.HOST_CONTAINER_BUSY', { where, names: containersText(found, t) });
    case 'thermal':
      return t('report:notice.HOST_THERMAL', { where });
    case 'on-battery':
      return t('report:notice.HOST_ON_BATTERY', { where });
    case 'low-power':
      return t('report:notice.HOST_LOW_POWER', { where });
  }
}

/** "in 12 of 50 measured seconds (3 of 5 trials)", or "in 3 of 5 trials" of what is only known of whole trials. */
function whereText({ conditions, touched, trials }: Found, t: Translate): string {
  const windows = conditions.map((one) => one.windows);
  const params = { touched, count: trials.length };
  if (windows.includes(null)) return t('report:hostWhere.trials', params);
  const ms = trials.reduce(
    (sum, { totals }) => sum + (totals?.durationMs ?? 0) + (totals?.excludedMs ?? 0),
    0,
  );
  const seconds = windows.reduce((sum, one) => sum + (one?.length ?? 0), 0);
  return t('report:hostWhere.seconds', {
    ...params,
    seconds: formatCount(seconds, t.language),
    all: formatCount(ms / 1000, t.language),
  });
}

function othersText({ conditions }: Found, where: string, t: Translate): string {
  const [worst] = [...conditions].sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const params = { where, cores: formatNumber(worst?.value ?? 0, 2, t.language) };
  const name = worst?.name ?? null;
  return name === null
    ? t('report:notice.HOST_OTHERS_BUSY', params)
    : t('report:notice.HOST_OTHERS_BUSY_NAMED', { ...params, name });
}

/** "“web” 0.92 cores, “cache” 0.31 cores": each at its busiest, those of the same name together. */
function containersText({ conditions }: Found, t: Translate): string {
  const busiest = new Map<string, number>();
  for (const { name, value } of conditions) {
    const called = name === null ? t('report:hostWhere.nameless') : t('report:hostWhere.named', { name });
    busiest.set(called, Math.max(busiest.get(called) ?? 0, value ?? 0));
  }
  return [...busiest]
    .sort(([, a], [, b]) => b - a)
    .map(([name, cores]) => t('report:hostWhere.cores', { name, cores: formatNumber(cores, 2, t.language) }))
    .join(t('report:list.items'));
}
