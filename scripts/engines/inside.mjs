// Inside the namespaces of a rig (rig.mjs): inside.mjs ENGINE[+ENGINE] SCRATCH COMMAND…
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { run } from '../setup/command.mjs';
import { startNative } from './native.mjs';
import { mountRoot } from './root.mjs';
import { startVm } from './vm.mjs';

/**
 * @typedef {object} Scratch
 * @property {string} run the command's /run, with sockets
 * @property {string} share the command's temporary folder, with the same path in the engine
 * @property {string} work
 *
 * @typedef {Record<string, (argument: string) => Promise<unknown>>} Troubles that the command can cause
 * @typedef {{ socket: string, stop(): Promise<void>, troubles?: Troubles }} Engine `socket`: its path for the command
 */

const ENGINES = {
  'docker-28': startNative('docker-28'),
  'docker-28-containerd': startNative('docker-28-containerd'),
  'podman-5': startNative('podman-5'),
  vm: startVm,
};

/** @typedef {keyof typeof ENGINES} EngineName */

/** Time for an interrupted command to end: `docker run` waits for a container that ignores signals. */
const END_MS = 10_000;
const TROUBLES_SOCKET = '/run/troubles.sock';

export const ENGINE_NAMES = /** @type {EngineName[]} */ (Object.keys(ENGINES));

if (process.argv[1] === import.meta.filename) {
  const [names = '', folder = '', ...command] = process.argv.slice(2);
  process.exitCode = await inside(/** @type {EngineName[]} */ (names.split('+')), folder, command);
  // Processes that have outlived their parent end with process 1.
  process.exit();
}

/**
 * @param {EngineName[]} names
 * @param {string} folder
 * @param {string[]} command
 */
async function inside(names, folder, command) {
  const scratch = { run: join(folder, 'run'), share: join(folder, 'share'), work: join(folder, 'work') };
  for (const one of Object.values(scratch)) mkdirSync(one);
  await run('ip', ['link', 'set', 'lo', 'up']);
  await mountRoot(folder, scratch.work);
  await run('mount', ['--bind', scratch.run, '/run']);
  /** @type {Engine[]} */
  const engines = [];
  try {
    for (const name of names) engines.push(await ENGINES[name](scratch));
    for (const { socket } of engines) await forgetContainers(socket);
    const troubles = engines.find((one) => one.troubles !== undefined)?.troubles;
    if (troubles !== undefined) offer(troubles);
    return await runCommand(command, {
      DOCKER_HOST: `unix://${engines.at(-1)?.socket ?? ''}`,
      TMPDIR: scratch.share,
      WHALEMARK_DATASETS: join(scratch.share, 'datasets'),
      WHALEMARK_TEST_ENGINE: names.join('+'),
      WHALEMARK_TEST_TROUBLES: TROUBLES_SOCKET,
    });
  } finally {
    for (const engine of engines.reverse()) await engine.stop();
  }
}

/**
 * Serves requests such as `curl --unix-socket /run/troubles.sock --data "date" http://rig/inside`.
 * @param {Troubles} troubles
 */
function offer(troubles) {
  createServer(async (request, response) => {
    try {
      const trouble = troubles[String(request.url).slice(1)];
      if (trouble === undefined) throw new Error(`one of ${Object.keys(troubles).join(', ')}`);
      response.end(String((await trouble(await text(request))) ?? ''));
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error));
    }
  }).listen(TROUBLES_SOCKET);
}

/** @param {string} socket */
async function forgetContainers(socket) {
  const docker = async (/** @type {string[]} */ ...args) =>
    (await run('docker', ['--host', `unix://${socket}`, ...args])).split('\n').filter(Boolean);
  const containers = await docker('ps', '--all', '--quiet');
  if (containers.length > 0) await docker('rm', '--force', '--volumes', ...containers);
  const volumes = await docker('volume', 'ls', '--quiet');
  if (volumes.length > 0) await docker('volume', 'rm', ...volumes);
  await docker('network', 'prune', '--force');
}

/**
 * @param {string[]} command
 * @param {Record<string, string>} env
 * @returns {Promise<number>}
 */
function runCommand([program = '', ...args], env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DOCKER_CONTEXT: undefined, ...env },
    });
    /** @type {NodeJS.Timeout | undefined} */
    let patience;
    const end = () => (patience ??= setTimeout(() => child.kill('SIGKILL'), END_MS));
    // The command shares the group and its signals, except when the process outside was killed.
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, end);
    process.stdin.resume().once('end', () => {
      child.kill('SIGTERM');
      end();
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(patience);
      resolve(code ?? 130);
    });
  });
}
