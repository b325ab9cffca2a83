import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process and all that descend from it at one moment; by the role that Chromium gives its processes. */
export interface CpuSample {
  /** ms of `Date.now` */
  at: number;
  /** Seconds by role. */
  seconds: Map<string, number>;
}

/** Linux counts CPU time in hundredths of a second (proc(5), `sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100;

/** Linux only. */
export function sampleTree(root: number): CpuSample {
  const stats = new Map<number, { parent: number; seconds: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = readOr(`/proc/${name}/stat`);
    // The command in field 2 may hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [, parent = '', , , , , , , , , , user = '0', system = '0'] = fields;
    if (parent === '') continue;
    stats.set(Number(name), {
      parent: Number(parent),
      seconds: (Number(user) + Number(system)) / TICKS_PER_SECOND,
    });
  }
  const seconds = new Map<string, number>();
  for (const [pid, { seconds: own }] of stats) {
    if (!descends(pid, root, stats)) continue;
    const role = roleOf(pid, root);
    seconds.set(role, (seconds.get(role) ?? 0) + own);
  }
  return { at: Date.now(), seconds };
}

function descends(pid: number, root: number, stats: Map<number, { parent: number }>): boolean {
  for (let one: number | undefined = pid; one !== undefined && one > 1; one = stats.get(one)?.parent) {
    if (one === root) return true;
  }
  return false;
}

function roleOf(pid: number, root: number): string {
  const command = readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  const type = /--type=([\w-]+)/.exec(command)?.[1];
  if (type === 'utility') return command.includes('node.mojom') ? 'core' : 'network';
  return type ?? (pid === root ? 'main' : 'helper');
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
