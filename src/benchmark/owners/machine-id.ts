import { execFileSync } from 'node:child_process';
import { win32 } from 'node:path';

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
