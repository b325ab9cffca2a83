import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { readyPort } from '../../../src/benchmark/servers/server-log.ts';
import { testCompose } from '../../helpers/compose-on-path.ts';
import { docker } from './docker-server.ts';

const run = promisify(execFile);

export interface UpOptions {
  /** Name of the project; leftovers are found by its beginning. */
  project?: string;
  /** Starts this service only, and waits until it takes logins. */
  database?: string;
  env?: Record<string, string>;
}

/**
 * A user's project, started by set-up's Compose on the engine of the tests. `files` are as for `--file`; none: those that Compose
 * finds in the folder. `down` removes its containers, volumes, and networks.
 */
export async function up(
  folder: string,
  files: readonly string[] = [],
  { project = `whalemark-test-${randomUUID().slice(0, 8)}`, database, env = {} }: UpOptions = {},
) {
  const compose = async (...args: string[]): Promise<string> => {
    const all = ['--project-name', project, ...files.flatMap((file) => ['--file', file]), ...args];
    const options = { cwd: folder, env: { ...process.env, PWD: folder, ...env } };
    return (await run(testCompose(), all, options)).stdout.trim();
  };
  /** The ID of a service's container. */
  const container = (service: string): Promise<string> => compose('ps', '--quiet', service);
  const down = (): Promise<string> => compose('down', '--volumes', '--remove-orphans', '--timeout', '10');
  /** Again after a change of the files: replaces what changed. */
  const again = async (): Promise<void> => {
    await compose('up', '--detach', ...(database === undefined ? [] : [database]));
    if (database !== undefined) await untilReady(await container(database));
  };
  try {
    await again();
  } catch (error) {
    await down();
    throw error;
  }
  return { project, compose, container, up: again, down };
}

/** Resolves when the server takes logins for good: the images' temporary server, which listens on port 0, doesn't count. */
export async function untilReady(container: string): Promise<void> {
  // A container that was started before has said so before.
  const since = await docker('inspect', '--format', '{{.State.StartedAt}}', container);
  const logs = spawn('docker', ['logs', '--follow', '--since', since, container], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      for (const stream of [logs.stdout, logs.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          said.push(line);
          if ((readyPort(line) ?? 0) > 0) resolve();
        });
      }
      logs.once('error', reject);
      logs.once('close', () => reject(new Error(`${container} ended:\n${said.slice(-20).join('\n')}`)));
    });
  } finally {
    logs.kill();
  }
}
