import { cpus, release, totalmem } from 'node:os';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { formatBytes } from '../../src/shared/units.ts';
import { docker } from '../integration/helpers/docker-server.ts';
import { ask, ENGINE, type EngineName, program } from './support/engine.ts';
import { missingFields } from './support/recorded.ts';

/** The rig's setup, by which its names are true. */
const SET_UP: Record<EngineName, { name: RegExp; imageStore: boolean; controlGroups: RegExp }> = {
  'docker-28': { name: /^Docker Engine 28\./, imageStore: false, controlGroups: /[12]/ },
  'docker-28-containerd': { name: /^Docker Engine 28\./, imageStore: true, controlGroups: /[12]/ },
  'podman-5': { name: /^Podman 5\./, imageStore: false, controlGroups: /[12]/ },
  vm: { name: /^Lima$/, imageStore: false, controlGroups: /2/ },
};

const versionSchema = z.looseObject({ Version: z.string(), ApiVersion: z.string() });
const infoSchema = z.looseObject({
  OperatingSystem: z.string(),
  KernelVersion: z.string(),
  Architecture: z.string(),
  NCPU: z.number(),
  MemTotal: z.number(),
  Driver: z.string(),
  DriverStatus: z.array(z.array(z.string())),
  CgroupVersion: z.string(),
});

describe('doctor', () => {
  const { whalemark } = program();

  it('says of the engine what is true, in every line', async () => {
    const version = versionSchema.parse(await ask('/version'));
    const info = infoSchema.parse(await ask('/info'));
    const { exitCode, stdout } = await whalemark(['doctor']);
    expect(exitCode).toBe(0);
    const lines = stdout.slice(stdout.indexOf('In use: ')).trim().split('\n');
    const [inUse = '', ...facts] = lines.map((line) => line.trim());
    const isVm = ENGINE === 'vm';
    const podman = inUse.startsWith('In use: Podman');
    const memory = [info.MemTotal, totalmem()].map((bytes) => formatBytes(bytes, 'en'));
    expect(inUse).toBe(
      `In use: ${isVm ? 'Lima' : `${podman ? 'Podman' : 'Docker Engine'} ${version.Version}`}`,
    );
    expect(facts).toEqual([
      `CPUs: ${isVm ? `1 of the host’s ${cpus().length}` : cpus().length}`,
      `Memory: ${isVm ? memory.join(' of the host’s ') : memory[0]}`,
      `Storage driver: ${info.Driver}`,
      // Only a run sees how a virtual machine shares folders.
      `File sharing: ${isVm ? 'unknown' : 'none needed'}`,
      `Engine: ${version.Version} (API ${version.ApiVersion})`,
      `Runs in: ${isVm ? 'a virtual machine' : 'directly on the host'}: ${info.OperatingSystem}`,
      `Host networking: ${isVm ? 'not available' : 'reaches the host'}`,
      `Kernel: ${info.KernelVersion}, ${info.Architecture}`,
      `Host: ${cpus()[0]?.model}, Linux ${release()}`,
      expect.stringMatching(/^Compose: \d+\.\d+/),
    ]);
    expect(info.NCPU).toBe(isVm ? 1 : cpus().length);
  });

  it('finds no other engine, and the one that was set up', async () => {
    const { stdout } = await whalemark(['doctor', '--json']);
    const attempt = z.looseObject({
      usable: z.boolean(),
      passport: z.looseObject({ runtime: z.any() }).nullable(),
    });
    const report = z.object({ attempts: z.array(attempt) }).parse(JSON.parse(stdout));
    const engines = report.attempts.filter(({ usable }) => usable);
    const { DriverStatus, CgroupVersion } = infoSchema.parse(await ask('/info'));
    const expected = SET_UP[ENGINE];
    expect(new Set(engines.map(({ passport }) => passport?.runtime.name))).toEqual(
      new Set([expect.stringMatching(expected.name)]),
    );
    const hasImageStore = DriverStatus.some(([, value]) => value?.startsWith('io.containerd.snapshotter'));
    expect(hasImageStore).toBe(expected.imageStore);
    expect(CgroupVersion).toMatch(expected.controlGroups);
  });

  it('is tested with recorded answers of this engine', async () => {
    const image = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8';
    const own = ['--publish', '127.0.0.1::3306', '--volume', 'recorded:/var/lib/mysql'];
    const words = ['--entrypoint', 'sh', image, '-c', 'echo it >/var/lib/mysql/it && exec sleep 600'];
    await docker('run', '--detach', '--name', 'recorded', ...own, ...words);
    try {
      expect(await missingFields(image, 'recorded')).toEqual([]);
    } finally {
      await docker('rm', '--force', 'recorded');
      await docker('volume', 'rm', 'recorded');
    }
  });
});
