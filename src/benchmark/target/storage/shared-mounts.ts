import { mkdtemp, readFile, realpath, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';

/**
 * Whether what this process sees mounted is what is mounted where the engine runs. A socket tells nothing of that: it may
 * lead out of a container, through ssh, or into another engine's container. True only when the engine finds a new folder
 * below this very process, so both have the same processes, and when the first of those has the same mounts.
 */
export async function sharesMounts(runtime: Pick<ContainerRuntime, 'hasPath'>): Promise<boolean> {
  let folder: string | undefined;
  try {
    const [own, first] = await Promise.all([rootMount('self'), rootMount('1')]);
    if (own === undefined || own !== first) return false;
    folder = await realpath(await mkdtemp(join(tmpdir(), 'whalemark-here-')));
    const seen = `/proc/${process.pid}/root${folder}`;
    // An engine that finds everything has not looked.
    return (await runtime.hasPath(seen)) === true && (await runtime.hasPath(`${seen}-not`)) === false;
  } catch {
    return false;
  } finally {
    if (folder !== undefined) await rmdir(folder).catch(() => undefined);
  }
}

/** The kernel's number of what is mounted at a process's root; no two mounts have the same (proc_pid_mountinfo(5)). */
async function rootMount(pid: string): Promise<string | undefined> {
  const lines = (await readFile(`/proc/${pid}/mountinfo`, 'utf8')).split('\n');
  return lines.map((line) => line.split(' ')).find((fields) => fields[4] === '/')?.[0];
}
