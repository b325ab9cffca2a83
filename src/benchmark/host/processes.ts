import type { HostSource } from './host-source.ts';

/** The kernel's USER_HZ; see time(7). */
export const TICKS_PER_SECOND = 100;
const KERNEL_THREADS = 2;
/** The kernel cuts names to 15 characters. */
const ENGINE =
  /^(?:dockerd|containerd|containerd-shim|docker-proxy|docker|runc|crun|rootlesskit|rootlessport|slirp4netns|pasta(?:\.avx2)?|podman|conmon|netavark|aardvark-dns|virtiofsd|gvproxy|vpnkit|com\.docker\..*)$/;

interface Process {
  pid: number;
  parent: number;
  name: string;
  own: number;
  ended: number;
}

export type ProcessTable = Map<string, Process>;

export function readProcesses(source: HostSource): ProcessTable {
  const table: ProcessTable = new Map();
  for (const name of source.list('/proc')) {
    const text = /^\d+$/.test(name) ? source.read(`/proc/${name}/stat`) : undefined;
    const found = text === undefined ? undefined : parseProcess(text);
    if (found !== undefined) table.set(found.key, found.process);
  }
  return table;
}

/** proc_pid_stat(5); the name may contain spaces and brackets. */
export function parseProcess(text: string): { key: string; process: Process } | undefined {
  const [, pid, name, rest] = /^(\d+) \((.*)\) (.*)$/s.exec(text) ?? [];
  const fields = rest?.trim().split(' ') ?? [];
  const [parent, user, system, endedUser, endedSystem, start] = [1, 11, 12, 13, 14, 19].map(
    (at) => fields[at],
  );
  if (pid === undefined || name === undefined || start === undefined) return undefined;
  const process = {
    pid: Number(pid),
    parent: Number(parent),
    name,
    own: (Number(user) + Number(system)) / TICKS_PER_SECOND,
    ended: (Number(endedUser) + Number(endedSystem)) / TICKS_PER_SECOND,
  };
  return { key: `${pid}.${start}`, process };
}

export function ownProcesses(source: HostSource, table: ProcessTable): Set<number> {
  const parents = new Map([...table.values()].map(({ pid, parent }) => [pid, parent]));
  const program = source.link(`/proc/${source.pid}/exe`);
  let top = source.pid;
  for (let parent = parents.get(top); parent !== undefined; parent = parents.get(top)) {
    if (program === undefined || source.link(`/proc/${parent}/exe`) !== program) break;
    top = parent;
  }
  const own = new Set([top]);
  // A child may have a smaller PID.
  for (let size = 0; size !== own.size;) {
    size = own.size;
    for (const [pid, parent] of parents) if (own.has(parent)) own.add(pid);
  }
  return own;
}

export function isBelow({ pid, parent, name }: Process): boolean {
  return pid === KERNEL_THREADS || parent === KERNEL_THREADS || ENGINE.test(name);
}

export function usedByName(
  before: ProcessTable,
  after: ProcessTable,
  counts: (process: Process) => boolean,
): { name: string; seconds: number }[] {
  const usedBefore = usedByEnded(before, after);
  const byName = new Map<string, number>();
  for (const [key, process] of after) {
    const first = before.get(key);
    const children = process.ended - (first?.ended ?? 0) - (usedBefore.get(process.pid) ?? 0);
    const seconds = process.own - (first?.own ?? 0) + Math.max(0, children);
    if (seconds > 0 && counts(process)) byName.set(process.name, (byName.get(process.name) ?? 0) + seconds);
  }
  return [...byName].map(([name, seconds]) => ({ name, seconds })).sort((a, b) => b.seconds - a.seconds);
}

function usedByEnded(before: ProcessTable, after: ProcessTable): Map<number, number> {
  const gone = new Map([...before].filter(([key]) => !after.has(key)).map(([, one]) => [one.pid, one]));
  const used = new Map<number, number>();
  for (const { parent, own, ended } of gone.values()) {
    let heir = parent;
    for (let next = gone.get(heir); next !== undefined; next = gone.get(heir)) heir = next.parent;
    used.set(heir, (used.get(heir) ?? 0) + own + ended);
  }
  return used;
}
