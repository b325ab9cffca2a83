import { expect, it } from 'vitest';
import { runBriefly, systemId } from '../../../../src/benchmark/owners/machine-id.ts';

const ID = '4c4c4544-0042-3510-8051-b4c04f4e4b32';
const UPPER = ID.toUpperCase();
const ioreg = (line: string): string =>
  `+-o J314sAP  <class IOPlatformExpertDevice, id 0x10000026a>\n    {\n${line}\n      "clock-frequency" = <00366e01>\n    }\n`;
const reg = (line: string): string =>
  ['', 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography', line, '', ''].join('\r\n');
const QUERY = {
  darwin: '/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice',
  win32: 'D:\\Win\\System32\\reg.exe query HKLM\\SOFTWARE\\Microsoft\\Cryptography /v MachineGuid',
  linux: '/etc/machine-id',
};

it.each<[string, keyof typeof QUERY, string, string | undefined]>([
  ['the hardware', 'darwin', ioreg(`      "IOPlatformUUID" = "${UPPER}"`), ID],
  ['the hardware, as a nested entry', 'darwin', ioreg(`  | "IOPlatformUUID" = "${UPPER}"`), ID],
  ['the installation', 'win32', reg(`    MachineGuid    REG_SZ    ${UPPER}`), ID],
  ['the file', 'linux', '3d1219c7c4c5404aaa1f6d2a48adfda4\n', '3d1219c7c4c5404aaa1f6d2a48adfda4'],
  ['no property', 'darwin', ioreg(''), undefined],
  ['a board without a number', 'darwin', ioreg(`"IOPlatformUUID" = "${ID.replace(/\w/g, '0')}"`), undefined],
  ['no UUID', 'darwin', ioreg('      "IOPlatformUUID" = "unknown"'), undefined],
  ['a property that names it', 'darwin', ioreg(`  "keys" = ("IOPlatformUUID" = "${ID}")`), undefined],
  ['no value', 'win32', reg(''), undefined],
  ['a value of another type', 'win32', reg('    MachineGuid    REG_DWORD    0x1'), undefined],
  ['an empty file', 'linux', '\n', undefined],
])('the machine’s ID is of %s (%s)', (_, platform, printed, id) => {
  const answer = (query: string): string => {
    expect(query).toBe(QUERY[platform]);
    return printed;
  };
  const run = (file: string, args: string[]): string => answer([file, ...args].join(' '));
  expect(systemId({ platform, env: { SystemRoot: 'D:\\Win' }, read: answer, run })).toBe(id);
});

it.each(['darwin', 'win32', 'linux'])('a system that fails has none (%s)', (platform) => {
  const fail = (): never => {
    throw new Error('ETIMEDOUT');
  };
  expect(systemId({ platform, env: {}, read: fail, run: fail })).toBeUndefined();
});

it('it is asked for without a shell', () => {
  expect(runBriefly(process.execPath, ['-e', 'console.log(process.argv[1])', '$(id)']).trim()).toBe('$(id)');
  expect(() => runBriefly('/whalemark-no-such-program', [])).toThrow();
});
