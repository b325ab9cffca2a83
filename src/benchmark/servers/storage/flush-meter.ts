import { closeSync, fdatasyncSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FlushTimes } from '../../../shared/model/events.ts';
import { isDisk } from '../../host/disk-counter.ts';
import type { HostSource } from '../../host/host-source.ts';

type Exec = (command: string[]) => Promise<{ exitCode: number; stdout: string; stderr: string }>;

const FILE = '.whalemark-flush';
const BYTES = 4096;
/** The file is written once before: like InnoDB's log, it doesn't grow. */
const BLOCKS = 256;
const LEAST_FLUSHES = 200;
const LEAST_MS = 1000;
/** A `dd` takes this long to start; flushes without a gap are faster than commits'. */
const GAP_MS = 1;
const MOST_MS = 10_000;
/** Most noise of a median that may be 0. */
const MOST_NOISE_US = 100;

/**
 * Each `dd` reports its time without process start: to nowhere, to the file without a flush, and with one.
 * BusyBox has `fsync` only.
 */
const SCRIPT = `set -e
export LC_ALL=C
f=$1 c=fdatasync i=0
trap 'rm -f "$f"' EXIT
kernel() {
  for d in /sys/block/*; do
    { read -r s <"$d/stat" && read -r q <"$d/queue/write_cache" && echo "disk $1 \${d##*/} $q: $s"; } || :
  done
}
now() { read -r t x </proc/uptime; t=\${t%.*}\${t#*.}; }
write() { dd if=/dev/zero of="$1" bs=${BYTES} count=1 seek=$((i % ${BLOCKS})) conv="notrunc$2" 2>&1; }
new() { dd if=/dev/zero of="$f" bs=${BYTES} count=${BLOCKS} conv="$c" 2>&1; }
new || { c=fsync; new; }
echo began
case $(cat /proc/cpuinfo) in *hypervisor*) echo virtual ;; esac
cat /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name 2>/dev/null || :
kernel 0
now; b=$t
while { [ $i -lt ${LEAST_FLUSHES} ] || [ $((t - b)) -lt ${LEAST_MS / 10} ]; } && [ $((t - b)) -lt ${MOST_MS / 10} ]; do
  write /dev/null ''; write "$f" ''; write "$f" ",$c"
  i=$((i + 1)); now
done
kernel 1`;

/** Undefined without a suitable `dd` or a writable datadir. Rejects only like `exec`. */
export async function probeFlush(exec: Exec, datadir: string): Promise<FlushTimes | undefined> {
  const { exitCode, stdout } = await exec(['sh', '-c', SCRIPT, 'sh', `${datadir}/${FILE}`]);
  const [, measured = ''] = stdout.split(/^began$/m);
  const times = [...measured.matchAll(/copied, ([\d.]+(?:e[-+]?\d+)?) s/g)].map(([, s]) => 1e6 * Number(s));
  const every = (turn: number): number[] => times.filter((_, index) => index % 3 === turn);
  if (exitCode !== 0 || times.length === 0 || times.length % 3 !== 0) return undefined;
  const [starts, writes, flushes] = [every(0), every(1), every(2)];
  const start = quantile(starts, 0.5);
  const [least, most] = medianBounds(differences(flushes, starts)) ?? [];
  // Starts scatter more than a fast flush takes.
  if (least !== undefined && most !== undefined && least <= 0 && most >= MOST_NOISE_US) return undefined;
  const alone = flushes.map((us) => Math.max(0, us - start));
  // The median of differences can lie below the shown difference of medians.
  const above = medianBounds(alone)?.[1];
  const bound = most === undefined || above === undefined ? undefined : Math.max(most, above);
  return flushTimes(alone, { most: bound, added: differences(flushes, writes) }, measured);
}

function differences(all: readonly number[], less: readonly number[]): number[] {
  return all.map((us, index) => us - (less[index] ?? NaN));
}

/** Node's `fdatasync` is a full flush on macOS, too (F_FULLFSYNC, libuv's src/unix/fs.c). */
export async function timeFlushes(folder: string, source: HostSource): Promise<FlushTimes | undefined> {
  const file = join(folder, FILE);
  const block = Buffer.alloc(BYTES);
  const [flushes, writes]: [number[], number[]] = [[], []];
  let fd: number | undefined;
  try {
    fd = openSync(file, 'w');
    writeSync(fd, Buffer.alloc(BYTES * BLOCKS));
    fsyncSync(fd);
    const before = kernelText(source, 0);
    const began = performance.now();
    const elapsed = (): number => performance.now() - began;
    while ((flushes.length < LEAST_FLUSHES || elapsed() < LEAST_MS) && elapsed() < MOST_MS) {
      const start = performance.now();
      writeSync(fd, block, 0, BYTES, (flushes.length % BLOCKS) * BYTES);
      writes.push(1000 * (performance.now() - start));
      fdatasyncSync(fd);
      flushes.push(1000 * (performance.now() - start));
      await wait(GAP_MS);
    }
    const [, most] = medianBounds(flushes) ?? [];
    return flushTimes(flushes, { most, added: differences(flushes, writes) }, before + kernelText(source, 1));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
    rmSync(file, { force: true });
  }
}

function kernelText({ list, read }: HostSource, turn: number): string {
  const disks = list('/sys/block').map((name) => {
    const [stat = '', cache = ''] = ['stat', 'queue/write_cache'].map((file) =>
      read(`/sys/block/${name}/${file}`)?.trim(),
    );
    return `disk ${turn} ${name} ${cache}: ${stat}\n`;
  });
  const dmi = ['sys_vendor', 'product_name'].map((name) => read(`/sys/class/dmi/id/${name}`) ?? '');
  const isGuest = read('/proc/cpuinfo')?.includes('hypervisor') === true;
  return `${isGuest ? 'virtual\n' : ''}${dmi.join('')}${disks.join('')}`;
}

const HYPERVISORS =
  /^virtual$|^disk 0 x?vd|QEMU|KVM|VMware|VirtualBox|Virtual Machine|Apple Virtualization|Parallels|Xen|OpenStack|Amazon EC2|Google Compute|Alibaba Cloud|Droplet|vServer/im;

function flushTimes(
  flushes: readonly number[],
  { most = null, added }: { most?: number | null | undefined; added: readonly number[] },
  kernel: string,
): FlushTimes {
  const us = (of: readonly number[], share: number): number => Math.round(10 * quantile(of, share)) / 10;
  return {
    medianUs: us(flushes, 0.5),
    p10Us: us(flushes, 0.1),
    p99Us: us(flushes, 0.99),
    mostUs: most,
    mostAddedUs: medianBounds(added)?.[1] ?? null,
    flushes: flushes.length,
    disk: diskCommands(kernel, flushes.length),
    isVirtual: HYPERVISORS.test(kernel),
  };
}

/** Fields of Documentation/block/stat.rst, from 0; flushes are counted since Linux 5.5. */
const [WRITES, FLUSHES] = [4, 15];

/** Null if the kernel doesn't count, or the right disk is unknown. */
function diskCommands(kernel: string, flushes: number): FlushTimes['disk'] {
  const seen = [...kernel.matchAll(/^disk ([01]) (\S+) (write back|write through): *(.*)$/gm)]
    .map(([, turn, name = '', cache, stat = '']) => ({
      turn,
      name,
      cache,
      stat: stat.split(/ +/).map(Number),
    }))
    .filter(({ name }) => isDisk(name));
  const grown = (one: (typeof seen)[number], field: number): number => {
    const after = seen.find(({ turn, name }) => turn === '1' && name === one.name)?.stat[field];
    return (after ?? NaN) - (one.stat[field] ?? NaN);
  };
  const before = seen.filter(({ turn }) => turn === '0');
  const caching = before.filter(({ cache }) => cache === 'write back');
  const hasCache = caching.length > 0;
  const commands = Math.max(
    ...(hasCache ? caching : before).map((one) => grown(one, hasCache ? FLUSHES : WRITES)),
  );
  const isMixed = hasCache && caching.length < before.length;
  return Number.isFinite(commands) && !(isMixed && commands < 0.9 * flushes) ? { commands, hasCache } : null;
}

/**
 * The median's 99% interval, by ranks (inverted sign test, normal approximation); undefined for fewer than 11
 * values.
 */
function medianBounds(values: readonly number[]): [number, number] | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const reach = (2.576 * Math.sqrt(sorted.length)) / 2;
  const [low, high] = [Math.floor(sorted.length / 2 - reach), Math.ceil(sorted.length / 2 + reach)];
  const [least, most] = [sorted[low], sorted[high]];
  return least === undefined || most === undefined ? undefined : [least, most];
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
