import { lossesOfConfig } from '../analysis/durability.ts';
import { OF_THE_RUN } from '../analysis/host-notices.ts';
import { seenPassports } from '../analysis/seen-passport.ts';
import { HOST_CONDITIONS } from '../model/evidence.ts';
import type { Passport } from '../model/passport.ts';
import { configOf, hasSameProgram, levelsOf, type Plan, type ServerConfig } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { MIB, type SettingName } from '../model/server-settings.ts';
import { isLimited } from '../model/server-spec.ts';
import { hasData } from '../model/task.ts';
import { isTpcc, type OltpWorkload, type TpccWorkload } from '../model/workload.ts';
import {
  fileSharingName,
  isInWsl,
  limitsText,
  lossesText,
  virtualMachineText,
} from './environment-wording.ts';
import { equalServersText, marginsText } from './effect-wording.ts';
import type { TextKey, Translate } from './i18n.ts';
import { configText } from './labels.ts';
import { dataText, serversText, taskText } from './provenance.ts';
import { formatBytes, formatCount, formatDuration, formatNumber, NO_VALUE } from '../units.ts';

export type Fact = [name: string, value: string];

/** Numbers don't compare if one of the first four differs. */
export const CONDITION_GROUPS = [
  'workload',
  'server',
  'settings',
  'load',
  'machine',
  'runtime',
  'run',
] as const;
export type ConditionGroup = (typeof CONDITION_GROUPS)[number];

/** Null where there is none. */
type Read<Of> = (of: Of, t: Translate) => string | null;
/** Null leaves the row out of comparisons. */
type Row<Of> = [group: ConditionGroup | null, name: TextKey, read: Read<Of>];
type OfPlan = { plan: Plan };
type Section = 'load' | 'schedule' | 'versions';

const bytes = (value: number, t: Translate): string => formatBytes(value, t.language);
const count = (value: number, t: Translate): string => formatCount(value, t.language);
const seconds = (value: number, t: Translate): string => formatDuration(value * 1000, t.language);
const onOff = (value: boolean, t: Translate): string =>
  t(value ? 'ui:plan.setting.on' : 'ui:plan.setting.off');
const yesNo = (value: boolean, t: Translate): string =>
  t(value ? 'ui:compare.value.yes' : 'ui:compare.value.no');
const distinct = (values: readonly string[]): string => [...new Set(values)].join(', ');

const ofLoad =
  (read: Read<Plan>): Read<OfPlan> =>
  ({ plan }, t) =>
    plan.task === null ? read(plan, t) : null;
const ofOltp = (read: Read<OltpWorkload>): Read<OfPlan> =>
  ofLoad(({ workload }, t) => (isTpcc(workload) ? null : read(workload, t)));
const ofTpcc = (read: Read<TpccWorkload>): Read<OfPlan> =>
  ofLoad(({ workload }, t) => (isTpcc(workload) ? read(workload, t) : null));

const LOAD: Row<OfPlan>[] = [
  ['workload', 'ui:plan.setting.task', ({ plan: { task } }, t) => task && taskText(task, t)],
  ['workload', 'ui:plan.setting.workload', ofLoad(({ workload }) => workload.kind)],
  ['workload', 'ui:plan.data', data],
  ['workload', 'ui:plan.setting.mix', ofTpcc(({ mix }) => mix)],
  ['workload', 'ui:plan.setting.distribution', ofOltp(({ distribution }) => distribution)],
  ['load', 'ui:sweep.connections', ofLoad(connections)],
  ['run', 'ui:plan.setting.seed', ({ plan }) => String(plan.seed)],
];

const SECTIONS: Record<Section, Row<RunState>[]> = {
  load: [
    ['workload', 'ui:environment.items', ofTpcc(({ items }, t) => count(items, t))],
    [
      'workload',
      'ui:environment.customers',
      ofTpcc(({ customersPerDistrict }, t) => count(customersPerDistrict, t)),
    ],
    ['workload', 'ui:environment.rangeSize', ofOltp(({ rangeSize }, t) => count(rangeSize, t))],
    ['workload', 'ui:environment.prepared', ofOltp((load, t) => onOff(load.preparedStatements, t))],
    ['workload', 'ui:environment.transactions', ofOltp((load, t) => onOff(!load.skipTransactions, t))],
    ['load', 'report:effects.factor.loadGenerator', loadGenerators],
    [null, 'ui:environment.datadir', ({ dataset }, t) => dataset && bytes(dataset.bytes, t)],
    [null, 'ui:environment.rows', ({ dataset }, t) => dataset && count(dataset.rows, t)],
  ],
  schedule: [
    [null, 'ui:plan.rounds', ({ plan }, t) => count(plan.schedule.rounds, t)],
    ['run', 'ui:environment.warmup', ({ plan }, t) => seconds(plan.schedule.warmupSeconds, t)],
    ['run', 'ui:environment.measured', ({ plan }, t) => seconds(plan.schedule.durationSeconds, t)],
    ['run', 'ui:plan.untilConclusive', untilConclusive],
    [null, 'ui:environment.equivalence', ({ plan }, t) => marginsText(plan.equivalence, t)],
    [null, 'ui:environment.equalServers', ({ plan }, t) => equalServersText(plan, t)],
    [null, 'ui:plan.length', ({ plan }, t) => t(`ui:plan.${plan.mode}`)],
  ],
  versions: [
    ['run', 'ui:app.name', ({ appVersion }) => appVersion],
    ['runtime', 'ui:compare.field.runtime', ofEngines(({ runtime }) => runtime.name)],
    ['run', 'ui:environment.preset', ({ plan: { preset } }) => `${preset.name} (${preset.id})`],
    [null, 'ui:environment.runId', ({ runId }) => runId],
  ],
};

const PASSPORT: Row<Passport>[] = [
  [
    null,
    'ui:passport.cpus',
    ({ runtime, host }, t) =>
      runtime.vm ? t('ui:passport.ofHost', { vm: runtime.cpus, host: host.cpus }) : String(host.cpus),
  ],
  [
    null,
    'ui:passport.memory',
    ({ runtime, host }, t) =>
      runtime.vm
        ? t('ui:passport.ofHost', { vm: bytes(runtime.memoryBytes, t), host: bytes(host.memoryBytes, t) })
        : bytes(runtime.memoryBytes, t),
  ],
  ['runtime', 'ui:passport.storageDriver', ({ runtime }) => runtime.storageDriver],
  ['runtime', 'ui:passport.fileSharing', ({ runtime }, t) => fileSharingName(runtime.fileSharing, t)],
  [
    'runtime',
    'report:effects.factor.engine',
    ({ runtime: { engineVersion: version, apiVersion: api } }, t) =>
      t('ui:passport.engineValue', { version, api }),
  ],
  [
    'runtime',
    'ui:passport.runsIn',
    ({ runtime }, t) =>
      t(`ui:passport.${runtime.vm ? 'runsInVm' : isInWsl(runtime) ? 'runsInWsl' : 'runsNative'}`, {
        system: runtime.operatingSystem,
      }),
  ],
  ['runtime', 'ui:passport.virtualMachine', virtualMachineText],
  [
    null,
    'ui:passport.hostNetworking',
    ({ runtime }, t) =>
      t(runtime.hostNetworking ? 'ui:passport.hostNetworkingYes' : 'ui:passport.hostNetworkingNo'),
  ],
  [
    'runtime',
    'ui:passport.kernel',
    ({ runtime: { kernel, architecture } }, t) => [kernel, architecture].join(t('report:list.parts')),
  ],
  [
    'machine',
    'ui:passport.host',
    ({ host }, t) =>
      [host.cpuModel, `${t(`ui:platform.${host.platform}`)} ${host.release}`].join(t('report:list.parts')),
  ],
];

const SETTINGS: [setting: SettingName, name: TextKey, read: Read<ServerConfig>][] = [
  ['bufferPool', 'ui:plan.setting.bufferPool', ({ settings }, t) => bytes(settings.bufferPoolMiB * MIB, t)],
  ['redoLogMiB', 'ui:plan.setting.redoLog', ({ settings }, t) => bytes(settings.redoLogMiB * MIB, t)],
  ['flushLogAtTrxCommit', 'ui:plan.setting.flush', ({ settings }) => String(settings.flushLogAtTrxCommit)],
  ['binlog', 'ui:plan.setting.binlog', ({ settings }, t) => onOff(settings.binlog, t)],
  [
    'syncBinlog',
    'ui:plan.setting.syncBinlog',
    ({ settings }) => (settings.binlog ? String(settings.syncBinlog) : null),
  ],
  [
    'performanceSchema',
    'ui:plan.setting.performanceSchema',
    ({ settings }, t) => onOff(settings.performanceSchema, t),
  ],
];

/** The shown form of these facts doesn't compare. */
const COMPARED: Row<RunState>[] = [
  ['server', 'report:effects.factor.server', ({ plan }, t) => serversText(plan, t)],
  ['server', 'ui:compare.field.imageId', imageIds],
  ['settings', 'ui:database.fact.limits', ofConfigs(({ limits }, t) => limitsText(limits, t))],
  ['settings', 'ui:plan.options', ofConfigs(({ options }) => options.join(' ') || NO_VALUE)],
  ['machine', 'ui:compare.field.hostCpus', ofEngines(({ host }) => String(host.cpus))],
  ['machine', 'ui:compare.field.hostMemory', ofEngines(({ host }, t) => bytes(host.memoryBytes, t))],
  ['runtime', 'ui:compare.field.engineCpus', ofEngines(({ runtime }) => String(runtime.cpus))],
  ['runtime', 'ui:compare.field.engineMemory', ofEngines(({ runtime }, t) => bytes(runtime.memoryBytes, t))],
  ['runtime', 'ui:passport.rootless', ofEngines(({ runtime }, t) => yesNo(runtime.rootless, t))],
  ['runtime', 'ui:compare.field.remote', ofEngines(({ runtime }, t) => yesNo(runtime.remote, t))],
  ['runtime', 'ui:passport.selinux', ofEngines(({ runtime }, t) => yesNo(runtime.selinux, t))],
  ['run', 'ui:compare.field.rounds', roundsDone],
  ['run', 'ui:compare.field.power', power],
  ['run', 'ui:charts.disturbedShort', disturbed],
];

function factsOf<Of>(rows: readonly Row<Of>[], of: Of, t: Translate): Fact[] {
  return rows.flatMap(([, name, read]): Fact[] => {
    const value = read(of, t);
    return value === null ? [] : [[t(name), value]];
  });
}

export function passportFacts(passport: Passport, t: Translate): Fact[] {
  return factsOf(PASSPORT, passport, t);
}

export function loadFacts(plan: Plan, t: Translate): Fact[] {
  return factsOf(LOAD, { plan }, t);
}

export function runFacts(section: Section, run: RunState, t: Translate): Fact[] {
  return factsOf(SECTIONS[section], run, t);
}

export interface Condition {
  id: string;
  group: ConditionGroup;
  label: string;
  values: string[];
  differs: boolean;
}

export function runConditions(runs: readonly RunState[], t: Translate): Condition[] {
  const rows: Row<RunState>[] = [
    ...LOAD,
    ...Object.values(SECTIONS).flat(),
    ...SETTINGS.map(([, name, read]): Row<RunState> => ['settings', name, ofConfigs(read)]),
    ...PASSPORT.map(([group, name, read]): Row<RunState> => [group, name, ofEngines(read)]),
    ...COMPARED,
  ];
  const conditions = rows.flatMap(([group, label, read]): Condition[] => {
    if (group === null) return [];
    const found = runs.map((run) => read(run, t));
    if (found.every((value) => value === null)) return [];
    const values = found.map((value) => value ?? NO_VALUE);
    return [{ id: label, group, label: t(label), values, differs: new Set(values).size > 1 }];
  });
  return CONDITION_GROUPS.flatMap((group) => conditions.filter((one) => one.group === group));
}

/** With the first server's program, only differences are listed. */
export function configFacts(config: ServerConfig, plan: Plan, t: Translate): Fact[] {
  const facts = allFacts(config, plan, t);
  const [first] = plan.configs;
  if (first === undefined || first.id === config.id || !hasSameProgram(config, first)) return facts;
  const others = new Map(allFacts(first, plan, t));
  return facts.filter(([name, value]) => others.get(name) !== value);
}

function allFacts(config: ServerConfig, plan: Plan, t: Translate): Fact[] {
  const { settings, limits } = config;
  const { configs, estimate, task } = plan;
  const items = t('report:list.items');
  const percent = (100 * settings.bufferPoolMiB * MIB) / Math.max(1, estimate.dataBytes);
  const share = `${formatNumber(percent, percent < 10 ? 1 : 0, t.language)}%`;
  const shown = SETTINGS.flatMap(([setting, name, read]) => {
    const value = read(config, t);
    if (value === null) return [];
    const hasShare = setting === 'bufferPool' && (task === null || hasData(task));
    const text = hasShare ? t('ui:plan.poolShare', { size: value, percent: share }) : value;
    return [{ fact: [t(name), text] satisfies Fact, isDefault: settings.defaults.includes(setting) }];
  });
  const defaults = shown.flatMap(({ fact: [name], isDefault }) => (isDefault ? [name] : []));
  const isAll = defaults.length === shown.length;
  const named = isAll ? t('ui:plan.setting.allDefaults') : defaults.join(items);
  const loses = lossesText(lossesOfConfig(config, plan), t);
  return [
    ...shown.map(({ fact }) => fact),
    ...(named === '' ? [] : [[t('ui:plan.setting.defaults'), named] satisfies Fact]),
    ...(loses === undefined ? [] : [[t('report:flushes.mayLose'), loses] satisfies Fact]),
    ...(configs.some((one) => isLimited(one.limits))
      ? [[t('ui:database.fact.limits'), limitsText(limits, t)] satisfies Fact]
      : []),
  ];
}

function data({ plan: { workload, estimate, task } }: OfPlan, t: Translate): string | null {
  return task === null || hasData(task)
    ? [dataText(workload, t), bytes(estimate.dataBytes, t)].join(t('report:list.parts'))
    : null;
}

function connections({ scenarios }: Plan, t: Translate): string {
  const levels = levelsOf(scenarios).map((one) => count(one, t));
  return levels.join(t('report:list.items'));
}

function loadGenerators({ plan }: OfPlan, t: Translate): string {
  return distinct(plan.scenarios.map(({ loadGenerator }) => t(`ui:plan.loadGeneratorName.${loadGenerator}`)));
}

function untilConclusive({ plan: { schedule } }: OfPlan, t: Translate): string {
  const { budgetMinutes } = schedule.untilConclusive ?? {};
  return budgetMinutes === undefined
    ? t('ui:plan.setting.off')
    : t('ui:environment.atMost', { time: seconds(60 * budgetMinutes, t) });
}

/** An image name's content changes over time and with the processor. */
function imageIds({ plan }: RunState): string {
  return distinct(
    plan.configs.map(({ image }) => image.imageId?.replace(/^sha256:/, '').slice(0, 12) ?? NO_VALUE),
  );
}

function ofConfigs(read: Read<ServerConfig>): Read<OfPlan> {
  return ({ plan }, t) => {
    const configs = [...new Set(plan.scenarios.map((one) => configOf(plan, one)))];
    const values = configs.map((one) => read(one, t) ?? NO_VALUE);
    if (new Set(values).size <= 1) return values[0] ?? NO_VALUE;
    return configs.map((one, index) => `${configText(one, t) ?? one.id}: ${values[index] ?? ''}`).join('; ');
  };
}

function ofEngines(read: Read<Passport>): Read<RunState> {
  return (run, t) => distinct(seenPassports(run).map((passport) => read(passport, t) ?? NO_VALUE));
}

function power(run: RunState, t: Translate): string {
  const [battery, low] = [trialsWith(run, ['on-battery']), trialsWith(run, ['low-power'])];
  if (battery === undefined || low === undefined) return NO_VALUE;
  const parts = [
    ...(battery === 0 ? [] : [t('ui:compare.value.battery', { count: battery })]),
    ...(low === 0 ? [] : [t('ui:compare.value.lowPower', { count: low })]),
  ];
  return parts.join('; ') || t('ui:compare.value.mains');
}

function disturbed(run: RunState, t: Translate): string {
  const kinds = HOST_CONDITIONS.filter((kind) => !OF_THE_RUN.includes(kind));
  const trials = trialsWith(run, kinds);
  if (trials === undefined) return NO_VALUE;
  return trials === 0 ? t('ui:share.notFound') : t('ui:compare.value.disturbed', { count: trials });
}

function trialsWith({ trials }: RunState, kinds: string[]): number | undefined {
  const watched = trials.flatMap(({ evidence }) => evidence?.host ?? []);
  if (watched.length === 0) return undefined;
  return watched.filter(({ conditions }) => conditions.some(({ kind }) => kinds.includes(kind))).length;
}

function roundsDone({ trials }: RunState, t: Translate): string {
  const done = new Set(trials.filter(({ totals }) => totals !== null).map(({ round }) => round));
  return t('messages:rounds', { count: done.size });
}
