import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeEntry } from '../../../../scripts/build/node-entry.mjs';
import { keptId, keptIdFolder, runBriefly, systemId } from '../../../../src/benchmark/owners/machine-id.ts';
import { newFolder } from '../../../helpers/folders.ts';

/** As a Mac answers; most of the properties are left out. */
const ioreg = (
  line: string,
): string => `+-o J314sAP  <class IOPlatformExpertDevice, id 0x10000026a, registered, matched, active, busy 0 (11843 ms), retain 39>
    {
      "manufacturer" = <"Apple Inc.">
      "IOPolledInterface" = "AppleARMWatchdogTimerHibernateHandler is not serializable"
      "IOBusyInterest" = "IOCommand is not serializable"
      "compatible" = <"J314sAP","MacBookPro18,3","AppleARM">
${line}
      "IOPlatformSerialNumber" = "C02XXXXXXXXX"
      "clock-frequency" = <00366e01>
    }

`;
/** As Windows answers; the type is called so in every language. */
const reg = (line: string): string =>
  ['', 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography', line, '', ''].join('\r\n');
const ID = '4c4c4544-0042-3510-8051-b4c04f4e4b32';
const UPPER = ID.toUpperCase();

function asked(platform: string, printed: string | Error, env: Record<string, string> = {}) {
  const calls: string[][] = [];
  const fail = (path: string): never => {
    throw new Error(`ENOENT ${path}`);
  };
  const id = systemId({
    ...{ platform, env, read: fail },
    run: (file, args) => {
      calls.push([file, ...args]);
      if (printed instanceof Error) throw printed;
      return printed;
    },
  });
  return { id, calls };
}

describe('what the system calls the machine', () => {
  it('on macOS is the UUID of the hardware', () => {
    const { id, calls } = asked('darwin', ioreg(`      "IOPlatformUUID" = "${UPPER}"`));
    expect(id).toBe(ID);
    expect(calls).toEqual([['/usr/sbin/ioreg', '-rd1', '-c', 'IOPlatformExpertDevice']]);
    expect(asked('darwin', ioreg(`  | "IOPlatformUUID" = "${UPPER}"`)).id).toBe(ID);
  });

  it('on Windows is the number of the installation, asked of the system’s own program', () => {
    const { id, calls } = asked('win32', reg(`    MachineGuid    REG_SZ    ${UPPER}`), {
      SystemRoot: 'D:\\Win',
    });
    expect(id).toBe(ID);
    const query = ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid'];
    expect(calls).toEqual([['D:\\Win\\System32\\reg.exe', ...query]]);
    expect(asked('win32', '').calls[0]?.[0]).toBe('C:\\Windows\\System32\\reg.exe');
  });

  it('elsewhere is /etc/machine-id, and no program is asked', () => {
    const run = (): never => {
      throw new Error('asked');
    };
    const told = (text: string) => systemId({ platform: 'linux', env: {}, read: () => text, run });
    expect(told('3d1219c7c4c5404aaa1f6d2a48adfda4\n')).toBe('3d1219c7c4c5404aaa1f6d2a48adfda4');
    expect(told('\n')).toBeUndefined();
  });

  it.each<[string, string, string | Error]>([
    ['a Mac without the property', 'darwin', ioreg('')],
    [
      'one whose board was never given a number',
      'darwin',
      ioreg(`"IOPlatformUUID" = "${ID.replace(/\w/g, '0')}"`),
    ],
    ['what is no UUID', 'darwin', ioreg('      "IOPlatformUUID" = "unknown"')],
    [
      'the property only named in another one',
      'darwin',
      ioreg(`      "keys" = ("IOPlatformUUID" = "${ID}")`),
    ],
    ['no answer in time', 'darwin', new Error('ETIMEDOUT')],
    ['a Windows without the value', 'win32', reg('')],
    ['a value of another type', 'win32', reg('    MachineGuid    REG_DWORD    0x1')],
    [
      'an error instead',
      'win32',
      'ERROR: The system was unable to find the specified registry key or value.\r\n',
    ],
    ['a program that fails', 'win32', new Error('ENOENT')],
    ['no file', 'linux', ''],
  ])('is nothing for %s', (_, platform, printed) => {
    expect(asked(platform, printed).id).toBeUndefined();
  });

  it('is asked without a shell', () => {
    const script = 'console.log(process.argv[1])';
    expect(runBriefly(process.execPath, ['-e', script, '$(id)']).trim()).toBe('$(id)');
    expect(() => runBriefly(join(tmpdir(), 'whalemark-no-such-program'), [])).toThrow();
  });
});

describe('a number of our own', () => {
  let home: string;
  let folder: string;
  beforeEach(() => {
    home = newFolder();
    folder = join(home, 'state', 'whalemark');
  });

  it('is made once, kept for its user alone, and another one for each host name', async () => {
    const id = keptId(folder, 'one');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(keptId(folder, 'one')).toBe(id);
    expect(keptId(folder, 'two')).not.toBe(id);
    const files = await readdir(folder);
    expect(files).toHaveLength(2);
    expect(files.join()).not.toMatch(/one|two|tmp/);
    expect((await stat(join(folder, files[0] ?? ''))).mode & 0o777).toBe(0o600);
  });

  it('is the same for all processes that ask at first at the same time', async () => {
    const entry = 'src/benchmark/owners/machine-id.ts';
    await build(nodeEntry({ entry, outDir: home, fileName: 'machine-id.cjs', target: 'node20' }));
    const script = 'console.log(require(process.argv[1]).keptId(process.argv[2], "one"))';
    const argv = ['-e', script, join(home, 'machine-id.cjs'), folder];
    const run = promisify(execFile);
    const told = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, argv)));
    expect(new Set(told.map(({ stdout }) => stdout)).size).toBe(1);
    expect(told[0]?.stdout.trim()).toBe(keptId(folder, 'one'));
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('is none where it can’t be kept or read, and nothing is overwritten', async () => {
    await writeFile(join(home, 'file'), '');
    expect(keptId(join(home, 'file', 'x'), 'one')).toBeUndefined();
    keptId(folder, 'one');
    const [name = ''] = await readdir(folder);
    await writeFile(join(folder, name), 'somebody’s');
    expect(keptId(folder, 'one')).toBeUndefined();
    expect(await readFile(join(folder, name), 'utf8')).toBe('somebody’s');
    await rm(join(folder, name));
    await mkdir(join(folder, name));
    expect(keptId(folder, 'one')).toBeUndefined();
  });

  it('lies in a folder of the user that does not travel, and is not the data folder', () => {
    const env = { WHALEMARK_HOME: '/data', APPDATA: 'C:\\Roaming', LOCALAPPDATA: 'C:\\Local' };
    expect(keptIdFolder('darwin', env, '/Users/me')).toBe('/Users/me/Library/Application Support/Whalemark');
    expect(keptIdFolder('win32', env, 'C:\\Users\\me')).toBe('C:\\Local\\Whalemark');
    expect(keptIdFolder('win32', {}, 'C:\\Users\\me')).toBe('C:\\Users\\me\\AppData\\Local\\Whalemark');
    expect(keptIdFolder('linux', env, '/home/me')).toBe('/home/me/.local/state/whalemark');
    expect(keptIdFolder('linux', { XDG_STATE_HOME: '/state' }, '/home/me')).toBe('/state/whalemark');
  });
});
