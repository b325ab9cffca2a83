// Runs a command with a real engine of another kind, in separate namespaces.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { enginesDir, removeTree } from '../setup/sid.mjs';
import { processName } from '../setup/machine.mjs';
import { CGROUP } from './native.mjs';

/** @typedef {import('./inside.mjs').EngineName} EngineName */

const PREFIX = 'whalemark-rig-';
/** Process 1 of the namespaces: locks the engine's folder until its end, and reaps processes. */
const INIT = `
exec 9>"$1" && flock 9 || exit
[ "$3" = kept ] || rm -rf --one-file-system "$2"
mkdir -p "$2"
shift 3
"$@"
exit $?`;

/**
 * Runs the command without any engine, network, or process of this machine. The kernel ends all processes
 * with process 1.
 *
 * @param {EngineName[]} engines
 * @param {string[]} command
 * @param {{ fresh?: boolean }} [options] `fresh`: removes the engine's kept data, with images
 * @returns {Promise<number>} the command's exit code
 */
export async function runBeside(engines, command, { fresh = false } = {}) {
  await sweep();
  const folder = join(enginesDir(), engines[0] ?? '');
  const scratch = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const inside = fileURLToPath(new URL('inside.mjs', import.meta.url));
  const apart = ['--net', '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];
  const init = ['bash', '-c', INIT, 'init', `${folder}.lock`, folder, fresh ? 'fresh' : 'kept'];
  const child = spawn(
    'unshare',
    [...apart, '--mount-proc', ...init, process.execPath, inside, engines.join('+'), scratch, ...command],
    // A separate group to signal, since `unshare` passes no signal on. The pipe closes with this process.
    { stdio: ['pipe', 'inherit', 'inherit'], detached: true },
  );
  const end = () => child.pid && process.kill(-child.pid, 'SIGTERM');
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, end);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    for (const signal of signals) process.off(signal, end);
    await sweep(scratch);
  }
}

/**
 * Removes the folders of ended rigs, and their containers' control groups, which outlive namespaces.
 *
 * @param {string} [own]
 */
async function sweep(own) {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    if (folder === own || processName(pid) === undefined) await removeTree(folder);
  }
  for (const controller of ['', ...readdirSync('/sys/fs/cgroup')]) {
    for (const group of [CGROUP, 'libpod_parent']) removeEmpty(join('/sys/fs/cgroup', controller, group));
  }
}

/**
 * A group with processes of another rig stays.
 *
 * @param {string} group
 */
function removeEmpty(group) {
  if (!existsSync(group)) return;
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(group, entry.name));
  }
  try {
    rmdirSync(group);
  } catch {
    // Another rig uses the group.
  }
}
