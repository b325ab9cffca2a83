import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join, win32 } from 'node:path';
import { type Message, msg } from '../../shared/message.ts';
import { errnoOf } from '../errno.ts';
import { keptId, keptIdFolder, runBriefly, systemId } from './machine-id.ts';
import * as z from 'zod';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { replaceFileNow } from '../files/replace-file.ts';
import { writingAt } from '../files/failures.ts';

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

/** A process as the system tells of it. A number of digits stands for its start: the same in all that the system says. */
interface SeenProcess {
  state: string;
  startTime: string;
}

/** What can be found out about a process number; `hidden`: it is in use, and that is all. */
export type Seen = 'gone' | 'hidden' | SeenProcess;

/** `unknown`: what can be seen from here does not tell; only the user may decide. */
type Life = 'alive' | 'dead' | 'unknown';

/** `<machine>.<pid>.<start time>`, on Linux `<machine>-<boot>-<pids>.<pid>.<start time>`. */
const OWNER = /^([0-9a-f]{12})(?:-([0-9a-f]{12})-(\d+))?\.([1-9]\d*)\.(\d+)$/;

/** The PID namespace that a kernel begins with (PROC_PID_INIT_INO); containers and WSL distributions have others. */
const FIRST_PIDS = '4026531836';

/** Digits of a start time in ms, which a process estimates where the system tells none: it can't be compared. */
const ESTIMATE_DIGITS = 13;

/** A process as it stands in an owner label. A pid alone says little: it is used again. */
export function ownerOf({ machine, kernel }: Place, pid: number, startTime: string): string {
  const place = kernel === undefined ? machine : `${machine}-${kernel.boot}-${kernel.pids}`;
  return `${place}.${pid}.${startTime}`;
}

/**
 * Whether the process named by an owner label still lives. `unknown`: it is of another machine, can't be seen from here, its
 * number is in use and may have been given out again, or the label can't be read.
 */
export function lifeOf(owner: string, here: Place, see: (pid: number) => Seen): Life {
  const [, machine, boot, pids, pidText, startTime] = OWNER.exec(owner) ?? [];
  if (machine === undefined || startTime === undefined) return 'unknown';
  const sameKernel = boot !== undefined && boot === here.kernel?.boot;
  if (isOnOtherMachine(owner, here)) return 'unknown';
  if (sameKernel && pids !== here.kernel?.pids) return 'unknown';
  // Process numbers and times since the start come again after it.
  if (!sameKernel && boot !== undefined && here.kernel !== undefined) return 'dead';
  const seen = see(Number(pidText));
  if (seen === 'gone') return 'dead';
  if (seen === 'hidden') return 'unknown';
  if (seen.startTime === startTime) return seen.state.startsWith('Z') ? 'dead' : 'alive';
  return startTime.length >= ESTIMATE_DIGITS ? 'unknown' : 'dead';
}

/** Whether an owner label names a process of another machine. False where it can't be read: then nothing is known. */
export function isOnOtherMachine(owner: string, here: Place): boolean {
  const [, machine, boot] = OWNER.exec(owner) ?? [];
  if (machine === undefined) return false;
  // A host name may change while the kernel runs, and containers of one kernel have many.
  if (boot !== undefined && boot === here.kernel?.boot) return false;
  return machine !== here.machine;
}

/** An owner label for people. */
export function describeOwner(owner: string, from: Place = here()): Message {
  const [, machine, boot, pids, pid = ''] = OWNER.exec(owner) ?? [];
  if (machine === undefined) return msg('owner.unreadable');
  if (isOnOtherMachine(owner, from)) return msg('owner.elsewhere', { pid });
  const isApart = boot === from.kernel?.boot && pids !== from.kernel?.pids;
  return isApart ? msg('owner.container', { pid }) : msg('owner.here', { pid });
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
 * State and start time of a process; undefined where the system tells none. Linux counts from the start of its kernel, the
 * others are asked for seconds since 1970. `read` and `run` throw where they fail.
 */
export function processSeen(
  pid: number,
  { platform, env, read, run }: Pick<Parameters<typeof placeOf>[0], 'platform' | 'env' | 'read' | 'run'>,
): SeenProcess | undefined {
  try {
    if (platform === 'darwin') {
      const ps = ['/bin/ps', '-o', 'state=', '-o', 'lstart=', '-p', String(pid)];
      const [, state, start = ''] =
        /^\s*(\S+)\s+(.+)$/m.exec(run('/usr/bin/env', ['TZ=UTC', 'LC_ALL=C', ...ps])) ?? [];
      return known(state, String(Date.parse(`${start.trim()} UTC`) / 1000));
    }
    if (platform === 'win32') {
      const system = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
      const shell = win32.join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
      const ask = `[DateTimeOffset]::new((Get-Process -Id ${pid}).StartTime).ToUnixTimeSeconds()`;
      return known('', run(shell, ['-NoProfile', '-NonInteractive', '-Command', ask]).trim());
    }
    // proc(5), fields 3 and 22. The command in field 2 may hold spaces and brackets, so counting starts after the last ")".
    const text = read(`/proc/${pid}/stat`);
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return known(fields[0], fields[19]);
  } catch {
    return undefined;
  }
}

function known(state: string | undefined, startTime: string | undefined): SeenProcess | undefined {
  return state !== undefined && /^\d+$/.test(startTime ?? '')
    ? { state, startTime: startTime ?? '' }
    : undefined;
}

const thisMachine = {
  platform: process.platform,
  env: process.env,
  read: (path: string) => readFileSync(path, 'utf8'),
  run: runBriefly,
};

/** Asks the system about a process number. */
function see(pid: number): Seen {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, but belongs to somebody else.
    if (errnoOf(error) !== 'EPERM') return 'gone';
  }
  if (pid === process.pid) return { state: '', startTime: ownStartTime() };
  return processSeen(pid, thisMachine) ?? 'hidden';
}

let own: Place | undefined;

/** Found out when it is first needed: where a program has to be asked, that takes a moment. */
function here(): Place {
  if (own !== undefined) return own;
  const name = hostname();
  own = placeOf({
    ...thisMachine,
    hostname: name,
    readLink: (path) => readlinkSync(path),
    keptId: () => keptId(keptIdFolder(process.platform, process.env, homedir()), name),
  });
  return own;
}

let ownStart: string | undefined;

/** Where the system tells none, an estimate. */
function ownStartTime(): string {
  ownStart ??=
    processSeen(process.pid, thisMachine)?.startTime ??
    String(Math.round(Date.now() - process.uptime() * 1000));
  return ownStart;
}

/** Names this machine without telling its name: the same after a restart, another one on every other machine. */
export function machineId(): string {
  return here().machine;
}

/** This process, as it stands in the owner label. */
export function ownOwner(): string {
  return ownerOf(here(), process.pid, ownStartTime());
}

/** Owners of which the user has said that they have ended. */
const ended = new Set<string>();

/** Takes the user's word for owners that nobody here can see; one that certainly lives still does. */
export function takeForEnded(owners: Iterable<string>): void {
  for (const owner of owners) ended.add(owner);
}

/** `lifeOf` as seen from this process. */
export function isOwnerAlive(owner: string): Life {
  const life = lifeOf(owner, here(), see);
  return life === 'unknown' && ended.has(owner) ? 'dead' : life;
}

/** `isOnOtherMachine` as seen from this process. */
export function isOwnerOnOtherMachine(owner: string): boolean {
  return !ended.has(owner) && isOnOtherMachine(owner, here());
}

/** In the data folder: the owners of which its user has said that they have ended. */
const FILE = 'ended-owners.json';
const MOST = 1000;

/** Takes the user's word of earlier sessions. What can't be read is as if nothing had been said. */
export function knowEndedOwners(dataDir: string): void {
  takeForEnded(read(dataDir));
}

/** Takes the user's word for owners that can't be seen from here, for good. Rejects with DATA_FOLDER_UNWRITABLE. */
export async function rememberEndedOwners(dataDir: string, owners: readonly string[]): Promise<void> {
  const unknown = owners.filter((owner) => isOwnerAlive(owner) === 'unknown');
  if (unknown.length === 0) return;
  const all = [...new Set([...read(dataDir), ...unknown])].slice(-MOST);
  await writingAt(join(dataDir, FILE), 'DATA_FOLDER_UNWRITABLE', async () => {
    mkdirSync(dataDir, PRIVATE_FOLDER);
    replaceFileNow(join(dataDir, FILE), `${JSON.stringify(all)}\n`);
  });
  takeForEnded(unknown);
}

function read(dataDir: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')));
  } catch {
    return [];
  }
}
