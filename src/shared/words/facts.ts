import { messageText, type Translate } from './i18n.ts';
import type { Passport } from '../model/passport.ts';
import { levelsOf, type Plan, type ServerSetup } from '../model/plan.ts';
import { isTpcc } from '../model/workload.ts';
import { dataText } from './provenance.ts';
import { formatBytes, formatCount, formatNumber } from './units.ts';

export type Fact = [name: string, value: string];

const MIB = 2 ** 20;

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
    [
      t('ui:passport.fileSharing'),
      t('ui:passport.fileSharingValue', {
        mode: runtime.fileSharing === 'native' ? t('ui:passport.fileSharingNative') : runtime.fileSharing,
        evidence: messageText(runtime.fileSharingEvidence, t),
      }),
    ],
  ];
}

export function passportDetails({ runtime, host }: Passport, t: Translate): Fact[] {
  return [
    [
      t('ui:passport.engine'),
      t('ui:passport.engineValue', { version: runtime.engineVersion, api: runtime.apiVersion }),
    ],
    [
      t('ui:passport.runsIn'),
      t(runtime.vm ? 'ui:passport.runsInVm' : 'ui:passport.runsNative', { system: runtime.operatingSystem }),
    ],
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
  const { workload, estimate, rate } = plan;
  const count = (value: number): string => formatCount(value, t.language);
  const data = { data: dataText(workload, t), size: formatBytes(estimate.dataBytes, t.language) };
  return [
    [t('ui:plan.setting.workload'), workload.kind],
    [t('ui:plan.setting.data'), t('ui:plan.dataValue', data)],
    isTpcc(workload)
      ? [t('ui:plan.setting.mix'), workload.mix]
      : [t('ui:plan.setting.distribution'), workload.distribution],
    [t('ui:plan.setting.connections'), levelsOf(plan.scenarios).map(count).join(t('report:list.items'))],
    ...(rate === null
      ? []
      : [[t('ui:plan.setting.rate'), t('ui:plan.setting.rateValue', { rate: count(rate) })] satisfies Fact]),
    [t('ui:plan.setting.seed'), String(plan.seed)],
  ];
}

export function setupFacts({ settings }: ServerSetup, { estimate }: Plan, t: Translate): Fact[] {
  const bytes = settings.bufferPoolMiB * MIB;
  const percent = (100 * bytes) / Math.max(1, estimate.dataBytes);
  const pool = {
    size: formatBytes(bytes, t.language),
    percent: `${formatNumber(percent, percent < 10 ? 1 : 0, t.language)}%`,
  };
  return [
    [t('ui:plan.setting.bufferPool'), t('ui:plan.poolShare', pool)],
    [t('ui:plan.setting.redoLog'), formatBytes(settings.redoLogMiB * MIB, t.language)],
    [t('ui:plan.setting.flush'), String(settings.flushLogAtTrxCommit)],
    [t('ui:plan.setting.binlog'), t(settings.binlog ? 'ui:plan.setting.on' : 'ui:plan.setting.off')],
    ...(settings.binlog
      ? [[t('ui:plan.setting.syncBinlog'), String(settings.syncBinlog)] satisfies Fact]
      : []),
  ];
}

/** Names as their products have them; others are shown as recorded. */
const SHARING_NAMES: Partial<Record<string, string>> = {
  virtiofs: 'VirtioFS',
  grpcfuse: 'gRPC FUSE',
  sshfs: 'SSHFS',
};

/** Where containers run and how they reach this machine's files, in one sentence. */
export function environmentText({ runtime, host }: Passport, t: Translate): string {
  const { name, vm, remote, fileSharing } = runtime;
  if (remote) return t('ui:passport.sentence.remote', { name });
  const about = {
    name,
    system: t(`ui:platform.${host.platform}`),
    machine: t(`ui:passport.machine.${host.platform}`),
    sharing: SHARING_NAMES[fileSharing] ?? fileSharing,
  };
  if (!vm) return t('ui:passport.sentence.native', about);
  const isKnown = fileSharing !== 'unknown' && fileSharing !== 'native';
  return t(isKnown ? 'ui:passport.sentence.vm' : 'ui:passport.sentence.vmUnknown', about);
}
