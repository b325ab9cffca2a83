import { msg } from '../message.ts';
import type { FileSharing, Passport, VirtualMachine } from '../model/passport.ts';
import { MIB } from '../model/server-settings.ts';
import type { Limits } from '../model/server-spec.ts';
import type { Loss } from '../options/losses.ts';
import { messageText, type Translate } from './i18n.ts';
import { formatBytes, NO_VALUE } from '../units.ts';

export function fileSharingName(fileSharing: FileSharing, t: Translate): string {
  return messageText(msg(`sharing.kind.${fileSharing}`), t);
}

/** Docker Desktop's `fakeowner` hides the file system below it. */
export function fileSystemText(type: string, t: Translate): string {
  return type === 'fakeowner'
    ? t('report:list.aside', { text: type, aside: t('ui:result.fakeowner') })
    : type;
}

function virtualMachineName(manager: VirtualMachine, t: Translate): string {
  return messageText(msg(`sharing.manager.${manager}`), t);
}

/** Null if unknown. */
export function virtualMachineText({ runtime }: Passport, t: Translate): string | null {
  const { virtualMachine, rosetta = false } = runtime;
  if (virtualMachine === undefined) return null;
  const name = virtualMachineName(virtualMachine, t);
  return rosetta ? [name, t('ui:passport.rosetta')].join(t('report:list.items')) : name;
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

/** Engine and Whalemark share a distribution. */
export function isInWsl({ vm, virtualMachine }: Passport['runtime']): boolean {
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
