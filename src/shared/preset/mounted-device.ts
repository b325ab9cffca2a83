import { driverOptions } from '../kinds/storage-options.ts';
import type { Plan } from '../model/plan.ts';

interface MountedDevice {
  name: string | null;
  type: string;
  /** A disk, a folder, or a share with its effective address. */
  device: string;
}

export function mountedDevices({ scenarios }: Pick<Plan, 'scenarios'>): MountedDevice[] {
  const found = new Map<string, MountedDevice>();
  for (const { storage } of scenarios) {
    if (storage.options === undefined && storage.nfs === undefined) continue;
    const { type = '', device = '', o = '' } = driverOptions(storage);
    const address = storage.nfs?.address ?? addressIn(o);
    const one = { name: storage.name ?? null, type, device: fullDevice(device, address) };
    found.set(JSON.stringify(one), one);
  }
  return [...found.values()];
}

/** The last one counts: options can redirect a mount to another machine. */
function addressIn(o: string): string | undefined {
  return [...o.matchAll(/(?:^|,)(?:addr|ip)=([^,]*)/g)].at(-1)?.[1];
}

function fullDevice(device: string, address: string | undefined): string {
  if (address === undefined || address === '') return device;
  return device.startsWith(':') ? `${address}${device}` : `${device} (${address})`;
}

/** Judged by the path's text, since a remote engine or VM tells no more. */

/** The system itself, mounted into a container that runs as root. */
const SYSTEM = [
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|ostree|proc|sbin|snap|sys|sysroot|usr|System|Library)(?:\/|$)/iu,
  /^\/(?:private\/etc|private\/var\/db|var\/(?:lib|log|run|cache|spool|lock|mail))(?:\/|$)/iu,
  /^\/run(?!\/media\/.)(?:\/|$)/iu,
  /^\/(?:var|private|private\/var)\/?$/iu,
  /^\/\./u,
];

/** Homes, and folders through which a VM shows its host, with all below. */
const SOMEBODYS = [
  /^\/(?:root|home|Users|var\/home|var\/roothome|private\/var\/root)(?:\/|$)/iu,
  /^\/(?:host_mnt|mnt\/(?:host|mac|wslg))(?:\/|$)/iu,
  // Drives of Windows: its own, and homes and programs on any.
  /^\/mnt\/c\/?$/iu,
  /^\/mnt\/[a-z]\/(?:Users|Documents and Settings|Windows|Program Files[^/]*|ProgramData)(?:\/|$)/iu,
];

export function isTakenFolder(path: string): boolean {
  return path === '/' || [...SYSTEM, ...SOMEBODYS].some((one) => one.test(path));
}

export function isSomebodysFolder(path: string): boolean {
  return SOMEBODYS.some((one) => one.test(path));
}
