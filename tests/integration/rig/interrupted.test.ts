import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ENGINE = 'docker-28';
const WAIT = { timeout: 120_000, interval: 50 };

/** Process ids, by the namespaces in which they are. */
async function namespaces(): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const pid of (await readdir('/proc')).map(Number).filter((one) => one > 0)) {
    for (const kind of ['pid', 'mnt', 'net']) {
      const namespace = await readlink(`/proc/${pid}/ns/${kind}`).catch(() => undefined);
      if (namespace !== undefined) found.set(namespace, [...(found.get(namespace) ?? []), pid]);
    }
  }
  return found;
}

const commandOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');

describe('a rig of another engine that is interrupted', { tags: ['full'] }, () => {
  const image = process.env['WHALEMARK_TEST_NODE_IMAGE'] ?? 'node:24-trixie-slim';
  let folder: string;
  beforeAll(async () => {
    await run(process.execPath, ['scripts/setup.mjs', '--needs', 'images,compose,engines']);
    folder = await mkdtemp(join(tmpdir(), 'whalemark-interrupted-'));
  }, 1_200_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const rig = (...command: string[]) => {
    const child = spawn(process.execPath, ['scripts/engines.mjs', ENGINE, ...command], {
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    return { child, ended };
  };

  /** Namespaces that only processes of the rig in `folder` have. */
  async function own(): Promise<string[]> {
    const all = [...(await namespaces())];
    const inside = await Promise.all(
      all.map(async ([name, pids]) => ({ name, commands: await Promise.all(pids.map(commandOf)) })),
    );
    const outside = await Promise.all(
      ['pid', 'mnt', 'net'].map((kind) => readlink(`/proc/${process.pid}/ns/${kind}`)),
    );
    return inside
      .filter(({ name, commands }) => !outside.includes(name) && commands.some((one) => one.includes(folder)))
      .map(({ name }) => name);
  }

  it.each([
    ['while its engine starts', 'SIGINT'],
    ['while its engine starts', 'SIGKILL'],
    ['while a container runs', 'SIGINT'],
    ['while a container runs', 'SIGKILL'],
  ] as const)(
    '%s by %s leaves no process, mount, or namespace, nor a folder for the next',
    async (when, signal) => {
      const { child, ended } = rig('docker', 'run', '--rm', image, 'sleep', '86399');
      const isRunning = async (): Promise<boolean> => {
        const pids = [...(await namespaces()).values()].flat();
        const commands = await Promise.all(pids.map(commandOf));
        return commands.includes('sleep 86399 ');
      };
      const moment = when === 'while a container runs' ? isRunning : async () => (await own()).length > 2;
      await expect.poll(moment, WAIT).toBe(true);
      const held = await own();
      expect(held.length).toBeGreaterThan(2);
      child.kill(signal);
      await ended;
      await expect
        .poll(async () => [...(await namespaces()).keys()].filter((one) => held.includes(one)), WAIT)
        .toEqual([]);
      expect(await readFile('/proc/self/mounts', 'utf8')).not.toContain(folder);
      expect(await isRunning()).toBe(false);

      expect(await rig('true').ended).toBe(0);
      expect(await readdir(folder)).toEqual([]);
      expect(existsSync('/sys/fs/cgroup/whalemark-rig')).toBe(false);
    },
    300_000,
  );
});
