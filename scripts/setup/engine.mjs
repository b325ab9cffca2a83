import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheDir } from './cache-dir.mjs';
import { tail, tryRun, which } from './command.mjs';
import { askConsent } from './consent.mjs';
import { hasInitSystem, isRoot, processName } from './machine.mjs';
import { step } from './report.mjs';
import { runAsRoot } from './system-packages.mjs';

const SOCKET = '/var/run/docker.sock';

/** @returns {import('./system-packages.mjs').Wanted[]} */
export function enginePackages() {
  if (process.platform !== 'linux') return [];
  const daemon = which('dockerd') ? [] : ['docker.io', 'iptables', 'iproute2'];
  if (which('docker')) return daemon;
  // Debian 13 moved the command out of docker.io into its own package.
  return [...daemon, which('dockerd') ? 'docker-cli' : ['docker-cli', 'docker.io']];
}

/**
 * `denied`: this user may not talk to the engine, which no installation would change.
 *
 * @returns {Promise<'up' | 'denied' | 'down'>}
 */
export async function engineState() {
  const host = process.env['DOCKER_HOST'] || `unix://${SOCKET}`;
  const direct = host.startsWith('unix://') ? await ping(host.slice('unix://'.length)) : 'down';
  if (direct !== 'down' || !which('docker')) return direct;
  // The docker command can reach other addresses and docker contexts (Docker Desktop, Colima, …).
  const { code, stdout } = await tryRun('docker', ['version', '--format', '{{.Server.Version}}'], {
    timeoutMs: 5000,
  });
  return code === 0 && stdout.trim() ? 'up' : 'down';
}

/**
 * @param {string} socketPath
 * @returns {Promise<'up' | 'denied' | 'down'>}
 */
function ping(socketPath) {
  return new Promise((resolve) => {
    const call = request({ socketPath, path: '/_ping', timeout: 3000 }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? 'up' : 'down'));
    });
    call.once('timeout', () => call.destroy(new Error('no answer')));
    call.once('error', (error) => resolve('code' in error && error.code === 'EACCES' ? 'denied' : 'down'));
    call.end();
  });
}

/** Returns when the engine answers. */
export async function startEngine() {
  const host = process.env['DOCKER_HOST'];
  if (host && host !== `unix://${SOCKET}`) {
    throw new Error(
      `DOCKER_HOST is ${host} and no Docker engine answers there. Start it, or unset DOCKER_HOST.`,
    );
  }
  if ((await engineState()) === 'denied') {
    throw new Error(
      `A Docker engine is running, but this user may not use ${SOCKET}.\n` +
        'Run: sudo usermod -aG docker "$USER", then log out and in again.',
    );
  }
  if (process.platform !== 'linux') {
    throw new Error(
      'No Docker engine answers. Install and start Docker Desktop, OrbStack, Colima, Rancher Desktop or Podman.',
    );
  }
  if (hasInitSystem()) return startService();
  if (!isRoot()) throw new Error('No Docker engine answers, and only root can start dockerd here.');
  await askConsent('No Docker engine is running.', 'dockerd &');
  await step('no Docker engine answers; starting dockerd', startDaemon);
}

async function startService() {
  // Installing the package has usually started the service already.
  if (await answersWithin(5000)) return;
  await askConsent('The Docker engine is installed but not running.', 'sudo systemctl start docker');
  await step('starting the docker service', async () => {
    await runAsRoot('systemctl', ['start', 'docker']);
    if (!(await answersWithin(30_000)))
      throw new Error(`The docker service started, but ${SOCKET} does not answer.`);
  });
}

/** Starts dockerd as a daemon that outlives the script. */
async function startDaemon() {
  const pidFile = join(cacheDir(), 'dockerd.pid');
  const logFile = join(cacheDir(), 'dockerd.log');
  const alive = () => processName(readPid(pidFile) ?? -1) === 'dockerd';
  // A starting daemon is waited for; one that is shutting down makes room for the next.
  if (alive() && (await answersWithin(60_000, alive))) return;
  if (!alive()) {
    launch(pidFile, logFile);
    if (await answersWithin(60_000, alive)) return;
  }
  const reason = alive() ? 'does not answer on' : 'stopped before it answered on';
  throw new Error(`dockerd ${reason} ${SOCKET}. Its log (${logFile}) ends:\n${complaints(logFile)}`);
}

/**
 * @param {string} pidFile
 * @param {string} logFile
 */
function launch(pidFile, logFile) {
  const daemon = which('dockerd');
  if (!daemon) throw new Error('dockerd is not installed.');
  forgetDeadDaemons(pidFile);
  const log = openSync(logFile, 'w');
  // dockerd's own pid file makes it fail if a killed predecessor's number belongs to another process by now.
  // Whalemark can delete this one.
  const child = spawn(daemon, ['--pidfile', `${pidFile}.own`], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.once('error', () => undefined);
  child.unref();
  if (child.pid) writeFileSync(pidFile, String(child.pid));
}

/**
 * The end of dockerd's log without everyday lines, which would bury the reason.
 *
 * @param {string} logFile
 */
function complaints(logFile) {
  const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
  return tail(log.replace(/^.*level=info.*\n/gm, ''), 15);
}

/** @param {string} file */
function readPid(file) {
  try {
    return Number(readFileSync(file, 'utf8').trim()) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * A killed dockerd leaves its pid file and that of its containerd. If another process has the number by now,
 * the next dockerd waits for it in vain.
 *
 * @param {string} pidFile
 */
function forgetDeadDaemons(pidFile) {
  rmSync(pidFile, { force: true });
  for (const [file, name] of /** @type {const} */ ([
    [`${pidFile}.own`, 'dockerd'],
    ['/var/run/docker.pid', 'dockerd'],
    ['/var/run/docker/containerd/containerd.pid', 'containerd'],
  ])) {
    const pid = readPid(file);
    if (pid !== undefined && processName(pid) !== name) rmSync(file, { force: true });
  }
}

/**
 * @param {number} timeoutMs
 * @param {() => boolean} [worthWaiting] asked between attempts
 */
async function answersWithin(timeoutMs, worthWaiting = () => true) {
  const deadline = performance.now() + timeoutMs;
  // The child needs a moment until the process table has its name.
  const patience = performance.now() + 1000;
  while (performance.now() < deadline) {
    if ((await ping(SOCKET)) === 'up') return true;
    if (performance.now() > patience && !worthWaiting()) return false;
    await delay(100);
  }
  return false;
}
