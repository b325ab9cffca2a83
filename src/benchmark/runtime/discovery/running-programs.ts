import type { HostSource } from '../../machine/host-source.ts';
import { parseProcess, TICKS_PER_SECOND } from '../../machine/processes.ts';

/** A program that runs: its file's name without folder and `.exe` (on Linux cut to 15 characters), and since when. */
export interface RunningProgram {
  name: string;
  /** Null where the system does not say. */
  seconds: number | null;
}

/** What runs on this machine; empty when the system doesn't say. */
export async function listProcesses(source: HostSource): Promise<RunningProgram[]> {
  if (source.platform === 'win32')
    return parseTasks((await source.run('tasklist', ['/FO', 'CSV', '/NH'])) ?? '');
  if (source.platform === 'darwin') return parsePs((await source.run('ps', ['-axo', 'etime=,comm='])) ?? '');
  return fromProc(source);
}

function fromProc(source: HostSource): RunningProgram[] {
  const uptime = Number(source.read('/proc/uptime')?.split(' ')[0] ?? Number.NaN);
  return source.list('/proc').flatMap((pid) => {
    const text = /^\d+$/.test(pid) ? source.read(`/proc/${pid}/stat`) : undefined;
    const found = text === undefined ? undefined : parseProcess(text);
    if (found === undefined) return [];
    const seconds = uptime - Number(found.key.split('.')[1]) / TICKS_PER_SECOND;
    return [{ name: found.process.name, seconds: Number.isFinite(seconds) ? Math.max(0, seconds) : null }];
  });
}

/** `ps -axo etime=,comm=`: "[[days-]hours:]minutes:seconds /path/of/the program". */
function parsePs(text: string): RunningProgram[] {
  return text.split('\n').flatMap((line) => {
    const [, days, hours, minutes, seconds, path] =
      /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (path === undefined) return [];
    const [d = 0, h = 0, m = 0, s = 0] = [days, hours, minutes, seconds].map((part) => Number(part ?? 0));
    return [{ name: path.split('/').at(-1) ?? path, seconds: ((d * 24 + h) * 60 + m) * 60 + s }];
  });
}

/** `tasklist /FO CSV /NH`: "Docker Desktop.exe","1234",… */
function parseTasks(text: string): RunningProgram[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name] = /^"([^"]+)"/.exec(line) ?? [];
    return name === undefined ? [] : [{ name: name.replace(/\.exe$/i, ''), seconds: null }];
  });
}
