import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { draftOf } from '../files/replace-file.ts';

const COMMAND_MS = 5000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NO_NUMBER = /^([0f])\1*$/;

type Env = Record<string, string | undefined>;

/** macOS: the hardware's UUID; Windows: the installation's GUID; others: `/etc/machine-id`. */
export function systemId(machine: {
  platform: string;
  env: Env;
  read(path: string): string;
  run(file: string, args: string[]): string;
}): string | undefined {
  const { platform, env, read, run } = machine;
  try {
    if (platform === 'darwin')
      return platformUuid(run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']));
    if (platform === 'win32') {
      const reg = win32.join(filled(env['SystemRoot']) ?? 'C:\\Windows', 'System32', 'reg.exe');
      return machineGuid(run(reg, ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid']));
    }
    return filled(read('/etc/machine-id').trim());
  } catch {
    return undefined;
  }
}

function platformUuid(printed: string): string | undefined {
  return uuid(/^[\s|]*"IOPlatformUUID"\s*=\s*"([^"]*)"\s*$/m.exec(printed)?.[1]);
}

function machineGuid(printed: string): string | undefined {
  return uuid(/^\s*MachineGuid\s+REG_SZ\s+(\S+)\s*$/im.exec(printed)?.[1]);
}

function uuid(text: string | undefined): string | undefined {
  const id = text?.toLowerCase();
  return id !== undefined && UUID.test(id) && !NO_NUMBER.test(id.replaceAll('-', '')) ? id : undefined;
}

/** For an ID if the system has none: a folder that does not roam. */
export function keptIdFolder(platform: string, env: Env, homeDirectory: string): string {
  if (platform === 'darwin') return posix.join(homeDirectory, 'Library', 'Application Support', 'Whalemark');
  if (platform === 'win32') {
    const local = filled(env['LOCALAPPDATA']) ?? win32.join(homeDirectory, 'AppData', 'Local');
    return win32.join(local, 'Whalemark');
  }
  const state = filled(env['XDG_STATE_HOME']) ?? posix.join(homeDirectory, '.local', 'state');
  return posix.join(state, 'whalemark');
}

export function keptId(folder: string, hostname: string): string | undefined {
  const name = createHash('sha256').update(hostname).digest('hex').slice(0, 12);
  const path = posix.join(folder, `machine-${name}`);
  const read = (): string | undefined => {
    try {
      return uuid(readFileSync(path, 'utf8').trim());
    } catch {
      return undefined;
    }
  };
  const known = read();
  if (known !== undefined) return known;
  const draft = draftOf(path);
  try {
    mkdirSync(folder, PRIVATE_FOLDER);
    writeFileSync(draft, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600, flush: true });
    try {
      linkSync(draft, path);
    } catch {
      copyFileSync(draft, path, constants.COPYFILE_EXCL);
    }
  } catch {}
  try {
    rmSync(draft, { force: true });
  } catch {}
  return read();
}

export function runBriefly(file: string, args: string[]): string {
  return execFileSync(file, args, {
    encoding: 'utf8',
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: COMMAND_MS,
    windowsHide: true,
  });
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
