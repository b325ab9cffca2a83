import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds at one moment. Linux only (proc(5)). */
export interface Held {
  /** `main`, `renderer`, `gpu`, `network`, `core`, `terminal`, `client`. */
  role: string;
  pid: number;
  /** MiB that nobody else has. */
  privateMiB: number;
  /** MiB, what is shared with others in parts (PSS). */
  proportionalMiB: number;
  files: number;
  threads: number;
}

/** Undefined when it is gone. */
export function held(role: string, pid: number): Held | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mebibytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? NaN) / 1024;
    return {
      role,
      pid,
      privateMiB: mebibytes('Private_Clean') + mebibytes('Private_Dirty'),
      proportionalMiB: mebibytes('Pss'),
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
    const parent = parentOf(Number(name));
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in field 2 may hold spaces and brackets.
    const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
    return parent > 0 ? parent : undefined;
  } catch {
    return undefined;
  }
}
