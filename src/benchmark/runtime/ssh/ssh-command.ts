import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { SshTarget } from '../engine/endpoints.ts';

/** Where `ssh` is when PATH does not say: an app that was started from a desktop may get a short PATH. */
const USUAL_PLACES: Record<string, string[]> = {
  win32: ['C:\\Windows\\System32\\OpenSSH', 'C:\\Program Files\\Git\\usr\\bin'],
  other: ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'],
};

/** Seconds that `ssh` itself waits for the other machine's first answer. */
const CONNECT_TIMEOUT_SECONDS = 10;

/**
 * The system's `ssh`: the first one on PATH, else the one in a usual place, else undefined. The user's own ssh is
 * used and no library, because only it knows the user's ssh_config, agent, known hosts and jump hosts.
 */
export function findSsh(env: NodeJS.ProcessEnv, platform: string): string | undefined {
  const windows = platform === 'win32';
  const path = windows ? win32 : posix;
  const onPath = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter(path.isAbsolute);
  return [...onPath, ...(USUAL_PLACES[windows ? 'win32' : 'other'] ?? [])]
    .map((directory) => path.join(directory, windows ? 'ssh.exe' : 'ssh'))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * What `ssh` is told, as Docker's CLI does (docker/cli, cli/connhelper): the remote `docker system dial-stdio` joins
 * its standard streams to the engine's socket there. BatchMode: a question about a password would wait for ever, for
 * nobody sees it. ControlMaster=no: a child that others share would take their connections with it when it ends; one
 * that the user's own ssh shares is still used. The values are checked by `parseEndpoint`; `--` ends the options all the same.
 */
export function sshArguments({ host, port, user, socketPath }: SshTarget): string[] {
  const docker = socketPath === undefined ? ['docker'] : ['docker', `--host=unix://${socketPath}`];
  return [
    ...[
      '-o',
      'BatchMode=yes',
      '-o',
      `ConnectTimeout=${CONNECT_TIMEOUT_SECONDS}`,
      '-o',
      'ControlMaster=no',
      '-T',
    ],
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(user === undefined ? [] : ['-l', user]),
    ...['--', host, ...docker, 'system', 'dial-stdio'],
  ];
}

/** The command for the user's terminal that shows whether this can work at all. */
export function sshTrial({ host, port, user }: SshTarget): string {
  const parts = ['ssh', ...(port === undefined ? [] : ['-p', String(port)])];
  return [...parts, user === undefined ? host : `${user}@${host}`, 'docker version'].join(' ');
}
