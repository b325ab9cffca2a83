import { watch } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runEventSchema, type RunEvent } from '../../src/shared/model/events.ts';

const LINE_END = 10;

/**
 * Reads the journal of a data folder's next run while it is written, and hands on each event as it gets there; `known` are the
 * runs that are there already. The file is watched rather than polled: a fault "while measuring" must not be late. Ends with
 * `signal`.
 */
export async function followJournal(
  dataDir: string,
  onEvent: (event: RunEvent, runId: string) => void,
  signal: AbortSignal,
  known: readonly string[] = [],
): Promise<void> {
  const runs = join(dataDir, 'runs');
  const isNew = (runId: string): boolean => !known.includes(runId);
  const runId = await nextOf(runs, async () => (await readdir(runs)).find(isNew), signal);
  if (runId === undefined) return;
  let seen = 0;
  const file = join(runs, runId, 'journal.ndjson');
  await nextOf(
    join(runs, runId),
    async () => {
      const more = await bytesFrom(file, seen);
      const end = more.lastIndexOf(LINE_END) + 1;
      seen += end;
      // A full disk may cut the file off; a part that can't be read is skipped.
      for (const line of more.toString('utf8', 0, end).split('\n')) {
        const event = runEventSchema.safeParse(parsed(line));
        if (event.success) onEvent(event.data, runId);
      }
      return undefined;
    },
    signal,
  );
}

/** Follows the next run to its end, and resolves with its ID. Throws after `timeoutMs`. */
export async function followedRun(
  dataDir: string,
  known: readonly string[],
  timeoutMs: number,
  onEvent: (event: RunEvent) => void,
): Promise<string> {
  const finished = new AbortController();
  let run = '';
  const late = AbortSignal.timeout(timeoutMs);
  const onAny = (event: RunEvent, runId: string): void => {
    run = runId;
    onEvent(event);
    if (event.type === 'run-finished') finished.abort();
  };
  await followJournal(dataDir, onAny, AbortSignal.any([finished.signal, late]), known);
  if (!finished.signal.aborted) throw new Error(`run ${run} did not end in time`);
  return run;
}

export function runIdsOf(dataDir: string): Promise<string[]> {
  return readdir(join(dataDir, 'runs')).catch(() => []);
}

async function bytesFrom(path: string, start: number): Promise<Buffer> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), {
      position: start,
    });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Looks, and looks again whenever something changes in a folder, until there is something or `signal` aborts. */
function nextOf<T>(
  folder: string,
  look: () => Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    let busy = false;
    let again = false;
    const watcher = watch(folder);
    const end = (found: T | undefined): void => {
      watcher.close();
      signal.removeEventListener('abort', onAbort);
      resolve(found);
    };
    const onAbort = (): void => end(undefined);
    const lookOnce = (): void => {
      again = true;
      if (busy) return;
      busy = true;
      const turns = async (): Promise<void> => {
        while (again && !signal.aborted) {
          again = false;
          const found = await look();
          if (found !== undefined) return end(found);
        }
        busy = false;
      };
      turns().catch(reject);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    watcher.on('change', lookOnce);
    watcher.on('error', () => undefined);
    lookOnce();
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
