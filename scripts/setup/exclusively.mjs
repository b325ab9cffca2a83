import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheDir } from './cache-dir.mjs';
import { say } from './report.mjs';

/**
 * Two set-ups at once (a test run and `npm start`, or two working copies) would install the same things into
 * each other.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function exclusively(work) {
  const file = join(cacheDir(), 'setup.lock');
  for (let waiting = false; !take(file); waiting = true) {
    if (!waiting) say(`waiting for another set-up (process ${content(file)}) to finish …`);
    await delay(250);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if (isAbandoned(file)) rmSync(file, { force: true });
  return false;
}

/** @param {string} file */
function isAbandoned(file) {
  const pid = Number(content(file));
  try {
    // The owner writes its number right after making the file.
    if (!pid) return Date.now() - statSync(file).mtimeMs > 5000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** @param {string} file */
function content(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
