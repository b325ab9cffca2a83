import { execFileSync } from 'node:child_process';
import { win32 } from 'node:path';

const COMMAND_MS = 5000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NO_NUMBER = /^([0f])\1*$/;
const HARDWARE = /^[\s|]*"IOPlatformUUID"\s*=\s*"([^"]*)"\s*$/m;
const INSTALLATION = /^\s*MachineGuid\s+REG_SZ\s+(\S+)\s*$/im;

type Env = Record<string, string | undefined>;

export function systemId(machine: {
  platform: string;
  env: Env;
  read(path: string): string;
  run(file: string, args: string[]): string;
}): string | undefined {
  const { platform, env, read, run } = machine;
  try {
    if (platform === 'darwin')
      return uuid(HARDWARE.exec(run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'])));
    if (platform === 'win32') {
      const reg = win32.join(filled(env['SystemRoot']) ?? 'C:\\Windows', 'System32', 'reg.exe');
      const query = ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid'];
      return uuid(INSTALLATION.exec(run(reg, query)));
    }
    return filled(read('/etc/machine-id').trim());
  } catch {
    return undefined;
  }
}

function uuid(found: RegExpExecArray | null): string | undefined {
  const id = found?.[1]?.toLowerCase();
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
