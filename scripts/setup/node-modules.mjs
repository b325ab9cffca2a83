import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.mjs';
import { step } from './report.mjs';
import { repository } from './repository.mjs';

const LOCK = join(repository, 'package-lock.json');
const MODULES = join(repository, 'node_modules');
const STAMP = join(MODULES, '.whalemark-lock-hash');

export function hasModules() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockHash()) return true;
  if (!installedMatchesLock()) return false;
  // npm was run by hand, with the same outcome.
  writeFileSync(STAMP, lockHash());
  return true;
}

export async function provideModules() {
  await step('installing npm packages (npm ci)', async () => {
    const args = ['ci', '--no-audit', '--no-fund'];
    const npm = process.env['npm_execpath'];
    if (npm?.endsWith('.js')) await run(process.execPath, [npm, ...args], { cwd: repository });
    else await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd: repository });
    writeFileSync(STAMP, lockHash());
  });
}

function lockHash() {
  return createHash('sha256').update(readFileSync(LOCK)).digest('hex');
}

/** Compares with the list that npm keeps of what it has installed. */
function installedMatchesLock() {
  const wanted = readPackages(LOCK);
  const installed = readPackages(join(MODULES, '.package-lock.json'));
  if (!wanted || !installed) return false;
  delete wanted[''];
  const complete = Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = installed[path];
    return found ? found.version === version && found.integrity === integrity : optional;
  });
  return complete && Object.keys(installed).every((path) => path in wanted);
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
