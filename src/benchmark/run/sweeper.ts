import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { toErrorData } from '../../shared/errors.ts';
import { errorFields, log } from '../log/log.ts';

export const sweepRequestSchema = z.object({
  runId: z.string(),
  /** The process that ran it. Things of other processes stay. */
  owner: z.string(),
  engines: z.array(z.string()),
  dataDir: z.string(),
  datasetDir: z.string().nullable(),
  appVersion: z.string(),
});
type SweepRequest = z.infer<typeof sweepRequestSchema>;

/** The line without which the end of its input means that the program was killed. */
export const DONE = 'done';

let sweeperFile: string | undefined;

/** Call once before runs start. Without it, killed runs leave everything to the next start. */
export function sweepElsewhere({ clientFile }: { clientFile: string }): void {
  sweeperFile = join(dirname(clientFile), 'sweeper.cjs');
}

/**
 * A process that outlives this one and removes what the run left, unless the returned function was called first.
 * It holds neither the terminal nor this process.
 */
export function startSweeper(request: SweepRequest): () => void {
  if (sweeperFile === undefined) return () => undefined;
  const child = spawn(process.execPath, [sweeperFile], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A separate session, so that it gets no Ctrl+C, and Windows doesn't end it with this process.
    detached: true,
    windowsHide: true,
    // The user's folder stays free, and the program's may be in an archive.
    cwd: request.dataDir,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  child.on('error', (error) => log.warn('no sweeper', { error: errorFields(toErrorData(error)) }));
  child.stdin.on('error', () => undefined).write(`${JSON.stringify(request)}\n`);
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return () => void child.stdin.end(`${DONE}\n`);
}
