import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diagnosticsText } from '../../../../src/benchmark/diagnostics/diagnostics.ts';
import { engineParts } from '../../../../src/benchmark/diagnostics/engine-parts.ts';
import { startLog } from '../../../../src/benchmark/log/log.ts';
import { discoverRuntimes } from '../../../../src/benchmark/runtime/discovery/discover.ts';
import { connectionKey } from '../../../../src/benchmark/runtime/engine/endpoints.ts';
import type { RawAnswers } from '../../../../src/benchmark/runtime/discovery/probe.ts';
import type { Surroundings } from '../../../../src/benchmark/runtime/discovery/surroundings.ts';
import { logRuntimes } from '../../../../src/benchmark/runtime/runtime-log.ts';
import { DEFAULT_SETTINGS } from '../../../../src/shared/model/settings.ts';
import { engineAnswers, machineWith, socketError } from '../runtime/fixture-machine.ts';
import { newFolder } from '../../../helpers/folders.ts';

it('a bug report has each engine and why others can’t be used, and no private detail of them', async () => {
  const machine = privateMachine();
  const { homeDirectory } = machine;
  const dataDir = newFolder();
  const stop = startLog('cli', { dataDir, homeDirectory, names: { user: 'canaryuser', host: 'canaryhost' } });
  const report = await discoverRuntimes({ surroundings: machine });
  logRuntimes(report);
  const text = await diagnosticsText({
    dataDir,
    appVersion: '1.2.3',
    program: ['terminal'],
    settings: { ...DEFAULT_SETTINGS, runtimeId: 'context:canary-context' },
    engine: await engineParts({ dataDir, datasetDir: join(dataDir, 'datasets') }, () =>
      Promise.resolve(report),
    ),
  });
  stop();
  expect(text.match(/.{0,40}canary.{0,40}/i)).toBeNull();
  expect(text).not.toMatch(/10\.9\.8\.7|4711/i);
  expect(text).toContain('- chosen: context: Docker Engine 27.0.0\n');
  for (const told of [
    '"kind":"docker-engine"',
    '"kind":"colima"',
    '"apiVersion":"1.46"',
    '"storageDriver":"overlay2"',
    '"says":"Docker Engine - Community, Engine, io.containerd.snapshotter.v1, cgroup 2 (systemd)"',
  ]) {
    expect(text).toContain(told);
  }
  for (const code of ['ENDPOINT_MISSING', 'ENDPOINT_FORBIDDEN', 'ENDPOINT_REFUSED', 'CONTEXT_BROKEN'])
    expect(text).toMatch(new RegExp(`^- looked at: .*: ${code}: \\S`, 'm'));
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
        ...{ platform: 'linux', release: '6.1.0', architecture: 'x64', cpuModel: 'CPU of canaryhost' },
        ...{ cpus: 4, memoryBytes: 8e9 },
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
  return engineAnswers(`4D65:canary:${name}`, {
    version: {
      Platform: { Name: 'Docker Engine - Community', ...canary },
      Components: [{ Name: 'Engine', Version: '27.0.0', Details: { GitCommit: 'canary', ...canary } }],
      ...canary,
    },
    info: {
      Name: name,
      DriverStatus: [
        ['Backing Filesystem', 'extfs'],
        ['Pool Name', 'canary/docker'],
        ['driver-type', 'io.containerd.snapshotter.v1'],
      ],
      CgroupDriver: 'systemd',
      CgroupVersion: '2',
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
  });
}
