import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { discoverRuntimes } from '../../../../../src/benchmark/runtime/discovery/discover.ts';
import {
  type EngineInfo,
  infoSchema,
  versionSchema,
} from '../../../../../src/benchmark/runtime/discovery/probe.ts';
import type { Surroundings } from '../../../../../src/benchmark/runtime/discovery/surroundings.ts';
import { makePassport } from '../../../../../src/benchmark/runtime/discovery/passport.ts';
import { passportInUse, type Passport } from '../../../../../src/shared/model/passport.ts';
import { fixtureMachine, machineWith } from '../fixture-machine.ts';

const FOLDER = fileURLToPath(new URL('../../../../fixtures/runtimes/', import.meta.url));

type Expected = Partial<Passport['runtime']>;

/** Nothing shows how the folders of another machine are shared. */
const ELSEWHERE: Expected = { vm: true, fileSharing: 'unknown' };
const DESKTOP: Expected = { kind: 'docker-desktop', vm: true };
const NATIVE: Expected = { kind: 'docker-engine', vm: false };
const PODMAN: Expected = { kind: 'podman', vm: false, fileSharing: 'native' };

const RUNTIMES: Record<string, Expected> = {
  'docker-desktop-mac': {
    ...DESKTOP,
    ...{ name: 'Docker Desktop 4.33.0', engineVersion: '27.1.1', apiVersion: '1.46', cpus: 6 },
    ...{ memoryBytes: 8218034176, storageDriver: 'overlay2', fileSharing: 'virtiofs', hostNetworking: false },
  },
  'docker-desktop-mac-grpcfuse': {
    ...DESKTOP,
    ...{ name: 'Docker Desktop 4.43.2', storageDriver: 'overlayfs' },
    ...{ fileSharing: 'grpcfuse', hostNetworking: true },
  },
  'docker-desktop-mac-fresh': {
    ...{ name: 'Docker Desktop 4.67.0', fileSharing: 'virtiofs', hostNetworking: false },
    ...{ virtualMachine: 'apple', rosetta: true },
  },
  'docker-desktop-mac-docker-vmm': {
    ...{ name: 'Docker Desktop 4.51.0', fileSharing: 'virtiofs', virtualMachine: 'docker-vmm' },
  },
  'docker-desktop-windows-docker-vmm': {
    ...{ name: 'Docker Desktop 4.90.0', fileSharing: 'unknown', virtualMachine: 'docker-vmm' },
  },
  'docker-desktop-windows-wsl2': {
    ...{ ...DESKTOP, ...ELSEWHERE, name: 'Docker Desktop 4.79.0' },
    ...{ hostNetworking: false, virtualMachine: 'wsl2' },
  },
  'docker-desktop-linux': {
    ...{ ...DESKTOP, name: 'Docker Desktop 4.41.2', fileSharing: 'virtiofs', hostNetworking: false },
  },
  orbstack: {
    ...ELSEWHERE,
    ...{ kind: 'orbstack', name: 'OrbStack', engineVersion: '28.5.2', hostNetworking: true },
  },
  colima: { ...ELSEWHERE, kind: 'colima', name: 'Colima' },
  'colima-profile': { ...ELSEWHERE, kind: 'colima', name: 'Colima' },
  'rancher-desktop': { ...ELSEWHERE, kind: 'rancher-desktop', name: 'Rancher Desktop' },
  'rancher-desktop-windows': { ...ELSEWHERE, kind: 'rancher-desktop' },
  lima: { ...ELSEWHERE, kind: 'lima', name: 'Lima', rootless: true },
  'podman-machine-mac': {
    ...ELSEWHERE,
    ...{ kind: 'podman', name: 'Podman 5.4.0', apiVersion: '1.41' },
    ...{ rootless: true, selinux: true, hostNetworking: false },
  },
  'podman-linux-rootless': { ...PODMAN, name: 'Podman 4.6.1', rootless: true, hostNetworking: false },
  'podman-linux-rootful': { ...PODMAN, rootless: false, selinux: true, hostNetworking: true },
  'docker-rootless': {
    ...{ kind: 'docker-rootless', name: 'Docker Engine 27.4.1 (rootless)', vm: false, rootless: true },
    ...{ fileSharing: 'native', hostNetworking: false },
  },
  'docker-engine-20-10': {
    ...NATIVE,
    ...{ name: 'Docker Engine 20.10.24+dfsg1', engineVersion: '20.10.24+dfsg1', apiVersion: '1.41' },
    ...{ rootless: false, remote: false, selinux: false, storageDriver: 'overlay2' },
    ...{ operatingSystem: 'Debian GNU/Linux 12 (bookworm)', kernel: '6.18.44-fc-v782' },
    ...{ architecture: 'x86_64', cpus: 2, memoryBytes: 25276063744 },
    ...{ fileSharing: 'native', hostNetworking: true },
  },
  'docker-engine-28': { ...NATIVE, apiVersion: '1.51', storageDriver: 'overlay2' },
  'docker-engine-28-containerd': { ...NATIVE, storageDriver: 'overlayfs' },
  'podman-5-rootful': { kind: 'podman', vm: false, rootless: false, selinux: false, hostNetworking: true },
  'vm-docker-28': { kind: 'lima', name: 'Lima', vm: true, cpus: 1, hostNetworking: false },
  'docker-snap': { ...NATIVE, noNewPrivileges: false },
  'docker-engine-debian': {
    ...{ ...NATIVE, name: 'Docker Engine 20.10.24+dfsg1', apiVersion: '1.41' },
    ...{ fileSharing: 'native', hostNetworking: true },
  },
};

const WSL = '6.6.87.2-microsoft-standard-WSL2';

/** The passport of a fixture's engine on another machine. */
function passportOn(
  runtime: string,
  platform: Passport['host']['platform'],
  { files = {}, kernel, release }: { files?: Record<string, string>; kernel?: string; release: string },
): Passport['runtime'] {
  const { host, ...rest } = fixtureMachine(runtime);
  const surroundings = machineWith(new Map(Object.entries(files)), {
    ...rest,
    platform,
    env: {},
    host: { ...host, platform, release },
  });
  return madeOn(surroundings, runtime, kernel === undefined ? {} : { KernelVersion: kernel });
}

const readJson = (runtime: string, name: string): unknown =>
  JSON.parse(readFileSync(`${FOLDER}${runtime}/${name}.json`, 'utf8')) as unknown;

function madeOn(machine: Surroundings, runtime: string, changed: Partial<EngineInfo>): Passport['runtime'] {
  const info = { ...infoSchema.parse(readJson(runtime, 'info')), ...changed };
  const connection = { kind: 'socket', path: '/var/run/docker.sock' } as const;
  return makePassport(machine, connection, versionSchema.parse(readJson(runtime, 'version')), info).runtime;
}

const STORE = '/mnt/c/Users/ada/AppData/Roaming/Docker/settings-store.json';

describe('WSL', () => {
  it('is the virtual machine of an engine in this distribution, also on a kernel of the user’s own', () => {
    const runtime = passportOn('docker-engine-debian', 'linux', { kernel: WSL, release: WSL });
    expect(runtime).toMatchObject({ vm: false, virtualMachine: 'wsl2', fileSharing: 'native' });
    const own = passportOn('docker-desktop-windows-wsl2', 'win32', {
      files: {
        'C:\\Users\\ada\\AppData\\Roaming\\Docker\\settings-store.json': '{ "WslEngineEnabled": true }',
      },
      kernel: '6.6.1-mine',
      release: '10.0.26100',
    });
    expect(own.virtualMachine).toBe('wsl2');
  });

  it('shows Docker Desktop’s settings on Windows to a program in a distribution, unless several users have some', () => {
    const settings = '{ "HostNetworkingEnabled": true }';
    const from = (files: Record<string, string>) =>
      passportOn('docker-desktop-windows-wsl2', 'linux', { files, release: WSL });
    expect(from({ [STORE]: settings }).hostNetworking).toBe(true);
    expect(from({}).hostNetworking).toBe(false);
    expect(from({ [STORE]: settings, [STORE.replace('ada', 'bob')]: settings }).hostNetworking).toBe(false);
  });
});

describe('passport', () => {
  it('has no host networking with Enhanced Container Isolation', () => {
    const settings = { HostNetworkingEnabled: true, EnhancedContainerIsolation: true };
    const files = { [STORE]: JSON.stringify(settings) };
    const runtime = passportOn('docker-desktop-windows-wsl2', 'linux', { files, release: WSL });
    expect(runtime.hostNetworking).toBe(false);
  });

  it('knows an engine that remaps users by what its /info says (20.10.24 with --userns-remap)', () => {
    const SecurityOptions = ['name=seccomp', 'name=userns'];
    const machine = fixtureMachine('docker-engine-debian');
    const runtime = madeOn(machine, 'docker-engine-debian', { SecurityOptions });
    expect(runtime).toMatchObject({ userns: true, hostNetworking: false });
  });

  it.each(Object.entries(RUNTIMES))('of %s', async (runtime, expected) => {
    const machine = fixtureMachine(runtime);
    const passport = passportInUse(await discoverRuntimes({ surroundings: machine }));
    expect(passport?.runtime).toMatchObject(expected);
    expect(passport?.host).toEqual(machine.host);
    // A passport names no machine, user, or path. A machine named after its runtime reveals nothing.
    const { Name } = infoSchema.parse(readJson(runtime, 'info'));
    const text = JSON.stringify(passport);
    if (/^(ada|ADA|stripped)/.test(Name ?? '')) expect(text).not.toContain(Name);
    expect(text).not.toMatch(/\bada\b|\/Users|\/home|\/run\/|[A-Z]:\\\\|\.sock/);
  });

  it('has an expectation for every fixture', () => {
    const folders = readdirSync(FOLDER, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const withoutPassport = 'docker-desktop-windows-containers';
    expect(folders.sort()).toEqual([...Object.keys(RUNTIMES), withoutPassport].sort());
  });
});
