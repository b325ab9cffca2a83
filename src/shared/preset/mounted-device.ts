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

/** The address can redirect a mount to another machine; the last one counts. */
function addressIn(o: string): string | undefined {
  return [...o.matchAll(/(?:^|,)(?:addr|ip)=([^,]*)/g)].at(-1)?.[1];
}

function fullDevice(device: string, address: string | undefined): string {
  if (address === undefined || address === '') return device;
  return device.startsWith(':') ? `${address}${device}` : `${device} (${address})`;
}
