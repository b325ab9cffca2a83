// Starts the runners of `npm test`, and ends them with everything that they started.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import process from 'node:process';

/** A stage that takes longer is stuck: it fails, and the others still run. */
const STAGE_LIMIT_MS = 80 * 60_000;
/** Time for a runner to end its children. */
const GRACE_MS = 20_000;
const DRAIN_MS = 2_000;

const hasGroups = process.platform !== 'win32';
/** @type {Set<(signal: NodeJS.Signals) => void>} */
const endings = new Set();

export function passSignalsOn() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      for (const end of endings) end(signal);
      process.exit(130);
    });
  }
}

/**
 * @param {readonly string[]} command
 * @param {{ env?: Record<string, string>, log?: string }} [options] `log`: a file for the output
 * @returns {Promise<number>} the exit code; 124, like `timeout`, after the limit
 */
export function runTool([program = '', ...args], { env = {}, log } = {}) {
  return new Promise((resolve, reject) => {
    const file = log === undefined ? undefined : createWriteStream(log);
    // A separate process group, so that a runner's children end with it.
    const child = spawn(program, args, {
      stdio: file === undefined ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      detached: hasGroups,
    });
    if (file !== undefined) {
      child.stdout?.pipe(file, { end: false });
      child.stderr?.pipe(file, { end: false });
    }
    /** @param {NodeJS.Signals} signal */
    const end = (signal) => {
      if (hasGroups && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    };
    endings.add(end);
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      end('SIGTERM');
      // A runner whose event loop is busy hears no signal.
      setTimeout(() => endings.has(end) && end('SIGKILL'), GRACE_MS).unref();
    }, STAGE_LIMIT_MS);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(limit);
      endings.delete(end);
      const exitCode = late ? 124 : (code ?? 1);
      if (file === undefined) return resolve(exitCode);
      // Children of the runner may keep the pipes open after its end.
      const drained = setTimeout(() => file.end(() => resolve(exitCode)), DRAIN_MS);
      child.on('close', () => {
        clearTimeout(drained);
        file.end(() => resolve(exitCode));
      });
    });
  });
}
