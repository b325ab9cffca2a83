import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { docker } from '../helpers/docker-server.ts';
import { leftOf, realBench, runPlan, smallPlan } from '../helpers/bench.ts';

const run = promisify(execFile);
const BASE = process.env['WHALEMARK_TEST_BASE_IMAGE'] ?? 'debian:trixie-slim';

/** A separate ext4 disk on a loop device, with a file of its user on it. */
async function disk(): Promise<{ device: string; names(): Promise<string[]>; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'whalemark-test-disk-'));
  const image = join(directory, 'disk.img');
  await run('truncate', ['--size=1200M', image]);
  await run('mkfs.ext4', ['-q', '-F', image]);
  const device = (await run('losetup', ['--find', '--show', image])).stdout.trim();
  const onDisk = async (...command: string[]): Promise<string> => {
    const volume = `whalemark-test-${process.pid}`;
    const options = ['type=ext4', `device=${device}`].flatMap((option) => ['--opt', option]);
    await docker('volume', 'create', ...options, volume);
    try {
      return await docker(
        'run',
        '--rm',
        '--network',
        'none',
        '--volume',
        `${volume}:/disk`,
        BASE,
        ...command,
      );
    } finally {
      await docker('volume', 'rm', volume);
    }
  };
  await onDisk('touch', '/disk/mine');
  return {
    device,
    names: async () => (await onDisk('ls', '/disk')).split('\n').sort(),
    remove: async () => {
      await run('losetup', ['--detach', device]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

describe('volumes with driver options on the real engine', { tags: ['full'] }, () => {
  const bench = realBench();
  it('measures on a disk of the user, and leaves there what it found', async () => {
    const own = await disk();
    try {
      const plan = await smallPlan(bench.runtime, {
        storages: {
          disk: {
            kind: 'volume-options',
            name: 'old disk',
            options: { type: 'ext4', device: own.device, o: 'noatime' },
          },
        },
        grid: { storages: ['named-volume', 'disk'], paths: ['published-port'] },
        schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
      });
      const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
      expect(state.trials.map(({ status, error }) => [status, error])).toEqual([
        ['measured', null],
        ['measured', null],
      ]);
      expect(state.servers['disk.bridge']?.facts?.datadirFileSystem).toBe('ext4');
      expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
      expect(await own.names()).toEqual(['lost+found', 'mine']);
    } finally {
      await own.remove();
    }
  });
});
