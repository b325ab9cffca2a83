import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FlushTimes } from '../../../shared/model/events.ts';

type Exec = (command: string[]) => Promise<{ exitCode: number; stdout: string; stderr: string }>;

const FILE = '.whalemark-flush';
/** InnoDB's smallest log write; a page of most file systems. */
const BYTES = 4096;
const FLUSHES = 50;
const RUNS = 3;

/**
 * How long a small write takes until the storage confirms it, seen from inside the container: `dd` with O_DSYNC waits
 * after each block, as a commit waits for its log. Undefined without such a `dd`, or if the datadir can't be written.
 * Rejects only with what `exec` rejects with.
 */
export async function probeFlush(exec: Exec, datadir: string): Promise<FlushTimes | undefined> {
  const file = `${datadir}/${FILE}`;
  const means: number[] = [];
  try {
    for (let run = 0; run < RUNS; run++) {
      const { exitCode, stderr } = await exec([
        'env',
        'LC_ALL=C',
        'dd',
        'if=/dev/zero',
        `of=${file}`,
        `bs=${BYTES}`,
        `count=${FLUSHES}`,
        'oflag=dsync',
      ]);
      const seconds = exitCode === 0 ? ddSeconds(stderr) : undefined;
      if (seconds === undefined) return undefined;
      means.push((seconds * 1e6) / FLUSHES);
    }
    return flushTimes(means);
  } finally {
    await exec(['rm', '-f', file]);
  }
}

export async function probeOwnFlush(datadir: string): Promise<FlushTimes | undefined> {
  const file = join(datadir, FILE);
  const block = Buffer.alloc(BYTES);
  const means: number[] = [];
  try {
    for (let run = 0; run < RUNS; run++) {
      const handle = await open(file, 'w');
      try {
        const began = performance.now();
        for (let flush = 0; flush < FLUSHES; flush++) {
          await handle.write(block, 0, BYTES, flush * BYTES);
          await handle.datasync();
        }
        means.push(((performance.now() - began) * 1000) / FLUSHES);
      } finally {
        await handle.close();
      }
    }
    return flushTimes(means);
  } catch {
    return undefined;
  } finally {
    await rm(file, { force: true });
  }
}

/** "… copied, 0.00567 s, 36.1 MB/s" (GNU and BusyBox). */
export function ddSeconds(stderr: string): number | undefined {
  const seconds = /copied, ([\d.]+(?:e[-+]?\d+)?) s/.exec(stderr)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

function flushTimes(means: number[]): FlushTimes {
  const sorted = means.sort((a, b) => a - b);
  return { meanUs: sorted[Math.floor(sorted.length / 2)] ?? 0, flushes: FLUSHES * RUNS };
}
