import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { toErrorData } from '../../shared/errors.ts';
import { errorFields, log } from '../log/log.ts';

export const sweepRequestSchema = z.object({
  runId: z.string(),
  /** Things of other processes stay. */
  owner: z.string(),
  engines: z.array(z.string()),
  dataDir: z.string(),
  datasetDir: z.string().nullable(),
  appVersion: z.string(),
});
type SweepRequest = z.infer<typeof sweepRequestSchema>;

/** Input that ends without this line means a killed program. */
export const DONE = 'done';

let sweeperFile: string | undefined;

/** Call once before runs start. */
export function sweepElsewhere({ clientFile }: { clientFile: string }): void {
  sweeperFile = join(dirname(clientFile), 'sweeper.cjs');
}

/** The sweeper outlives this process unless the returned function was called. */
export function startSweeper(request: SweepRequest): () => void {
  if (sweeperFile === undefined) return () => undefined;
  const child = spawn(process.execPath, [sweeperFile], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A separate session gets no Ctrl+C, and outlives this process on Windows.
    detached: true,
    windowsHide: true,
    // The user's folder stays free; the program's may be in an archive.
    cwd: request.dataDir,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  child.on('error', (error) => log.warn('no sweeper', { error: errorFields(toErrorData(error)) }));
  child.stdin.on('error', () => undefined).write(`${JSON.stringify(request)}\n`);
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return () => void child.stdin.end(`${DONE}\n`);
}
