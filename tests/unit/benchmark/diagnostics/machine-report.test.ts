import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addRuntimeFixture } from '../../../../scripts/runtime-fixture/add.ts';
import {
  machineReport,
  type MachineReport,
  machineReportSchema,
  machineWith,
  recording,
  reportedMachine,
} from '../../../../src/benchmark/diagnostics/machine-report.ts';
import { Cleaner } from '../../../../src/benchmark/privacy/cleaner.ts';
import { discoverRuntimes } from '../../../../src/benchmark/runtime/discovery/discover.ts';
import { connectionKey } from '../../../../src/benchmark/runtime/engine/endpoints.ts';
import type { RawAnswers } from '../../../../src/benchmark/runtime/discovery/probe.ts';
import type { Surroundings } from '../../../../src/benchmark/runtime/discovery/surroundings.ts';
import { fixtureMachine, RUNTIME_FIXTURES, socketError } from '../runtime/fixture-machine.ts';
import { newFolder, sharedFolder } from '../../../helpers/folders.ts';

async function reportOf(machine: Surroundings): Promise<MachineReport> {
  const recorded = recording(machine);
  const report = await discoverRuntimes({ surroundings: recorded.surroundings });
  const names = { user: 'canaryuser', host: 'canaryhost' };
  const { homeDirectory } = machine;
  const cleaner = new Cleaner({ dataDir: `${homeDirectory}/data`, homeDirectory, names });
  return machineReport(recorded, report, '1.2.3', cleaner);
}

const fixtures = readdirSync(RUNTIME_FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('the report of a machine', () => {
  it.each(fixtures)('becomes a fixture that is classified as %s was', async (runtime) => {
    const machine = fixtureMachine(runtime);
    const before = await discoverRuntimes({ surroundings: machine });
    const folder = newFolder();
    writeFileSync(join(folder, 'sent.json'), JSON.stringify(await reportOf(machine)));
    const fixture = await addRuntimeFixture(join(folder, 'sent.json'), 'new', folder);
    const report = machineReportSchema.parse(JSON.parse(readFileSync(join(fixture, 'report.json'), 'utf8')));
    const after = await discoverRuntimes({ surroundings: reportedMachine(report) });
    const told = ({ attempts }: typeof before): unknown[] =>
      attempts.map(({ source, usable, chosen, passport, error }) =>
        [source, usable, chosen, passport, error?.code].map((one) => JSON.stringify(one)).join(),
      );
    expect(told(after).sort()).toEqual(told(before).sort());
    expect(report.found.map(({ id }) => id)).toEqual(after.attempts.map(({ id }) => id));
  });

  it('has no private detail of answers, files, variables, and places', async () => {
    const report = await reportOf(privateMachine());
    const text = JSON.stringify(report);
    expect(text.match(/.{0,40}canary.{0,40}/i)).toBeNull();
    expect(text).not.toMatch(/10\.9\.8\.7|4711|4D65:canary/i);
    expect(report.isReproducible).toBe(true);
    expect(report.found.filter(({ usable }) => usable).map(({ runtime }) => runtime?.name)).toEqual([
      'Docker Engine 27.0.0',
      'Colima',
    ]);
    expect(report.found.map(({ error }) => error)).toEqual(
      expect.arrayContaining(['ENDPOINT_FORBIDDEN', 'ENDPOINT_REFUSED', 'CONTEXT_BROKEN']),
    );
  });
});

/** Private details wherever a machine may have them, all with the word "canary". */
function privateMachine(): Surroundings {
  const home = '/home/canaryuser';
  const meta = (name: string): string =>
    `${home}/canary-config/contexts/meta/${createHash('sha256').update(name).digest('hex')}/meta.json`;
  const context = (name: string, host: string): [string, string] => [
    meta(name),
    JSON.stringify({
      Name: name,
      Metadata: { Description: 'canary', 'canary-key': 1 },
      'canary-switch': false,
      Endpoints: { docker: { Host: host, SkipTLSVerify: false }, canary: {} },
    }),
  ];
  const files = new Map([
    [
      `${home}/canary-config/config.json`,
      JSON.stringify({
        currentContext: 'canary-context',
        auths: { 'registry.canary.example': { auth: 'canary-token' } },
        credHelpers: { 'canary.example': 'canary' },
        HttpHeaders: { Canary: 'canary' },
        proxies: { default: { httpProxy: 'http://canary:secret@proxy.canary.example:3128' } },
        experimental: 'canary',
        'canary-switch': true,
      }),
    ],
    context('canary-context', 'unix:///srv/canary/docker.sock'),
    context('canary-remote', 'ssh://canary@build.canary.example:4022/run/canary.sock'),
    context('canary-tls', 'tcp://10.9.8.7:2376'),
    [meta('canary-broken'), '{ "Name": "canary'],
    [meta('canary-tls').replace('/meta/', '/tls/').replace('meta.json', 'docker/key.pem'), 'canary key'],
    [`${home}/.colima/canary/colima.yaml`, 'env:\n  TOKEN: canary\nmountType: 9p # canary\ncanary: 1\n'],
  ]);
  const answers: Record<string, RawAnswers | string> = {
    '/srv/canary/docker.sock': answersOf('canaryhost'),
    [`${home}/.colima/canary/docker.sock`]: answersOf('colima-canary'),
    '/run/user/4711/podman/podman.sock': 'EACCES',
    'ssh://canary@build.canary.example:4022/run/canary.sock': 'ECONNREFUSED',
  };
  return machineWith(
    files,
    {
      platform: 'linux',
      env: { DOCKER_CONFIG: `${home}/canary-config`, CANARY: 'canary', XDG_RUNTIME_DIR: '/run/user/4711' },
      homeDirectory: home,
      uid: 4711,
      host: {
        platform: 'linux',
        release: '6.1.0',
        architecture: 'x64',
        cpuModel: 'CPU of canaryhost',
        cpus: 4,
        memoryBytes: 8e9,
      },
      probe: (connection) => {
        const answer = answers[connectionKey(connection)] ?? 'ENOENT';
        return typeof answer === 'string' ? Promise.reject(socketError(answer)) : Promise.resolve(answer);
      },
    },
    Object.keys(answers),
  );
}

function answersOf(name: string): RawAnswers {
  const canary = { canary: 'canary', list: ['canary'] };
  return {
    ping: 'canary',
    version: {
      Version: '27.0.0',
      Platform: { Name: 'Docker Engine - Community', ...canary },
      Components: [{ Name: 'Engine', Version: '27.0.0', Details: { GitCommit: 'canary', ...canary } }],
      ApiVersion: '1.46',
      ...canary,
    },
    info: {
      ID: `4D65:canary:${name}`,
      Name: name,
      OperatingSystem: 'Debian GNU/Linux 12',
      KernelVersion: '6.1.0',
      Architecture: 'x86_64',
      NCPU: 4,
      MemTotal: 8e9,
      Driver: 'overlay2',
      DriverStatus: [
        ['Backing Filesystem', 'extfs'],
        ['Pool Name', 'canary/docker'],
      ],
      DockerRootDir: '/srv/canary/docker',
      HttpProxy: 'http://canary:secret@proxy.canary.example:3128',
      NoProxy: '10.9.8.7,canary.example',
      RegistryConfig: { Mirrors: ['https://mirror.canary.example/'], IndexConfigs: { canary: {} } },
      Labels: ['owner=canary'],
      Plugins: { Volume: ['canary/driver'] },
      Runtimes: { canary: { path: '/opt/canary' } },
      SecurityOptions: ['name=seccomp,profile=/etc/canary.json', 'name=cgroupns'],
      Swarm: { NodeID: 'canary', NodeAddr: '10.9.8.7', LocalNodeState: 'active', RemoteManagers: [canary] },
      Warnings: ['canary'],
      ...canary,
    },
  };
}

describe('a file that becomes no fixture', () => {
  const folder = sharedFolder();
  const file = join(folder, 'report.json');

  it.each([
    ['no JSON', '{', /is no report/],
    ['another file', '{"format":"whalemark-result"}', /is no report/],
    ['too much', JSON.stringify(' '.repeat(1024 * 1024)), /more than/],
  ])('%s', async (_, text, problem) => {
    writeFileSync(file, text);
    await expect(addRuntimeFixture(file, 'new', folder)).rejects.toThrow(problem);
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  it('a missing file, a name with a path, a folder that is missing, and one that exists', async () => {
    await expect(addRuntimeFixture(join(folder, 'gone'), 'new', folder)).rejects.toThrow(/ENOENT/);
    writeFileSync(file, JSON.stringify(await reportOf(fixtureMachine('orbstack'))));
    await expect(addRuntimeFixture(file, '../new', folder)).rejects.toThrow(/is no name/);
    await expect(addRuntimeFixture(file, 'new', join(folder, 'gone'))).rejects.toThrow(/ENOENT/);
    await addRuntimeFixture(file, 'new', folder);
    await expect(addRuntimeFixture(file, 'new', folder)).rejects.toThrow(/EEXIST/);
  });

  it('one that is classified by what was removed', async () => {
    const report = { ...(await reportOf(fixtureMachine('orbstack'))), isReproducible: false };
    writeFileSync(file, JSON.stringify(report));
    await expect(addRuntimeFixture(file, 'other', folder)).rejects.toThrow(/by hand/);
  });
});
