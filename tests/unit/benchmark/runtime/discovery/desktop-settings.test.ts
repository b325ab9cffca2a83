import { expect, it } from 'vitest';
import type { Passport } from '../../../../../src/shared/model/passport.ts';
import {
  desktopFacts,
  desktopSharing,
  readDesktopSettings,
} from '../../../../../src/benchmark/runtime/discovery/desktop-settings.ts';
import { infoSchema } from '../../../../../src/benchmark/runtime/discovery/probe.ts';
import type { Surroundings } from '../../../../../src/benchmark/runtime/discovery/surroundings.ts';
import { engineAnswers, machineWith } from '../fixture-machine.ts';

const INFO = infoSchema.parse({
  ...engineAnswers('one').info,
  ...{ OperatingSystem: 'Docker Desktop', KernelVersion: '6.12.76-linuxkit', Architecture: 'aarch64' },
});

function machine(platform: 'darwin' | 'win32', files: Record<string, string>): Surroundings {
  const homeDirectory = platform === 'win32' ? 'C:\\Users\\ada' : '/Users/ada';
  const folder =
    platform === 'win32'
      ? `${homeDirectory}\\AppData\\Roaming\\Docker\\`
      : `${homeDirectory}/Library/Group Containers/group.com.docker/`;
  const there = Object.entries(files).map(([name, text]): [string, string] => [`${folder}${name}`, text]);
  return machineWith(new Map(there), {
    platform,
    env: {},
    homeDirectory,
    uid: 501,
    probe: () => Promise.reject(new Error('not asked')),
  });
}

type Found = Pick<Passport['runtime'], 'fileSharing' | 'virtualMachine' | 'rosetta'>;
const STORE = 'settings-store.json';
const APPLE = { fileSharing: 'virtiofs', virtualMachine: 'apple' } as const;
const UNKNOWN = { fileSharing: 'unknown' } as const;
const VIRTIOFS_OFF = { UseVirtualizationFrameworkVirtioFS: false };
const NO_ROSETTA = { UseVirtualizationFrameworkRosetta: false };
const INTEL = { ...INFO, Architecture: 'x86_64' };

// Expectations of the recorded settings are in passport.test.ts.
it.each<[string, 'darwin' | 'win32', string, Record<string, unknown>, Found, typeof INFO?]>([
  ['the fallback alone', 'darwin', STORE, { UseGrpcfuse: true }, { ...APPLE, rosetta: true }],
  ['VirtioFS off', 'darwin', STORE, VIRTIOFS_OFF, { ...APPLE, fileSharing: 'grpcfuse', rosetta: true }],
  [
    'both off',
    'darwin',
    STORE,
    { ...VIRTIOFS_OFF, UseGrpcfuse: false },
    { ...APPLE, fileSharing: 'osxfs', rosetta: true },
  ],
  ['Docker VMM once, and back', 'darwin', STORE, { UseLibkrun: false, ...NO_ROSETTA }, APPLE],
  ['Docker VMM', 'darwin', STORE, { UseLibkrun: true }, { ...APPLE, virtualMachine: 'docker-vmm' }],
  ['nothing on Intel', 'darwin', STORE, {}, APPLE, INTEL],
  ['all keys but these', 'darwin', 'settings.json', { cpus: 4 }, UNKNOWN],
  [
    'lower case',
    'darwin',
    'settings.json',
    { useVirtualizationFrameworkVirtioFS: false, useGrpcfuse: true },
    { fileSharing: 'grpcfuse' },
    INTEL,
  ],
  [
    'Hyper-V',
    'win32',
    STORE,
    { WslEngineEnabled: false, UseGrpcfuse: true },
    { fileSharing: 'grpcfuse', virtualMachine: 'hyper-v' },
  ],
  ['not the Mac’s defaults', 'win32', STORE, {}, UNKNOWN],
])('Docker Desktop’s settings with %s (%s, %s)', (_, platform, file, settings, expected, info = INFO) => {
  const surroundings = machine(platform, { [file]: `\uFEFF${JSON.stringify(settings)}` });
  const read = readDesktopSettings(surroundings);
  expect({
    ...desktopFacts(surroundings, info, read),
    fileSharing: desktopSharing(surroundings, info, read),
  }).toEqual(expected);
});
