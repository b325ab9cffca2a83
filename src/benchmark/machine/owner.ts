import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { errnoOf } from '../errno.ts';
import { keptId, keptIdFolder, runBriefly, systemId } from './machine-id.ts';

/** What a process can tell of where it runs: what owners are compared with. */
export interface Place {
  /** 12 hexadecimal digits; another machine has others, also one that has the same host name. */
  machine: string;
  /**
   * The start of the kernel and the set of process numbers (the PID namespace) that is seen from here. Processes of a
   * container or of another WSL distribution are of the same machine or kernel, but their numbers say nothing here.
   * Undefined where no kernel tells.
   */
  kernel: { boot: string; pids: string } | undefined;
}

/** What can be found out about a process number; `hidden`: it is in use, and that is all. */
export type Seen = 'gone' | 'hidden' | { state: string; startTime: string };

export type Life = 'alive' | 'dead' | 'elsewhere';

/** `<machine>.<pid>.<start time>`, on Linux `<machine>-<boot>-<pids>.<pid>.<start time>`. */
const OWNER = /^([0-9a-f]{12})(?:-([0-9a-f]{12})-(\d+))?\.([1-9]\d*)\.(\d+)$/;

/** The PID namespace that a kernel begins with (PROC_PID_INIT_INO); containers and WSL distributions have others. */
const FIRST_PIDS = '4026531836';

/** A process as it stands in an owner label. A pid alone says little: it is used again. */
export function ownerOf({ machine, kernel }: Place, pid: number, startTime: string): string {
  const place = kernel === undefined ? machine : `${machine}-${kernel.boot}-${kernel.pids}`;
  return `${place}.${pid}.${startTime}`;
}

/**
 * Whether the process named by an owner label still lives. `elsewhere` means that nobody here may decide: another
 * machine, processes that can't be seen from here, or a label we can't read. Whatever is in doubt is alive.
 */
export function lifeOf(owner: string, here: Place, see: (pid: number) => Seen): Life {
  const [, machine, boot, pids, pidText, startTime] = OWNER.exec(owner) ?? [];
  if (machine === undefined) return 'elsewhere';
  const sameKernel = boot !== undefined && boot === here.kernel?.boot;
  if (isOnOtherMachine(owner, here)) return 'elsewhere';
  if (sameKernel && pids !== here.kernel?.pids) return 'elsewhere';
  // Process numbers and times since the start come again after it.
  if (!sameKernel && boot !== undefined && here.kernel !== undefined) return 'dead';
  const seen = see(Number(pidText));
  if (seen === 'gone') return 'dead';
  if (seen === 'hidden') return 'alive';
  return seen.startTime === startTime && seen.state !== 'Z' ? 'alive' : 'dead';
}

/** Whether an owner label names a process of another machine. False where it can't be read: then nothing is known. */
export function isOnOtherMachine(owner: string, here: Place): boolean {
  const [, machine, boot] = OWNER.exec(owner) ?? [];
  if (machine === undefined) return false;
  // A host name may change while the kernel runs, and containers of one kernel have many.
  if (boot !== undefined && boot === here.kernel?.boot) return false;
  return machine !== here.machine;
}

/**
 * Where this process runs. `read` and `readLink` throw where there is no such file, as those of `node:fs` do, and `run`
 * throws where a program fails. `keptId` is asked last; where it tells none, the host name has to do.
 */
export function placeOf(machine: {
  platform: string;
  hostname: string;
  env: Record<string, string | undefined>;
  read(path: string): string;
  readLink(path: string): string;
  run(file: string, args: string[]): string;
  keptId(): string | undefined;
}): Place {
  const told = (ask: () => string): string | undefined => {
    try {
      return ask().trim() || undefined;
    } catch {
      return undefined;
    }
  };
  const boot = told(() => machine.read('/proc/sys/kernel/random/boot_id'));
  const pids = told(() => /\d+/.exec(machine.readLink('/proc/self/ns/pid'))?.[0] ?? '');
  const kernel = boot === undefined || pids === undefined ? undefined : { boot: hashed(boot), pids };
  const named = (id: string, name = machine.hostname): string =>
    hashed(`${machine.platform}\0${name}\0${id}`);
  const id = systemId(machine);
  // Many machines are called "ubuntu" or "localhost"; a copied disk has the same id, but mostly another name. A Mac is
  // called as the network likes that it is in, and its id is the hardware's.
  if (id !== undefined) return { machine: named(id, machine.platform === 'darwin' ? '' : undefined), kernel };
  // A container that has no id is only known while its kernel runs.
  if (kernel !== undefined && kernel.pids !== FIRST_PIDS) return { machine: named(kernel.boot), kernel };
  return { machine: named(told(() => machine.keptId() ?? '') ?? ''), kernel };
}

/** Hashed, so that neither a host name nor an id leaves the machine with an image or a bug report. */
function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/**
 * State and start time of a process as Linux tells them (proc(5), `/proc/<pid>/stat`, fields 3 and 22), or undefined
 * where there is no such file. The command in field 2 may hold spaces and brackets, so counting starts after the last `)`.
 */
function procStat(pid: number | 'self'): { state: string; startTime: string } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTime = fields[19];
  return state === undefined || startTime === undefined ? undefined : { state, startTime };
}

/** Asks the system about a process number. Only Linux can tell one that was given out again from the original. */
function see(pid: number): Seen {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, but belongs to somebody else.
    if (errnoOf(error) !== 'EPERM') return 'gone';
  }
  return procStat(pid) ?? 'hidden';
}

let own: Place | undefined;

/** Found out when it is first needed: where a program has to be asked, that takes a moment. */
function here(): Place {
  if (own !== undefined) return own;
  const name = hostname();
  own = placeOf({
    platform: process.platform,
    hostname: name,
    env: process.env,
    read: (path) => readFileSync(path, 'utf8'),
    readLink: (path) => readlinkSync(path),
    run: runBriefly,
    keptId: () => keptId(keptIdFolder(process.platform, process.env, homedir()), name),
  });
  return own;
}

const ownStartTime = procStat('self')?.startTime ?? String(Math.round(Date.now() - process.uptime() * 1000));

/** Names this machine without telling its name: the same after a restart, another one on every other machine. */
export function machineId(): string {
  return here().machine;
}

/** This process, as it stands in the owner label. */
export function ownOwner(): string {
  return ownerOf(here(), process.pid, ownStartTime);
}

/** `lifeOf` as seen from this process. */
export function isOwnerAlive(owner: string): Life {
  return lifeOf(owner, here(), see);
}

/** `isOnOtherMachine` as seen from this process. */
export function isOwnerOnOtherMachine(owner: string): boolean {
  return isOnOtherMachine(owner, here());
}
