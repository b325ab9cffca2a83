import { describe, expect, it } from 'vitest';
import { msg } from '../../../../../src/shared/message.ts';
import type { FileSharing, Passport } from '../../../../../src/shared/model/passport.ts';
import { ENGLISH } from '../../../../../src/shared/words/i18n.ts';
import { passportDetails, passportFacts } from '../../../../../src/shared/words/facts.ts';
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

interface Found {
  fileSharing: FileSharing;
  manager?: NonNullable<Passport['runtime']['virtualMachine']>['manager'];
  rosetta?: boolean | undefined;
}

function findings(
  settings: Record<string, unknown>,
  { platform = 'darwin', file = 'settings-store.json', info = INFO, name = 'Docker Desktop 4.40.0' } = {} as {
    platform?: 'darwin' | 'win32';
    file?: string;
    info?: EngineInfo;
    name?: string;
  },
): Found & ReturnType<typeof desktopFacts> {
  const surroundings = machine(platform, { [file]: `\uFEFF${JSON.stringify(settings)}` });
  const read = readDesktopSettings(surroundings);
  const facts = desktopFacts(surroundings, info, name, read);
  return {
    ...facts,
    fileSharing: desktopSharing(surroundings, info, read).fileSharing,
    ...(facts.virtualMachine === undefined ? {} : { manager: facts.virtualMachine.manager }),
  };
}

const INTEL = { ...INFO, Architecture: 'x86_64' };

describe('settings-store.json on a Mac', () => {
  it.each<[string, Record<string, unknown>, Found]>([
    ['nothing', {}, { fileSharing: 'virtiofs', manager: 'apple', rosetta: true }],
    ['the fallback alone', { UseGrpcfuse: true }, { fileSharing: 'virtiofs', manager: 'apple' }],
    [
      'VirtioFS off, the fallback at its default',
      { UseVirtualizationFrameworkVirtioFS: false },
      { fileSharing: 'grpcfuse', manager: 'apple' },
    ],
    [
      'both off',
      { UseVirtualizationFrameworkVirtioFS: false, UseGrpcfuse: false },
      { fileSharing: 'osxfs', manager: 'apple' },
    ],
    [
      'Docker VMM',
      { UseLibkrun: true, UseVirtualizationFramework: false },
      { fileSharing: 'virtiofs', manager: 'docker-vmm-libkrun' },
    ],
    [
      'Docker VMM once, and back',
      { UseLibkrun: false, UseVirtualizationFramework: true, UseVirtualizationFrameworkRosetta: false },
      { fileSharing: 'virtiofs', manager: 'apple' },
    ],
    [
      'QEMU, whose file sharing has no documented default',
      { UseVirtualizationFramework: false },
      { fileSharing: 'unknown', manager: 'qemu' },
    ],
  ])('with %s', (_, settings, expected) => {
    expect(findings(settings)).toMatchObject(expected);
  });

  it.each([
    ['4.85.0', { UseLibkrun: true }, 'docker-vmm-libkrun'],
    ['4.86.0', { UseLibkrun: true }, 'docker-vmm'],
    ['4.43.2', { UseVirtualizationFramework: false }, 'qemu'],
    ['4.90.0', { UseVirtualizationFramework: false }, undefined],
  ])('names the virtual machine that Docker Desktop %s has with %o', (version, settings, manager) => {
    expect(findings(settings, { name: `Docker Desktop ${version}` }).manager).toBe(manager);
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
  expect(found.manager).toBeUndefined();
  expect(
    findings(
      { useVirtualizationFramework: false, useVirtualizationFrameworkVirtioFS: false, useGrpcfuse: true },
      { file: 'settings.json', info: INTEL },
    ),
  ).toMatchObject({ fileSharing: 'grpcfuse', manager: 'hyperkit' });
});

describe('Windows', () => {
  it.each<[string, Record<string, unknown>, Found]>([
    [
      'Docker VMM',
      { UseLibkrun: true, WslEngineEnabled: false },
      { fileSharing: 'unknown', manager: 'docker-vmm' },
    ],
    [
      'Hyper-V',
      { WslEngineEnabled: false, UseGrpcfuse: true },
      { fileSharing: 'grpcfuse', manager: 'hyper-v' },
    ],
  ])('with %s', (_, settings, expected) => {
    expect(findings(settings, { platform: 'win32' })).toMatchObject(expected);
  });

  it('doesn’t take the Mac’s defaults', () => {
    const found = findings({}, { platform: 'win32' });
    expect(found).toMatchObject({ fileSharing: 'unknown' });
    expect(found.manager).toBeUndefined();
  });
});

it('says in words that a default is Docker Desktop’s', () => {
  const evidence = msg('sharing.desktopDefault');
  const passport = makePassport({
    fileSharing: 'virtiofs',
    fileSharingEvidence: evidence,
    virtualMachine: { manager: 'apple', evidence },
  });
  const values = [...passportFacts(passport, ENGLISH), ...passportDetails(passport, ENGLISH)].map(
    ([, value]) => value,
  );
  expect(values).toContain(`VirtioFS (${evidence.text})`);
  expect(values).toContain(`Apple Virtualization framework (${evidence.text})`);
});
