// Debian sid as the root of an engine's processes.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { enginesDir, sidDir } from '../setup/sid.mjs';
import { run, tail } from '../setup/command.mjs';

const READY_MS = 120_000;
const STOP_MS = 30_000;

/**
 * Mounts a writable copy of the tree, and keeps the paths of the engines' and the rig's folders.
 *
 * @param {string} folder
 * @param {string} work
 */
export async function mountRoot(folder, work) {
  const root = join(work, 'root');
  const [upper, inner] = [join(work, 'upper'), join(work, 'inner')];
  for (const one of [root, upper, inner]) mkdirSync(one);
  const layers = `lowerdir=${sidDir()},upperdir=${upper},workdir=${inner}`;
  await run('mount', ['-t', 'overlay', 'rig', '-o', layers, root]);
  await run('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  await run('mount', ['-t', 'tmpfs', 'tmpfs', join(root, 'run')]);
  for (const one of ['/sys', '/dev']) await run('mount', ['--rbind', one, join(root, one)]);
  for (const one of [enginesDir(), folder]) {
    mkdirSync(join(root, one), { recursive: true });
    await run('mount', ['--bind', one, join(root, one)]);
  }
  mkdirSync(join(root, 'old'));
}

/** runc needs a root that is a mount point, unlike that of a `chroot`. */
const PIVOT = 'cd "$1" && pivot_root . old && umount -l /old && shift && exec "$@"';

/**
 * @param {{ work: string }} scratch
 * @param {string[]} command
 * @param {{ log: string, env?: Record<string, string> }} options
 */
export function startInRoot({ work }, command, { log, env = {} }) {
  const output = openSync(log, 'a');
  const args = ['--mount', '--propagation', 'private', 'bash', '-c', PIVOT, 'bash', join(work, 'root')];
  const child = spawn('unshare', [...args, ...command], {
    cwd: '/',
    stdio: ['ignore', output, output],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', ...env },
    // Signals to the rig are for its command; the engine ends after that.
    detached: true,
  });
  closeSync(output);
  const ended = once(child, 'exit');
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** @param {NodeJS.Signals} name */
    signal: (name) => child.kill(name),
    async kill() {
      process.kill(-Number(child.pid), 'SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/**
 * Rejects with the end of the log when the engine ends or takes too long.
 *
 * @param {string} socketPath
 * @param {{ hasEnded(): boolean }} program
 * @param {string} log
 */
export async function untilAnswers(socketPath, program, log) {
  const deadline = performance.now() + READY_MS;
  while (!(await answers(socketPath))) {
    if (program.hasEnded() || performance.now() > deadline) {
      throw new Error(`The engine doesn't answer. Its log ends:\n${tail(readFileSync(log, 'utf8'), 20)}`);
    }
    await delay(200);
  }
}

/** @param {string} socketPath @returns {Promise<boolean>} */
function answers(socketPath) {
  return new Promise((resolve) => {
    const call = request({ socketPath, path: '/_ping', timeout: 5000 }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200));
    });
    call.once('timeout', () => call.destroy());
    call.once('error', () => resolve(false));
    call.end();
  });
}
