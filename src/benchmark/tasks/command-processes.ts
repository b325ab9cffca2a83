import { errnoOf } from '../files/failures.ts';
import { ownHost } from '../host/host-source.ts';

/** A child is found if its parent lives this long after its start. */
const FOLLOW_MS = 50;

interface Process {
  pid: number;
  parent: number;
  session: number;
  /** Clock ticks since boot; unique together with the PID. */
  start: number;
  isZombie: boolean;
}

/** A process group; on Linux also its session, marked processes, and children seen. */
export class CommandProcesses {
  readonly #root: number;
  readonly #mark: string;
  readonly #began: number;
  readonly #folder: string | undefined;
  readonly #known = new Map<number, Process>();
  readonly #refused = new Map<number, Process>();
  readonly #timer: NodeJS.Timeout | undefined;

  /** `root` leads a session; `mark` is `NAME=value`. */
  constructor(root: number, mark: string) {
    this.#root = root;
    this.#mark = mark;
    const first = process.platform === 'linux' ? processOf(root) : undefined;
    this.#began = first?.start ?? Infinity;
    this.#folder = ownHost().link(`/proc/${root}/cwd`);
    if (first === undefined) return;
    this.#known.set(root, first);
    this.#timer = setInterval(() => this.#follow(), FOLLOW_MS).unref();
  }

  kill(): void {
    clearInterval(this.#timer);
    this.#follow();
    killed(-this.#root);
    for (const one of allProcesses()) {
      if (this.#isOurs(one) && !killed(one.pid)) this.#refused.set(one.pid, one);
    }
  }

  /** PIDs of another user's processes, and of orphans begun during the command in its folder. */
  left(): number[] {
    const all = allProcesses();
    const byPid = new Map(all.map((one) => [one.pid, one]));
    const heirs = new Set<number>();
    for (let pid = byPid.get(process.pid)?.parent; pid !== undefined; pid = byPid.get(pid)?.parent)
      heirs.add(pid);
    const mayBeOurs = ({ pid, parent, session, start }: Process): boolean =>
      start >= this.#began &&
      heirs.has(parent) &&
      session !== byPid.get(parent)?.session &&
      this.#folder !== undefined &&
      ownHost().link(`/proc/${pid}/cwd`) === this.#folder;
    return all
      .filter((one) => !one.isZombie && !this.#isKilled(one))
      .filter((one) => this.#refused.get(one.pid)?.start === one.start || mayBeOurs(one))
      .map(({ pid }) => pid);
  }

  #isKilled(one: Process): boolean {
    return this.#isOurs(one) && this.#refused.get(one.pid)?.start !== one.start;
  }

  #isOurs({ pid, session, start }: Process): boolean {
    return (
      session === this.#root ||
      this.#known.get(pid)?.start === start ||
      ownHost().read(`/proc/${pid}/environ`)?.includes(this.#mark) === true
    );
  }

  #follow(): void {
    const { list, read } = ownHost();
    // A Map's iteration includes children added meanwhile.
    for (const pid of this.#known.keys()) {
      const tasks = list(`/proc/${pid}/task`);
      if (tasks.length === 0) this.#known.delete(pid);
      for (const task of tasks) {
        for (const child of (read(`/proc/${pid}/task/${task}/children`) ?? '')
          .trim()
          .split(' ')
          .map(Number)) {
          const found = child === 0 || this.#known.has(child) ? undefined : processOf(child);
          if (found !== undefined) this.#known.set(child, found);
        }
      }
    }
  }
}

function allProcesses(): Process[] {
  const names = ownHost().list('/proc');
  return names.flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []));
}

/** Undefined if the process is gone. Source: proc_pid_stat(5). */
function processOf(pid: number): Process | undefined {
  const fields =
    ownHost()
      .read(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ') ?? [];
  const [state, parent, , session] = fields;
  const start = Number(fields[19]);
  if (state === undefined || Number.isNaN(start)) return undefined;
  return { pid, parent: Number(parent), session: Number(session), start, isZombie: state === 'Z' };
}

/** False if the process is another user's. */
function killed(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (!['ESRCH', 'EPERM'].includes(code)) throw error;
    return code === 'ESRCH';
  }
  return true;
}
