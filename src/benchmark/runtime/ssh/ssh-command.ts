import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { SshTarget } from '../engine/endpoints.ts';

/** For desktop apps with a short PATH. */
const USUAL_PLACES: Record<string, string[]> = {
  win32: ['C:\\Windows\\System32\\OpenSSH', 'C:\\Program Files\\Git\\usr\\bin'],
  other: ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'],
};

/** `ssh`'s own timeout, seconds. */
const CONNECT_TIMEOUT_SECONDS = 10;

/**
 * First on PATH, otherwise in a usual place. The user's ssh, since only it knows ssh_config, agent, known hosts, and
 * jump hosts.
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
 * As Docker's CLI (docker/cli, cli/connhelper): `docker system dial-stdio` joins its streams to the remote socket.
 * BatchMode: nobody could answer a password prompt. ControlMaster=no: others must not share our child.
 * `parseEndpoint` has checked the values.
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

/** A command for the user's terminal that shows whether this can work. */
export function sshTrial({ host, port, user }: SshTarget): string {
  const parts = ['ssh', ...(port === undefined ? [] : ['-p', String(port)])];
  return [...parts, user === undefined ? host : `${user}@${host}`, 'docker version'].join(' ');
}
