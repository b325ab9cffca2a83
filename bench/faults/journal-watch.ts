import { watch } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runEventSchema, type RunEvent } from '../../src/shared/model/events.ts';

/**
 * Reads the journal of the run in a data folder while it is written, and hands on each event as it gets there. It is
 * watched, not asked again and again: what strikes "while measuring" must not be a poll late. Ends with `signal`.
 */
export async function followJournal(
  dataDir: string,
  onEvent: (event: RunEvent, runId: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const runs = join(dataDir, 'runs');
  const runId = await nextOf(runs, async () => (await readdir(runs)).at(0), signal);
  if (runId === undefined) return;
  let seen = 0;
  const file = join(runs, runId, 'journal.ndjson');
  await nextOf(
    join(runs, runId),
    async () => {
      const text = await readFile(file, 'utf8').catch(() => '');
      const end = text.lastIndexOf('\n') + 1;
      // The file may be torn by a disk that is full; what can't be read is nobody's moment.
      for (const line of text.slice(seen, end).split('\n')) {
        const event = runEventSchema.safeParse(parsed(line));
        if (event.success) onEvent(event.data, runId);
      }
      seen = Math.max(seen, end);
      return undefined;
    },
    signal,
  );
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
