import { listOf, msg, type Message } from '../message.ts';
import { HOST_CONDITIONS, type HostCondition, type HostConditionKind } from '../model/evidence.ts';
import type { Notice } from '../model/plan.ts';
import type { TrialState } from '../model/run-state.ts';
import { formatCount, formatNumber, formatPercent } from '../units.ts';

type HostCause = 'busy' | 'steal' | 'memory' | 'thermal' | 'power';
const CAUSES: Readonly<Record<HostConditionKind, HostCause>> = {
  steal: 'steal',
  'memory-pressure': 'memory',
  swapping: 'memory',
  thermal: 'thermal',
  'others-busy': 'busy',
  'container-busy': 'busy',
  'on-battery': 'power',
  'low-power': 'power',
};

function codeOf(kind: HostConditionKind): string {
  return `HOST_${kind.toUpperCase().replace('-', '_')}`;
}

/** Undefined for other notices. */
export function hostCauseOf(code: string): HostCause | undefined {
  const kind = HOST_CONDITIONS.find((one) => codeOf(one) === code);
  return kind && CAUSES[kind];
}

/** Power does not depend on the scenario. */
export const OF_THE_RUN: readonly HostConditionKind[] = ['on-battery', 'low-power'];

interface Found {
  kind: HostConditionKind;
  conditions: HostCondition[];
  touched: number;
  trials: TrialState[];
}

/** One per kind and scenario, or one for the run if over half are concerned. */
export function hostNotices(trials: readonly TrialState[]): Notice[] {
  const measured = trials.filter(({ totals }) => totals !== null);
  const scenarioIds = [...new Set(measured.map(({ scenarioId }) => scenarioId))];
  return HOST_CONDITIONS.flatMap((kind): Notice[] => {
    const code = codeOf(kind);
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
      return [{ code, message: messageOf(ofRun) }];
    }
    return each.map(({ id, found }) => ({ code, message: messageOf(found), scenarioId: id }));
  });
}

function find(kind: HostConditionKind, trials: TrialState[]): Found {
  const each = trials.map(({ evidence }) =>
    (evidence?.host?.conditions ?? []).filter((one) => one.kind === kind),
  );
  return { kind, conditions: each.flat(), touched: each.filter(({ length }) => length > 0).length, trials };
}

function messageOf(found: Found): Message {
  const values = found.conditions.flatMap(({ value }) => value ?? []);
  const worst = values.length === 0 ? undefined : Math.max(...values);
  const where = whereOf(found);
  const percent = { where, worst: formatPercent(worst ?? 0) };
  switch (found.kind) {
    case 'steal':
      return msg('notice.hostSteal', percent);
    case 'memory-pressure':
      return worst === undefined
        ? msg('notice.hostMemoryWarning', { where })
        : msg('notice.hostMemoryPressure', percent);
    case 'swapping':
      return msg('notice.hostSwapping', { where, worst: formatCount(worst ?? 0) });
    case 'others-busy':
      return othersMessage(found, where);
    case 'container-busy':
      return msg('notice.hostContainerBusy', { where, names: containersOf(found) });
    case 'thermal':
      return msg('notice.hostThermal', { where });
    case 'on-battery':
      return msg('notice.hostOnBattery', { where });
    case 'low-power':
      return msg('notice.hostLowPower', { where });
  }
}

/** "in 12 of 50 measured seconds (3 of 5 trials)" */
function whereOf({ conditions, touched, trials }: Found): Message {
  const windows = conditions.map((one) => one.windows);
  const params = { touched, count: trials.length };
  if (windows.includes(null)) return msg('hostWhere.trials', params);
  const ms = trials.reduce(
    (sum, { totals }) => sum + (totals?.durationMs ?? 0) + (totals?.excludedMs ?? 0),
    0,
  );
  const seconds = windows.reduce((sum, one) => sum + (one?.length ?? 0), 0);
  return msg('hostWhere.seconds', { ...params, seconds: formatCount(seconds), all: formatCount(ms / 1000) });
}

function othersMessage({ conditions }: Found, where: Message): Message {
  const [worst] = [...conditions].sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const params = { where, cores: formatNumber(worst?.value ?? 0, 2) };
  const name = worst?.name ?? null;
  return name === null
    ? msg('notice.hostOthersBusy', params)
    : msg('notice.hostOthersBusyNamed', { ...params, name });
}

const MOST_NAMED = 3;

function containersOf({ conditions }: Found) {
  const busiest = new Map<string | null, number>();
  for (const { name, value } of conditions) {
    busiest.set(name, Math.max(busiest.get(name) ?? 0, value ?? 0));
  }
  const named = [...busiest]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_NAMED)
    .map(([name, cores]) =>
      msg('hostWhere.cores', {
        name: name === null ? msg('hostWhere.nameless') : msg('hostWhere.named', { name }),
        cores: formatNumber(cores, 2),
      }),
    );
  const more = busiest.size - named.length;
  return listOf([...named, ...(more > 0 ? [msg('hostWhere.more', { count: more })] : [])], 'list.words');
}
