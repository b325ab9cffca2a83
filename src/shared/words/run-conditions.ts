import { MIB } from '../model/server-settings.ts';
import { fileSharingName, limitsText, virtualMachineName } from './facts.ts';
import { OF_THE_RUN } from '../analysis/host-notices.ts';
import { seenPassports } from '../analysis/seen-passport.ts';
import { HOST_CONDITIONS } from '../model/evidence.ts';
import { configText } from './labels.ts';
import type { TextKey, Translate } from './i18n.ts';
import type { Passport } from '../model/passport.ts';
import { configOf, type ServerConfig } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { isTpcc } from '../model/workload.ts';
import { connectionsText, dataText, serversText } from './provenance.ts';
import { formatBytes, formatCount, formatDuration, NO_VALUE } from './units.ts';

/** A difference in one of the first four means that numbers do not compare. */
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

export interface Condition {
  id: string;
  group: ConditionGroup;
  label: string;
  values: string[];
  differs: boolean;
}

type Reader = (run: RunState, t: Translate) => string;
type Field = [group: ConditionGroup, label: TextKey, read: Reader];

const FIELDS: Field[] = [
  ['workload', 'ui:plan.setting.workload', ({ plan }) => plan.workload.kind],
  ['workload', 'ui:plan.setting.data', ({ plan }, t) => dataText(plan.workload, t)],
  ['workload', 'ui:compare.field.statements', statements],
  ['server', 'ui:compare.field.server', ({ plan }, t) => serversText(plan, t)],
  ['server', 'ui:compare.field.imageId', imageIds],
  [
    'settings',
    'ui:plan.setting.bufferPool',
    setting(({ settings }, t) => formatBytes(settings.bufferPoolMiB * MIB, t.language)),
  ],
  [
    'settings',
    'ui:plan.setting.redoLog',
    setting(({ settings }, t) => formatBytes(settings.redoLogMiB * MIB, t.language)),
  ],
  ['settings', 'ui:plan.setting.flush', setting(({ settings }) => String(settings.flushLogAtTrxCommit))],
  ['settings', 'ui:plan.setting.binlog', setting(binlog)],
  [
    'settings',
    'ui:plan.setting.performanceSchema',
    setting(({ settings }, t) =>
      t(settings.performanceSchema ? 'ui:plan.setting.on' : 'ui:plan.setting.off'),
    ),
  ],
  ['settings', 'ui:plan.setting.limits', setting(({ limits }, t) => limitsText(limits, t))],
  ['settings', 'ui:plan.options', setting(({ options }) => options.join(' ') || NO_VALUE)],
  ['load', 'ui:plan.setting.connections', ({ plan }, t) => connectionsText(plan, t)],
  [
    'load',
    'ui:compare.field.loadGenerator',
    ({ plan }) => distinct(plan.scenarios.map(({ loadGenerator }) => loadGenerator)),
  ],
  ['machine', 'ui:compare.field.cpu', ({ plan }) => plan.passport.host.cpuModel],
  ['machine', 'ui:compare.field.hostCpus', ({ plan }) => String(plan.passport.host.cpus)],
  [
    'machine',
    'ui:compare.field.hostMemory',
    ({ plan }, t) => formatBytes(plan.passport.host.memoryBytes, t.language),
  ],
  [
    'machine',
    'ui:compare.field.system',
    ({ plan: { passport } }, t) => `${t(`ui:platform.${passport.host.platform}`)} ${passport.host.release}`,
  ],
  ['runtime', 'ui:compare.field.runtime', ofEngines(({ name }) => name)],
  ['runtime', 'ui:passport.engine', ofEngines(({ engineVersion }) => engineVersion)],
  [
    'runtime',
    'ui:passport.runsIn',
    ofEngines(({ vm }, t) => t(vm ? 'report:provenance.vm' : 'report:provenance.native')),
  ],
  ['runtime', 'ui:compare.field.engineCpus', ofEngines(({ cpus }) => String(cpus))],
  [
    'runtime',
    'ui:compare.field.engineMemory',
    ofEngines(({ memoryBytes }, t) => formatBytes(memoryBytes, t.language)),
  ],
  ['runtime', 'ui:passport.storageDriver', ofEngines(({ storageDriver }) => storageDriver)],
  ['runtime', 'ui:passport.fileSharing', ofEngines(({ fileSharing }, t) => fileSharingName(fileSharing, t))],
  [
    'runtime',
    'ui:passport.virtualMachine',
    ofEngines(({ virtualMachine }, t) =>
      virtualMachine === undefined ? NO_VALUE : virtualMachineName(virtualMachine, t),
    ),
  ],
  ['runtime', 'ui:passport.kernel', ofEngines(({ kernel, architecture }) => `${kernel} · ${architecture}`)],
  ['runtime', 'ui:passport.rootless', ofEngines(({ rootless }, t) => yesNo(rootless, t))],
  ['runtime', 'ui:compare.field.remote', ofEngines(({ remote }, t) => yesNo(remote, t))],
  ['runtime', 'ui:passport.selinux', ofEngines(({ selinux }, t) => yesNo(selinux, t))],
  ['run', 'ui:compare.field.preset', ({ plan }) => plan.preset.name],
  ['run', 'ui:compare.field.rounds', rounds],
  [
    'run',
    'ui:compare.field.measured',
    ({ plan }, t) => formatDuration(plan.schedule.durationSeconds * 1000, t.language),
  ],
  [
    'run',
    'ui:compare.field.warmup',
    ({ plan }, t) => formatDuration(plan.schedule.warmupSeconds * 1000, t.language),
  ],
  ['run', 'ui:compare.field.power', power],
  ['run', 'ui:compare.field.disturbed', disturbed],
  ['run', 'ui:plan.setting.seed', ({ plan }) => String(plan.seed)],
  ['run', 'ui:compare.field.app', ({ appVersion }) => appVersion],
];

export function runConditions(runs: readonly RunState[], t: Translate): Condition[] {
  return FIELDS.map(([group, label, read]) => {
    const values = runs.map((run) => read(run, t));
    return { id: label, group, label: t(label), values, differs: new Set(values).size > 1 };
  });
}

function statements({ plan: { workload } }: RunState, t: Translate): string {
  if (isTpcc(workload)) {
    return `${workload.mix}; ${formatCount(workload.items, t.language)}; ${formatCount(workload.customersPerDistrict, t.language)}`;
  }
  const { distribution, rangeSize, skipTransactions, preparedStatements } = workload;
  return [
    t('ui:compare.value.ids', { distribution }),
    t('ui:compare.value.ranges', { rows: formatCount(rangeSize, t.language) }),
    ...(skipTransactions ? [t('ui:compare.value.noTransactions')] : []),
    ...(preparedStatements ? [] : [t('ui:compare.value.notPrepared')]),
  ].join('; ');
}

/** The content of an image name changes over time and with the processor. */
function imageIds({ plan }: RunState): string {
  return distinct(
    plan.configs.map(({ image }) => image.imageId?.replace(/^sha256:/, '').slice(0, 12) ?? NO_VALUE),
  );
}

function binlog({ settings }: ServerConfig, t: Translate): string {
  return settings.binlog
    ? t('ui:compare.value.binlog', { sync: settings.syncBinlog })
    : t('ui:plan.setting.off');
}

function setting(read: (config: ServerConfig, t: Translate) => string): Reader {
  return ({ plan }, t) => {
    const configs = [...new Set(plan.scenarios.map((one) => configOf(plan, one)))];
    const values = configs.map((one) => read(one, t));
    if (new Set(values).size <= 1) return values[0] ?? NO_VALUE;
    return configs.map((one, index) => `${configText(one, t) ?? one.id}: ${values[index] ?? ''}`).join('; ');
  };
}

function ofEngines(read: (engine: Passport['runtime'], t: Translate) => string): Reader {
  return (run, t) => distinct(seenPassports(run).map(({ runtime }) => read(runtime, t)));
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
  const trials = trialsWith(
    run,
    HOST_CONDITIONS.filter((kind) => !OF_THE_RUN.includes(kind)),
  );
  if (trials === undefined) return NO_VALUE;
  return trials === 0
    ? t('ui:compare.value.undisturbed')
    : t('ui:compare.value.disturbed', { count: trials });
}

function trialsWith({ trials }: RunState, kinds: string[]): number | undefined {
  const watched = trials.flatMap(({ evidence }) => evidence?.host ?? []);
  if (watched.length === 0) return undefined;
  return watched.filter(({ conditions }) => conditions.some(({ kind }) => kinds.includes(kind))).length;
}

function rounds({ plan, trials }: RunState, t: Translate): string {
  const done = new Set(trials.filter(({ totals }) => totals !== null).map(({ round }) => round)).size;
  const text = t('messages:rounds', { count: done });
  return plan.schedule.untilConclusive === undefined
    ? text
    : t('ui:compare.value.untilConclusive', { rounds: text });
}

function yesNo(value: boolean, t: Translate): string {
  return t(value ? 'ui:compare.value.yes' : 'ui:compare.value.no');
}

function distinct(values: readonly string[]): string {
  return [...new Set(values)].join(', ');
}
