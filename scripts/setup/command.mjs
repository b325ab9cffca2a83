import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { repository } from './repository.mjs';

// Each running command listens to this process, and many run at once.
process.setMaxListeners(50);

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to Whalemark's environment; undefined removes
 * @property {number} [timeoutMs] ends the children, too
 * @property {boolean} [show] prints to the terminal instead of collecting the output
 *
 * @typedef {object} RunResult
 * @property {number} code -1 after a signal, a time-out, or a failed start
 * @property {string} stdout
 * @property {string} output stdout and stderr in their order
 */

/**
 * Never rejects.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function tryRun(command, args, options = {}) {
  return new Promise((resolve) => {
    let stdout = '';
    let output = '';
    // A separate process group, so that a time-out also ends grandchildren (npm, pip, apt all fork). On a
    // terminal, Ctrl+C has to reach it.
    const grouped = !options.show && process.platform !== 'win32';
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: options.show ? ['inherit', 2, 2] : ['ignore', 'pipe', 'pipe'],
      detached: grouped,
      // On Windows, npm is a batch file, which only a shell starts. Whalemark's arguments need no quoting.
      shell: process.platform === 'win32' && command.endsWith('.cmd'),
    });
    /** @param {NodeJS.Signals} signal */
    const send = (signal) => {
      try {
        if (grouped && child.pid) process.kill(-child.pid, signal);
        else child.kill(signal);
      } catch {
        // The command has ended in the meantime.
      }
    };
    // A command in another group doesn't get Ctrl+C, so that is passed on; this process stops after it.
    /** @type {NodeJS.Signals | undefined} */
    let interrupted;
    /** @param {NodeJS.Signals} signal */
    const interrupt = (signal) => {
      interrupted = signal;
      if (grouped) send(signal);
    };
    const terminate = () => send('SIGTERM');
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('exit', terminate);
    const timer = options.timeoutMs ? setTimeout(() => send('SIGKILL'), options.timeoutMs) : undefined;
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('exit', terminate);
      if (interrupted) process.exit(interrupted === 'SIGINT' ? 130 : 143);
      resolve({ code, stdout, output });
    };
    child.once('error', (error) => {
      output += String(error);
      finish(-1);
    });
    child.once('close', (code) => finish(code ?? -1));
  });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>} stdout
 */
export async function run(command, args, options = {}) {
  const { code, stdout, output } = await tryRun(command, args, options);
  if (code === 0) return stdout;
  throw new Error(`${[command, ...args].join(' ')} failed (exit code ${code}).\n${tail(output, 25)}`);
}

/**
 * Resolves with the program's exit code after its cleanup. Signals are passed on, except a terminal's Ctrl+C:
 * the program gets that anyway, and a second one means impatience.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [more] environment
 * @returns {Promise<number>}
 */
export function foreground(command, args, more = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      cwd: repository,
      env: { ...process.env, ...more },
    });
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, pass);
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
    child.on('close', () => signals.forEach((signal) => process.off(signal, pass)));
  });
}

/**
 * @param {string} text
 * @param {number} lines
 */
export function tail(text, lines) {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}

/**
 * Also looks in sbin, which an ordinary user's PATH lacks.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function which(name) {
  const directories = (process.env['PATH'] ?? '')
    .split(delimiter)
    .concat('/usr/local/sbin', '/usr/sbin', '/sbin');
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`, name] : [name];
  for (const directory of directories) {
    for (const candidate of names) {
      const path = join(directory, candidate);
      try {
        accessSync(path, constants.X_OK);
        if (statSync(path).isFile()) return path;
      } catch {
        // This folder doesn't have it.
      }
    }
  }
  return undefined;
}
