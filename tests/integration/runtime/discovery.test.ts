import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRuntime } from '../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { thisMachine } from '../../../src/benchmark/runtime/discovery/surroundings.ts';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'whalemark-discovery-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** This machine with other environment variables and without contexts of its own. */
function surroundings(env: Record<string, string>) {
  return { ...thisMachine(), env: { DOCKER_CONFIG: directory, ...env } };
}

describe('discovery on this machine', () => {
  it('finds the engine and says what `docker info` says', async () => {
    const report = await discoverRuntimes({ surroundings: surroundings({}) });
    expect(report.chosenId).toBe('context:default');
    const runtime = report.attempts.find(({ chosen }) => chosen)?.passport?.runtime;
    const format = '{{.ServerVersion}}|{{.Driver}}|{{.NCPU}}|{{.MemTotal}}|{{.KernelVersion}}';
    const told = execFileSync('docker', ['info', '--format', format], { encoding: 'utf8' }).trim();
    expect(
      [
        runtime?.engineVersion,
        runtime?.storageDriver,
        runtime?.cpus,
        runtime?.memoryBytes,
        runtime?.kernel,
      ].join('|'),
    ).toBe(told);
    expect(runtime).toMatchObject({ kind: 'docker-engine', vm: false, fileSharing: 'native' });
    await connectRuntime(report).ping();
  });
});
