import { readFileSync } from 'node:fs';
import type { ElectronApplication } from '@playwright/test';

/** Memory of a process, bytes. */
export interface Memory {
  /** In memory now, what it shares with others (Chromium's program) included. */
  resident: number;
  /** The most that `resident` has been. */
  peak: number;
  /** What nobody else has. */
  private: number;
}

/** Memory of the app's processes by their kind; Linux only (proc(5)). */
export async function memoryOf(
  app: ElectronApplication,
): Promise<Record<'main' | 'core' | 'renderer', Memory>> {
  const pids = await app.evaluate(({ app: { getAppMetrics } }) =>
    getAppMetrics().map(({ pid, type, name, serviceName }) => ({
      pid,
      type,
      name: `${name ?? ''} ${serviceName ?? ''}`,
    })),
  );
  const of = (is: (one: (typeof pids)[number]) => boolean): Memory => {
    const found = pids.find(is);
    if (found === undefined) throw new Error(`no such process among ${JSON.stringify(pids)}`);
    return read(found.pid);
  };
  return {
    main: of(({ type }) => type === 'Browser'),
    core: of(({ type, name }) => type === 'Utility' && /whalemark|node/i.test(name)),
    renderer: of(({ type }) => type === 'Tab'),
  };
}

function read(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const bytes = (text: string, name: string): number =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? NaN);
  return {
    resident: bytes(status, 'VmRSS'),
    peak: bytes(status, 'VmHWM'),
    private: bytes(rollup, 'Private_Clean') + bytes(rollup, 'Private_Dirty'),
  };
}

export function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
