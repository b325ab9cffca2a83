import { englishOf } from '../../../shared/message.ts';
import type { Passport } from '../../../shared/model/passport.ts';
import { formatBytes } from '../../../shared/words/units.ts';

/** The passport of the runtime in use in English, for the terminal and for bug reports; undefined: there is none. */
export function passportLines(passport: Passport | undefined): string[] {
  if (passport === undefined) return ['No usable runtime.'];
  const { runtime, host } = passport;
  return [
    `In use: ${runtime.name}, ${runtime.vm ? 'in a virtual machine' : 'native'}`,
    `  engine ${runtime.engineVersion} (API ${runtime.apiVersion}), storage driver ${runtime.storageDriver}`,
    `  containers: ${runtime.cpus} CPUs, ${formatBytes(runtime.memoryBytes)}`,
    `  host: ${host.cpus} CPUs (${host.cpuModel}), ${formatBytes(host.memoryBytes)}, ${host.platform} ${host.release}`,
    `  file sharing: ${runtime.fileSharing} (${englishOf(runtime.fileSharingEvidence)})`,
    `  host networking: ${runtime.hostNetworking ? 'yes' : 'no'}`,
  ];
}
