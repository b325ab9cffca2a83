import { lossesOfConfig } from '../analysis/durability.ts';
import { msg } from '../message.ts';
import { messageText, type Translate } from './i18n.ts';
import type { FileSharing, Passport, VirtualMachine } from '../model/passport.ts';
import { levelsOf, type Plan, type ServerConfig } from '../model/plan.ts';
import { MIB, type SettingName } from '../model/server-settings.ts';
import { isLimited, type Limits } from '../model/server-spec.ts';
import { isTpcc } from '../model/workload.ts';
import { hasData } from '../model/task.ts';
import type { Loss } from '../options/losses.ts';
import { dataText, taskText } from './provenance.ts';
import { formatBytes, formatCount, formatNumber, NO_VALUE } from './units.ts';

export type Fact = [name: string, value: string];

export function fileSharingName(fileSharing: FileSharing, t: Translate): string {
  return messageText(msg(`sharing.kind.${fileSharing}`), t);
}

/** A bind mount on Docker Desktop is `fakeowner`, which hides what is below it. */
export function fileSystemText(type: string, t: Translate): string {
  return type === 'fakeowner'
    ? t('ui:passport.withEvidence', { what: type, evidence: t('ui:result.fakeowner') })
    : type;
}

export function virtualMachineName(manager: VirtualMachine, t: Translate): string {
  return messageText(msg(`sharing.manager.${manager}`), t);
}

export function passportFacts({ runtime, host }: Passport, t: Translate): Fact[] {
  const bytes = (value: number): string => formatBytes(value, t.language);
  return [
    [
      t('ui:passport.cpus'),
      t(runtime.vm ? 'ui:passport.cpusVm' : 'ui:passport.cpusNative', { vm: runtime.cpus, host: host.cpus }),
    ],
    [
      t('ui:passport.memory'),
      t(runtime.vm ? 'ui:passport.memoryVm' : 'ui:passport.memoryNative', {
        vm: bytes(runtime.memoryBytes),
        host: bytes(runtime.vm ? host.memoryBytes : runtime.memoryBytes),
      }),
    ],
    [t('ui:passport.storageDriver'), runtime.storageDriver],
    [t('ui:passport.fileSharing'), fileSharingName(runtime.fileSharing, t)],
  ];
}

export function passportDetails({ runtime, host }: Passport, t: Translate): Fact[] {
  const { virtualMachine, rosetta = false } = runtime;
  return [
    [
      t('ui:passport.engine'),
      t('ui:passport.engineValue', { version: runtime.engineVersion, api: runtime.apiVersion }),
    ],
    [
      t('ui:passport.runsIn'),
      t(`ui:passport.${runtime.vm ? 'runsInVm' : isInWsl(runtime) ? 'runsInWsl' : 'runsNative'}`, {
        system: runtime.operatingSystem,
      }),
    ],
    ...(virtualMachine === undefined
      ? []
      : [
          [
            t('ui:passport.virtualMachine'),
            [virtualMachineName(virtualMachine, t), ...(rosetta ? [t('ui:passport.rosetta')] : [])].join(
              t('report:list.items'),
            ),
          ] satisfies Fact,
        ]),
    [
      t('ui:passport.hostNetworking'),
      t(runtime.hostNetworking ? 'ui:passport.hostNetworkingYes' : 'ui:passport.hostNetworkingNo'),
    ],
    [
      t('ui:passport.kernel'),
      t('ui:passport.kernelValue', { kernel: runtime.kernel, architecture: runtime.architecture }),
    ],
    [
      t('ui:passport.host'),
      t('ui:passport.hostValue', {
        cpu: host.cpuModel,
        system: `${t(`ui:platform.${host.platform}`)} ${host.release}`,
      }),
    ],
  ];
}

export function loadFacts(plan: Plan, t: Translate): Fact[] {
  const { workload, estimate, task } = plan;
  const count = (value: number): string => formatCount(value, t.language);
  const data = { data: dataText(workload, t), size: formatBytes(estimate.dataBytes, t.language) };
  const dataFact: Fact = [t('ui:plan.setting.data'), t('ui:plan.dataValue', data)];
  if (task !== null) {
    const seed: Fact = [t('ui:plan.setting.seed'), String(plan.seed)];
    return [[t('ui:plan.setting.task'), taskText(task, t)], ...(hasData(task) ? [dataFact] : []), seed];
  }
  return [
    [t('ui:plan.setting.workload'), workload.kind],
    dataFact,
    isTpcc(workload)
      ? [t('ui:plan.setting.mix'), workload.mix]
      : [t('ui:plan.setting.distribution'), workload.distribution],
    [t('ui:plan.setting.connections'), levelsOf(plan.scenarios).map(count).join(t('report:list.items'))],
    [t('ui:plan.setting.seed'), String(plan.seed)],
  ];
}

/** Of a server with the program of the plan's first: only what differs from that. */
export function configFacts(config: ServerConfig, plan: Plan, t: Translate): Fact[] {
  const facts = allFacts(config, plan, t);
  const [first] = plan.configs;
  if (first === undefined || first.id === config.id || !hasSameProgram(config, first)) return facts;
  const others = new Map(allFacts(first, plan, t));
  return facts.filter(([name, value]) => others.get(name) !== value);
}

export function hasSameProgram(one: ServerConfig, other: ServerConfig): boolean {
  return one.image.used === other.image.used && one.native?.binary === other.native?.binary;
}

function allFacts(config: ServerConfig, plan: Plan, t: Translate): Fact[] {
  const { settings, limits } = config;
  const { configs, estimate, task } = plan;
  const loses = lossesText(lossesOfConfig(config, plan), t);
  const bytes = settings.bufferPoolMiB * MIB;
  const percent = (100 * bytes) / Math.max(1, estimate.dataBytes);
  const size = formatBytes(bytes, t.language);
  const share = `${formatNumber(percent, percent < 10 ? 1 : 0, t.language)}%`;
  const pool = task === null || hasData(task) ? t('ui:plan.poolShare', { size, percent: share }) : size;
  const onOff = (value: boolean): string => t(value ? 'ui:plan.setting.on' : 'ui:plan.setting.off');
  const defaults: string[] = [];
  const fact = (name: SettingName, label: string, value: string): Fact => {
    if (settings.defaults.includes(name)) defaults.push(label);
    return [label, value];
  };
  const facts = [
    fact('bufferPool', t('ui:plan.setting.bufferPool'), pool),
    fact('redoLogMiB', t('ui:plan.setting.redoLog'), formatBytes(settings.redoLogMiB * MIB, t.language)),
    fact('flushLogAtTrxCommit', t('ui:plan.setting.flush'), String(settings.flushLogAtTrxCommit)),
    fact('binlog', t('ui:plan.setting.binlog'), onOff(settings.binlog)),
    ...(settings.binlog
      ? [fact('syncBinlog', t('ui:plan.setting.syncBinlog'), String(settings.syncBinlog))]
      : []),
    fact('performanceSchema', t('ui:plan.setting.performanceSchema'), onOff(settings.performanceSchema)),
  ];
  const named =
    defaults.length === facts.length
      ? t('ui:plan.setting.allDefaults')
      : defaults.join(t('report:list.items'));
  return [
    ...facts,
    ...(named === '' ? [] : [[t('ui:plan.setting.defaults'), named] satisfies Fact]),
    ...(loses === undefined ? [] : [[t('report:flushes.mayLose'), loses] satisfies Fact]),
    ...(configs.some((one) => isLimited(one.limits))
      ? [[t('ui:plan.setting.limits'), limitsText(limits, t)] satisfies Fact]
      : []),
  ];
}

/** Undefined for none. */
export function lossesText(losses: readonly Loss[], t: Translate): string | undefined {
  const texts = losses.map((loss) => messageText(msg(`loss.${loss}`), t));
  return texts.length === 0 ? undefined : texts.join(t('report:list.items'));
}

export function limitsText({ cpus, memoryMiB }: Limits, t: Translate): string {
  const parts = [
    ...(cpus === null ? [] : [t('report:provenance.cpus', { count: cpus })]),
    ...(memoryMiB === null ? [] : [formatBytes(memoryMiB * MIB, t.language)]),
  ];
  return parts.join(t('report:list.items')) || NO_VALUE;
}

/** The engine and Whalemark run in the same distribution, so there is nothing between them. */
function isInWsl({ vm, virtualMachine }: Passport['runtime']): boolean {
  return !vm && virtualMachine === 'wsl2';
}

export function environmentText({ runtime, host }: Passport, t: Translate): string {
  const { name, vm, remote, fileSharing } = runtime;
  if (remote) return t('ui:passport.sentence.remote', { name });
  const about = {
    name,
    system: t(`ui:platform.${host.platform}`),
    machine: t(`ui:passport.machine.${host.platform}`),
    sharing: fileSharingName(fileSharing, t),
  };
  if (!vm) return t(`ui:passport.sentence.${isInWsl(runtime) ? 'wsl' : 'native'}`, about);
  const isKnown = fileSharing !== 'unknown' && fileSharing !== 'native';
  return t(isKnown ? 'ui:passport.sentence.vm' : 'ui:passport.sentence.vmUnknown', about);
}
