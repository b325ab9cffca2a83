import type { HostSource } from './host-source.ts';

const BLOCK = '/sys/block';
const SECTOR_BYTES = 512;
/** Written sectors, of 512 bytes on any device (Documentation/block/stat.rst). */
const WRITTEN_SECTORS = 6;
const NO_DISK = /^(loop|ram|zram|sr|fd)\d/;
const MADE_OF_DISKS = /^(dm-|md)\d/;
const IOREG = ['/usr/sbin/ioreg', ['-c', 'IOBlockStorageDriver', '-r', '-w', '0']] as const;

/** Bytes since the machine's start, also through a VM's file sharing; undefined if unknown. */
export async function diskBytesWritten(source: HostSource): Promise<number | undefined> {
  if (source.platform === 'linux') return linuxBytes(source);
  if (source.platform !== 'darwin') return undefined;
  const [file, args] = IOREG;
  return macBytes((await source.run(file, [...args])) ?? '');
}

export function isDisk(name: string): boolean {
  return !NO_DISK.test(name) && !MADE_OF_DISKS.test(name);
}

/** LVM, RAID, and encryption count through their devices. */
function linuxBytes(source: HostSource): number | undefined {
  const sectors = source.list(BLOCK).flatMap((name) => {
    if (NO_DISK.test(name) || source.list(`${BLOCK}/${name}/slaves`).length > 0) return [];
    const written = source.read(`${BLOCK}/${name}/stat`)?.trim().split(/ +/)[WRITTEN_SECTORS];
    return written === undefined ? [] : [Number(written)];
  });
  return sectors.length === 0 ? undefined : SECTOR_BYTES * sectors.reduce((sum, one) => sum + one, 0);
}

function macBytes(printed: string): number | undefined {
  const written = [...printed.matchAll(/"Bytes \(Write\)"\s*=\s*(\d+)/g)].map(([, bytes]) => Number(bytes));
  return written.length === 0 ? undefined : written.reduce((sum, one) => sum + one, 0);
}
