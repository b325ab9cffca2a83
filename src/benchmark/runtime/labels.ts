import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Labels on everything we create for a run. Only what carries `OWNER_LABEL` is ever listed or removed after one. */
export const OWNER_LABEL = 'io.whalemark.owner';
export const RUN_LABEL = 'io.whalemark.run';
export const VERSION_LABEL = 'io.whalemark.version';
export const ROLE_LABEL = 'io.whalemark.role';

/**
 * Labels on the volume of a dataset that is kept between runs, in place of owner and run: its key, the folder
 * that its record is in, and the process that loaded it. See `DatasetCache`.
 */
export const DATASET_LABEL = 'io.whalemark.dataset';
export const DATASET_HOME_LABEL = 'io.whalemark.dataset-home';
export const DATASET_LOADER_LABEL = 'io.whalemark.dataset-loader';

/** Hashed, so that a host name never leaves the machine with an image or a bug report. */
function machineId(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
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

/** A pid alone says little: it is used again. Together with its start time it names one process for good. */
const ownStartTime = procStat('self')?.startTime ?? String(Math.round(Date.now() - process.uptime() * 1000));

/** This process, as it stands in the owner label: `<machine>.<pid>.<start time>`. */
export function ownOwner(): string {
  return `${machineId()}.${process.pid}.${ownStartTime}`;
}

/** The labels for a resource of this process. `role` says what it is for (`server`, `client-image`, …). */
export function createLabels(options: {
  runId: string;
  appVersion: string;
  role: string;
}): Record<string, string> {
  return {
    [OWNER_LABEL]: ownOwner(),
    [RUN_LABEL]: options.runId,
    [VERSION_LABEL]: options.appVersion,
    [ROLE_LABEL]: options.role,
  };
}

/**
 * Whether the process named by an owner label still lives. `elsewhere` means another machine, or a label we can't
 * read: then nobody here may decide. Only Linux can tell a pid that was given out again from the original.
 */
export function isOwnerAlive(owner: string): 'alive' | 'dead' | 'elsewhere' {
  const [, machine, pidText, startTime] = /^([0-9a-f]{12})\.([1-9]\d*)\.(\d+)$/.exec(owner) ?? [];
  if (machine === undefined || pidText === undefined || machine !== machineId()) return 'elsewhere';
  const pid = Number(pidText);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, but belongs to somebody else.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return 'dead';
  }
  const stat = procStat(pid);
  if (stat === undefined) return 'alive';
  return stat.startTime === startTime && stat.state !== 'Z' ? 'alive' : 'dead';
}
