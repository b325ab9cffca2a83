import { type ComparedChoice, compareRuns, type RunsComparison } from '../analysis/compare-runs.ts';
import { ratioInterval } from '../analysis/notices.ts';
import { msg, type Message, type MessageCode } from '../message.ts';
import type { Notice } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { formatRatio } from '../units.ts';
import { effectTexts } from './effect-table.ts';
import { asSentence, intervalTextOf, sizeText, speedText } from './effect-wording.ts';
import { type Condition, type ConditionGroup, runConditions } from './facts.ts';
import type { Translate } from './i18n.ts';
import { labelText } from './labels.ts';
import { scenarioNameOf } from './wording.ts';

export interface NamedRun {
  name: string | null;
  run: RunState;
}

export interface ComparedRuns {
  runs: RunState[];
  names: string[];
  comparison: RunsComparison;
  conditions: Condition[];
  /** A run with the most common work; speeds of other work don't compare. */
  usual: number;
}

export function comparedRuns(
  named: readonly NamedRun[],
  t: Translate,
  dateText: (at: number) => string,
): ComparedRuns {
  const runs = named.map(({ run }) => run);
  const conditions = runConditions(runs, t);
  const ofWork = conditions.filter(({ group }) => group === 'workload' || group === 'load');
  const work = runs.map((_, run) => JSON.stringify(ofWork.map(({ values }) => values[run])));
  const likeIt = work.map((own) => work.filter((one) => one === own).length);
  const usual = likeIt.indexOf(Math.max(...likeIt));
  const comparison = compareRuns(
    runs,
    work.map((own) => own === work[usual]),
  );
  return { runs, names: namesOf(named, dateText), comparison, conditions, usual };
}

/** The shortest names by which all runs differ. */
function namesOf(named: readonly NamedRun[], dateText: (at: number) => string): string[] {
  const longer = named.map(({ name, run }) => {
    const { runtime, host } = run.plan.engines[0].passport;
    const [short, cpu, date] = [name ?? runtime.name, host.cpuModel, dateText(run.startedAt)];
    return [[short], [short, cpu], [short, date], [short, cpu, date]].map((parts) => parts.join(', '));
  });
  return longer.map(([first = '', ...others], run) => {
    const isOnly = (text: string, at: number): boolean =>
      longer.every((own, other) => other === run || own[at] !== text);
    return [first, ...others].find(isOnly) ?? `${first} (${run + 1})`;
  });
}

type WarningCode = MessageCode extends infer C ? (C extends `compareWarning.${infer W}` ? W : never) : never;

export function compareWarnings(
  { runs, names, comparison, conditions, usual }: ComparedRuns,
  t: Translate,
): Notice[] {
  const { sameBaseline, analyses, unmatched } = comparison;
  const items = t('report:list.items');
  const warn = (code: WarningCode, params: Message['params'] = {}): Notice => ({
    code,
    message: msg(`compareWarning.${code}`, params),
  });
  const ofRuns = (code: WarningCode, of: (run: number) => boolean): Notice[] => {
    const own = names.filter((_, run) => of(run));
    return own.length === 0 ? [] : [warn(code, { names: own.join(items) })];
  };
  const ofGroup = (code: WarningCode & ConditionGroup): Notice[] => {
    const what = differing(conditions, [code], t);
    const isOther = (run: number): boolean =>
      conditions.some(({ group, values }) => group === code && values[run] !== values[usual]);
    return what === ''
      ? []
      : [warn(code, { what, names: names.filter((_, run) => isOther(run)).join(items) })];
  };
  return [
    ...ofRuns('baseline', (run) => sameBaseline[run] !== true),
    ...(['workload', 'server', 'settings', 'load'] as const).flatMap(ofGroup),
    ...analyses.flatMap(({ aaCheck }, run) => {
      if (aaCheck?.outcome !== 'failed') return [];
      const { ratio } = aaCheck;
      const params = { ratio: formatRatio(ratio.value), interval: ratioInterval(ratio) };
      return [warn('aaCheck', { name: names[run] ?? '', ...params })];
    }),
    ...ofRuns('stopped', (run) => runs[run]?.outcome !== 'completed'),
    ...names.flatMap((name, run) => {
      const own = unmatched.filter((one) => one.run === run).map(({ label }) => labelText(label, t));
      return own.length === 0 ? [] : [warn('unmatched', { name, list: own.join(t('report:list.clauses')) })];
    }),
    warn('notInterleaved'),
  ];
}

function differing(
  conditions: readonly Condition[],
  groups: readonly ConditionGroup[],
  t: Translate,
): string {
  const own = conditions.filter(({ group, differs }) => differs && groups.includes(group));
  return own.map(({ label }) => label).join(t('report:list.items'));
}

/** Choices that are alike everywhere are missing. */
export function compareFindings(compared: ComparedRuns, t: Translate): { text: string; detail: string }[] {
  const { choices } = compared.comparison;
  const told = choices
    .flatMap((choice) => choiceFinding(choice, compared, t))
    .map((one, at, all) => (one.detail === all[at - 1]?.detail ? { ...one, detail: '' } : one));
  if (told.length > 0) return [speedFinding(compared, t), ...told];
  const isSame = choices.every(({ verdict }) => verdict === 'same');
  const kind = choices.length === 0 ? 'nothing' : isSame ? 'same' : 'open';
  return [speedFinding(compared, t), { text: t(`ui:compare.sentence.${kind}`), detail: '' }];
}

function speedFinding({ names, comparison, conditions }: ComparedRuns, t: Translate) {
  const { speeds, analyses } = comparison;
  if (speeds === null) {
    const what = differing(conditions, ['workload', 'load'], t);
    return {
      text: t('ui:compare.sentence.noSpeed'),
      detail: what === '' ? '' : t('ui:compare.sentence.differs', { what }),
    };
  }
  const { slowest, fastest } = speeds;
  const [most, least] = [speeds.runs[fastest], speeds.runs[slowest]];
  const about = { name: names[fastest] ?? '', slowest: names[slowest] ?? '' };
  const isTask = analyses[0]?.scenarios.some((one) => one.isTask) === true;
  const said = [most, least].map((one) => speedText(one?.tps ?? null, isTask, t));
  const detail = [
    said.join(t('ui:compare.against')),
    ...(analyses[0] === undefined ? [] : [scenarioNameOf(analyses[0], analyses[0].baselineId, t)]),
    ...(most?.change ? [intervalTextOf(most.change, t)] : []),
  ].join(t('report:list.parts'));
  if (most?.verdict !== 'faster' || !most.change) {
    return { text: t(`ui:compare.sentence.${most?.verdict === 'same' ? 'asFast' : 'openSpeed'}`), detail };
  }
  const size = sizeText(most.change.value, t);
  const what = differing(conditions, ['server', 'settings'], t);
  return what === ''
    ? { text: t('ui:compare.sentence.faster', { ...about, size }), detail }
    : { text: t('ui:compare.sentence.fasterBut', { ...about, size, what }), detail };
}

function choiceFinding({ effects, verdict, outlier }: ComparedChoice, compared: ComparedRuns, t: Translate) {
  const { names, comparison } = compared;
  if (verdict !== 'different') return [];
  const measured = effects
    .flatMap((effect, run) =>
      effect === null || effect.ratio === null ? [] : [{ effect, run, value: effect.ratio.value }],
    )
    .sort((a, b) => a.value - b.value);
  const [least, most] = [measured[0], measured.at(-1)];
  const analysis = comparison.analyses[least?.run ?? 0];
  if (least === undefined || most === undefined || analysis === undefined) return [];
  const { level, reference } = effectTexts(least.effect, analysis, t);
  const alone = measured.find(({ run }) => run === outlier);
  const cause = alone === undefined ? '' : causeText(alone.run, compared, t);
  const sizeOf = (one: { value: number } | undefined): string =>
    one === undefined ? '' : sizeText(one.value, t);
  if (alone === undefined || measured.length === 2) {
    const from = { from: sizeOf(least), fromName: names[least.run] ?? '' };
    const to = { to: sizeOf(most), toName: names[most.run] ?? '' };
    const text = t('ui:compare.sentence.varies', { level, reference, ...from, ...to });
    return [{ text: asSentence(text, t), detail: cause }];
  }
  const others = measured.filter((one) => one !== alone);
  const bounds = [others[0], others.at(-1)].map((one) => formatRatio(one?.value ?? 1, t.language));
  const range = t('report:effect.size', { number: [...new Set(bounds)].join('–') });
  const about = { name: names[alone.run] ?? '', level, reference, size: sizeOf(alone), range };
  return [{ text: t('ui:compare.sentence.outlier', about), detail: cause }];
}

const MOST_CAUSES = 3;

/** Conditions in which only this run differs; for two runs, all differences. */
function causeText(run: number, { names, conditions }: ComparedRuns, t: Translate): string {
  const causes = conditions.flatMap((condition) => {
    const { id, group, values } = condition;
    const others = values.filter((_, other) => other !== run);
    const kinds = new Set(others);
    const isCause = group !== 'run' || id === 'ui:compare.field.power';
    const isOnlyThere = !kinds.has(values[run] ?? '') && kinds.size <= Math.max(1, others.length / 2);
    return isCause && isOnlyThere ? [{ ...condition, kinds: kinds.size }] : [];
  });
  const fewest = Math.min(...causes.map(({ kinds }) => kinds));
  const own = causes.filter(({ kinds }) => kinds === fewest);
  const name = names[run] ?? '';
  if (own.length === 0) return t('ui:compare.onlyThere.nothing', { name });
  if (own.length > 1 && own[0]?.values.length === 2) {
    const what = own.map(({ label }) => label).join(t('report:list.items'));
    return t('ui:compare.sentence.differs', { what });
  }
  const isSharing = ({ id }: Condition): number => Number(id === 'ui:passport.fileSharing');
  const list = own
    .sort((a, b) => isSharing(b) - isSharing(a))
    .slice(0, MOST_CAUSES)
    .map(({ label, values }) => t('report:list.aside', { text: label, aside: values[run] ?? '' }))
    .join(t('report:list.clauses'));
  const more = own.length - MOST_CAUSES;
  return more > 0
    ? t('ui:compare.onlyThere.more', { name, list, more })
    : t('ui:compare.onlyThere.list', { name, list });
}
