import { describe, expect, it } from 'vitest';
import type { Passport } from '../../../../../src/shared/model/passport.ts';
import {
  desktopFacts,
  desktopSharing,
  readDesktopSettings,
} from '../../../../../src/benchmark/runtime/discovery/desktop-settings.ts';
import type { EngineInfo } from '../../../../../src/benchmark/runtime/discovery/probe.ts';
import type { Surroundings } from '../../../../../src/benchmark/runtime/discovery/surroundings.ts';
import { makePassport } from '../../../plan-builder.ts';
import { machineWith } from '../fixture-machine.ts';

const INFO: EngineInfo = {
  OperatingSystem: 'Docker Desktop',
  KernelVersion: '6.12.76-linuxkit',
  Architecture: 'aarch64',
  NCPU: 4,
  MemTotal: 8e9,
  Driver: 'overlayfs',
};

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
    host: makePassport().host,
    probe: () => Promise.reject(new Error('not asked')),
  });
}

type Found = Pick<Passport['runtime'], 'fileSharing' | 'virtualMachine' | 'rosetta'>;

function findings(
  settings: Record<string, unknown>,
  { platform = 'darwin', file = 'settings-store.json', info = INFO } = {} as {
    platform?: 'darwin' | 'win32';
    file?: string;
    info?: EngineInfo;
  },
): Found {
  const surroundings = machine(platform, { [file]: `\uFEFF${JSON.stringify(settings)}` });
  const read = readDesktopSettings(surroundings);
  return {
    ...desktopFacts(surroundings, info, read),
    fileSharing: desktopSharing(surroundings, info, read),
  };
}

const INTEL = { ...INFO, Architecture: 'x86_64' };

describe('settings-store.json on a Mac', () => {
  it.each<[string, Record<string, unknown>, Found]>([
    ['nothing', {}, { fileSharing: 'virtiofs', virtualMachine: 'apple', rosetta: true }],
    ['the fallback alone', { UseGrpcfuse: true }, { fileSharing: 'virtiofs', virtualMachine: 'apple' }],
    [
      'VirtioFS off, the fallback at its default',
      { UseVirtualizationFrameworkVirtioFS: false },
      { fileSharing: 'grpcfuse', virtualMachine: 'apple' },
    ],
    [
      'both off',
      { UseVirtualizationFrameworkVirtioFS: false, UseGrpcfuse: false },
      { fileSharing: 'osxfs', virtualMachine: 'apple' },
    ],
    [
      'Docker VMM',
      { UseLibkrun: true, UseVirtualizationFramework: false },
      { fileSharing: 'virtiofs', virtualMachine: 'docker-vmm' },
    ],
    [
      'Docker VMM once, and back',
      { UseLibkrun: false, UseVirtualizationFramework: true, UseVirtualizationFrameworkRosetta: false },
      { fileSharing: 'virtiofs', virtualMachine: 'apple' },
    ],
  ])('with %s', (_, settings, expected) => {
    expect(findings(settings)).toMatchObject(expected);
  });

  it('uses Rosetta only with Apple’s framework, and not if it is off', () => {
    expect(findings({ UseLibkrun: true }).rosetta).toBeUndefined();
    expect(findings({ UseVirtualizationFrameworkRosetta: false }).rosetta).toBeUndefined();
    expect(findings({}, { info: INTEL }).rosetta).toBeUndefined();
  });
});

it('assumes no default in settings.json, which has every key', () => {
  const found = findings({ cpus: 4 }, { file: 'settings.json' });
  expect(found).toMatchObject({ fileSharing: 'unknown' });
  expect(found.virtualMachine).toBeUndefined();
  expect(
    findings(
      { useVirtualizationFrameworkVirtioFS: false, useGrpcfuse: true },
      { file: 'settings.json', info: INTEL },
    ),
  ).toMatchObject({ fileSharing: 'grpcfuse' });
});

describe('Windows', () => {
  it.each<[string, Record<string, unknown>, Found]>([
    [
      'Docker VMM',
      { UseLibkrun: true, WslEngineEnabled: false },
      { fileSharing: 'unknown', virtualMachine: 'docker-vmm' },
    ],
    [
      'Hyper-V',
      { WslEngineEnabled: false, UseGrpcfuse: true },
      { fileSharing: 'grpcfuse', virtualMachine: 'hyper-v' },
    ],
  ])('with %s', (_, settings, expected) => {
    expect(findings(settings, { platform: 'win32' })).toMatchObject(expected);
  });

  it('doesn’t take the Mac’s defaults', () => {
    const found = findings({}, { platform: 'win32' });
    expect(found).toMatchObject({ fileSharing: 'unknown' });
    expect(found.virtualMachine).toBeUndefined();
  });
});
