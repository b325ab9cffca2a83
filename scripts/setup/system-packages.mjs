import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { run, tryRun } from './command.mjs';
import { askConsent, unattended } from './consent.mjs';
import { hasInitSystem, isDebianLike, isRoot } from './machine.mjs';
import { step } from './report.mjs';

/**
 * A list is one library's names in different releases: Debian 13 and Ubuntu 24.04 renamed libraries in the
 * move to 64-bit time.
 *
 * @typedef {string | string[]} Wanted
 */

/**
 * The missing packages, under this release's names.
 *
 * @param {Wanted[]} wanted
 * @returns {Promise<string[]>}
 */
export async function missingPackages(wanted) {
  if (wanted.length === 0) return [];
  const installed = new Set(await listInstalled(wanted.flat()));
  /** @type {string[]} */
  const missing = [];
  for (const names of wanted.map((each) => [each].flat())) {
    if (!names.some((name) => installed.has(name))) missing.push(await knownName(names));
  }
  return missing;
}

function hasPackageLists() {
  const directory = '/var/lib/apt/lists';
  return existsSync(directory) && readdirSync(directory).some((file) => file.includes('_Packages'));
}

/** @param {string[]} names */
async function listInstalled(names) {
  const format = '${db:Status-Status} ${Package}\\n';
  // dpkg-query fails when it finds only some of the names, and still prints those.
  const { stdout } = await tryRun('dpkg-query', ['-W', '-f', format, ...names]);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('installed '))
    .map((line) => line.slice('installed '.length));
}

/** @param {string[]} names */
async function knownName(names) {
  for (const name of names.slice(0, -1)) {
    const { code, stdout } = await tryRun('apt-cache', ['show', '--no-all-versions', name]);
    if (code === 0 && stdout.includes(`Package: ${name}\n`)) return name;
  }
  return names.at(-1) ?? '';
}

/**
 * @param {Wanted[]} wanted
 * @param {string} purpose completes "… needed for"
 */
export async function installPackages(wanted, purpose) {
  if (wanted.length === 0) return;
  if (!isDebianLike()) {
    const names = wanted.map((each) => [each].flat().at(-1)).join(' ');
    throw new Error(
      `Missing for ${purpose}; set-up installs packages on Debian and Ubuntu only. Their names there: ${names}`,
    );
  }
  if ((await missingPackages(wanted)).length === 0) return;
  // A bare container has no package lists, and so none of the names.
  if (!hasPackageLists() && isRoot() && unattended()) await aptGet(['update']);
  const missing = [...new Set(await missingPackages(wanted))];
  const args = ['install', '-y', '--no-install-recommends', '-o', 'Dpkg::Use-Pty=0', ...missing];
  const command = [...(isRoot() ? [] : ['sudo']), 'apt-get', ...args].join(' ');
  await askConsent(`Debian packages are needed for ${purpose}: ${missing.join(', ')}.`, command);
  await step(`installing ${missing.join(' ')} (for ${purpose})`, () =>
    withoutStartingServices(() => install(args)),
  );
}

/** @param {string[]} args */
async function install(args) {
  const { code } = await aptGet(args);
  if (code === 0) return;
  // Missing or outdated package lists are the most common fault. An update that fails for one source may
  // still have brought the package, so its outcome does not count.
  await aptGet(['update']);
  const again = await aptGet(args);
  if (again.code !== 0) throw new Error(`apt-get ${args.join(' ')} failed.\n${again.output.trimEnd()}`);
}

/** @param {string[]} args */
function aptGet(args) {
  if (isRoot()) return tryRun('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
  return tryRun('sudo', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args], { show: true });
}

/**
 * Without an init system, a package may fail to start its service; Debian's standard "start nothing" switch
 * prevents that.
 *
 * @template T
 * @param {() => Promise<T>} work
 */
async function withoutStartingServices(work) {
  const policy = '/usr/sbin/policy-rc.d';
  if (hasInitSystem() || !isRoot() || existsSync(policy)) return work();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await work();
  } finally {
    rmSync(policy, { force: true });
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 */
export function runAsRoot(command, args) {
  return isRoot() ? run(command, args) : run('sudo', [command, ...args], { show: true });
}
