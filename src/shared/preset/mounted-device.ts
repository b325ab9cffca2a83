import { driverOptions } from './driver-options.ts';
import type { Plan } from '../model/plan.ts';

/** What a plan has the engine mount for a storage with driver options. */
export interface MountedDevice {
  /** The storage's own name, if it has one. */
  name: string | null;
  /** As mount(8) names the type of the file system. */
  type: string;
  /** A disk, a folder, or a share with the address that is really asked. */
  device: string;
}

/** Everything of the engine's machine, and of others, that the scenarios of a plan get mounted; each once. */
export function mountedDevices({ scenarios }: Pick<Plan, 'scenarios'>): MountedDevice[] {
  const found = new Map<string, MountedDevice>();
  for (const { storage } of scenarios) {
    if (storage.kind !== 'volume-options') continue;
    const { type = '', device = '', o = '' } = driverOptions(storage);
    const address = storage.nfs?.address ?? addressIn(o);
    const one = { name: storage.name ?? null, type, device: fullDevice(device, address) };
    found.set(JSON.stringify(one), one);
  }
  return [...found.values()];
}

/** The last one counts. Options may send a mount to another machine than the device names. */
function addressIn(o: string): string | undefined {
  return [...o.matchAll(/(?:^|,)(?:addr|ip)=([^,]*)/g)].at(-1)?.[1];
}

function fullDevice(device: string, address: string | undefined): string {
  if (address === undefined || address === '') return device;
  return device.startsWith(':') ? `${address}${device}` : `${device} (${address})`;
}
