import { readdirSync, readFileSync } from 'node:fs';

/** A process, and what it is to the app: `main`, `renderer`, `gpu`, `network`, `core`, `client`, `helper`. */
export interface Process {
  role: string;
  pid: number;
}

/** Memory, files, and threads of a process at one moment. Linux only (proc(5)). */
export interface Held extends Process {
  /** Memory that no other process shares. */
  privateMiB: number;
  residentMiB: number;
  /** The highest private memory so far, MiB. */
  peakMiB: number;
  files: number;
  threads: number;
}

/** Memory of a process; undefined when it is gone. */
export function held({ role, pid }: Process): Held | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mebibytes = (text: string, name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? NaN) / 1024;
    return {
      role,
      pid,
      privateMiB: mebibytes(rollup, 'Private_Clean') + mebibytes(rollup, 'Private_Dirty'),
      residentMiB: mebibytes(status, 'VmRSS'),
      peakMiB: mebibytes(status, 'VmHWM'),
      files: readdirSync(`/proc/${pid}/fd`).length,
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? NaN),
    };
  } catch {
    return undefined;
  }
}

/** Process numbers of all that descend from a process, without itself. */
export function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const parent = Number(statOf(Number(name))[1]);
    if (parent > 0) parents.set(Number(name), parent);
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

export function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

/** The fields of a process's `stat` from the third on; none when it is gone. */
function statOf(pid: number): string[] {
  const text = textOf(`/proc/${pid}/stat`);
  // The command in field 2 may hold spaces and brackets.
  return text === '' ? [] : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
