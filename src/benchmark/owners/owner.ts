import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, win32 } from 'node:path';
import { type Message, msg } from '../../shared/message.ts';
import { errnoOf, writingAt } from '../files/failures.ts';
import { runBriefly, systemId } from './machine-id.ts';
import * as z from 'zod';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { replaceFileNow } from '../files/replace-file.ts';

export interface Place {
  machine: string;
  /** Containers and WSL distributions share a machine or kernel, but not PIDs. */
  kernel: { boot: string; pids: string } | undefined;
}

interface SeenProcess {
  state: string;
  startTime: string;
}

/** `hidden`: nothing but the PID is visible. */
export type Seen = 'gone' | 'hidden' | SeenProcess;

type Life = 'alive' | 'dead' | 'unknown';

/** `<machine>.<pid>.<start time>`, on Linux `<machine>-<boot>-<pids>.<pid>.<start time>`. */
const OWNER = /^([0-9a-f]{12})(?:-([0-9a-f]{12})-(\d+))?\.([1-9]\d*)\.(\d+)$/;

/** An estimated start time, in ms, can't be compared. */
const ESTIMATE_DIGITS = 13;

/** PIDs are reused; start times aren't. */
export function ownerOf({ machine, kernel }: Place, pid: number, startTime: string): string {
  const place = kernel === undefined ? machine : `${machine}-${kernel.boot}-${kernel.pids}`;
  return `${place}.${pid}.${startTime}`;
}

/** `unknown`: elsewhere, invisible, or a PID that may have been reused. */
export function lifeOf(owner: string, here: Place, see: (pid: number) => Seen): Life {
  const [, machine, boot, pids, pidText, startTime] = OWNER.exec(owner) ?? [];
  if (machine === undefined || startTime === undefined) return 'unknown';
  const sameKernel = boot !== undefined && boot === here.kernel?.boot;
  if (isOnOtherMachine(owner, here)) return 'unknown';
  if (sameKernel && pids !== here.kernel?.pids) return 'unknown';
  // PIDs and uptimes repeat after a reboot.
  if (!sameKernel && boot !== undefined && here.kernel !== undefined) return 'dead';
  const seen = see(Number(pidText));
  if (seen === 'gone') return 'dead';
  if (seen === 'hidden') return 'unknown';
  if (seen.startTime === startTime) return seen.state.startsWith('Z') ? 'dead' : 'alive';
  return startTime.length >= ESTIMATE_DIGITS ? 'unknown' : 'dead';
}

export function isOnOtherMachine(owner: string, here: Place): boolean {
  const [, machine, boot] = OWNER.exec(owner) ?? [];
  if (machine === undefined) return false;
  // Host names change, and containers of one kernel have many.
  if (boot !== undefined && boot === here.kernel?.boot) return false;
  return machine !== here.machine;
}

export function describeOwner(owner: string, from: Place = here()): Message {
  const [, machine, boot, pids, pid = ''] = OWNER.exec(owner) ?? [];
  if (machine === undefined) return msg('owner.unreadable');
  if (isOnOtherMachine(owner, from)) return msg('owner.elsewhere', { pid });
  const isApart = boot === from.kernel?.boot && pids !== from.kernel?.pids;
  return isApart ? msg('owner.container', { pid }) : msg('owner.here', { pid });
}

/** `read`, `readLink`, and `run` throw on failure. */
export function placeOf(machine: {
  platform: string;
  hostname: string;
  env: Record<string, string | undefined>;
  read(path: string): string;
  readLink(path: string): string;
  run(file: string, args: string[]): string;
}): Place {
  const answerOf = (ask: () => string): string | undefined => {
    try {
      return ask().trim() || undefined;
    } catch {
      return undefined;
    }
  };
  const boot = answerOf(() => machine.read('/proc/sys/kernel/random/boot_id'));
  const pids = answerOf(() => /\d+/.exec(machine.readLink('/proc/self/ns/pid'))?.[0] ?? '');
  const kernel = boot === undefined || pids === undefined ? undefined : { boot: hashed(boot), pids };
  const named = (id: string, name = machine.hostname): string =>
    hashed(`${machine.platform}\0${name}\0${id}`);
  const id = systemId(machine);
  // Copied disks share an id, but seldom a name. A Mac's name changes with the network.
  if (id !== undefined) return { machine: named(id, machine.platform === 'darwin' ? '' : undefined), kernel };
  // Names aren't unique, so the machine is known only until it reboots.
  return { machine: named(kernel?.boot ?? ''), kernel };
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Start times are ticks since boot on Linux, elsewhere seconds since 1970. */
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
    // proc(5), fields 3 and 22; the command may contain spaces and brackets.
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

function see(pid: number): Seen {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: another user's process.
    if (errnoOf(error) !== 'EPERM') return 'gone';
  }
  if (pid === process.pid) return { state: '', startTime: ownStartTime() };
  return processSeen(pid, thisMachine) ?? 'hidden';
}

let own: Place | undefined;

function here(): Place {
  if (own !== undefined) return own;
  own = placeOf({ ...thisMachine, hostname: hostname(), readLink: (path) => readlinkSync(path) });
  return own;
}

let ownStart: string | undefined;

function ownStartTime(): string {
  ownStart ??=
    processSeen(process.pid, thisMachine)?.startTime ??
    String(Math.round(Date.now() - process.uptime() * 1000));
  return ownStart;
}

/** Stable across reboots if the system has an id; reveals no name. */
export function machineId(): string {
  return here().machine;
}

export function ownOwner(): string {
  return ownerOf(here(), process.pid, ownStartTime());
}

const ended = new Set<string>();

export function takeForEnded(owners: Iterable<string>): void {
  for (const owner of owners) ended.add(owner);
}

export function isOwnerAlive(owner: string): Life {
  const life = lifeOf(owner, here(), see);
  return life === 'unknown' && ended.has(owner) ? 'dead' : life;
}

export function isOwnerOnOtherMachine(owner: string): boolean {
  return !ended.has(owner) && isOnOtherMachine(owner, here());
}

const FILE = 'ended-owners.json';
const MOST = 1000;

/** An unreadable file counts as empty. */
export function knowEndedOwners(dataDir: string): void {
  takeForEnded(read(dataDir));
}

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
