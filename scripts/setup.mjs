/**
 * Provides what this machine lacks to start, test, and develop Whalemark. Runs before `npm ci`, so it uses
 * Node's built-ins only. Prints environment variables for later steps as NAME=value lines on stdout,
 * everything else on stderr.
 */
import { pathToFileURL } from 'node:url';
import { findCompose, provideCompose } from './setup/compose.mjs';
import { DISPLAY_PACKAGES, hasDisplay } from './setup/display.mjs';
import { findElectron, provideElectron } from './setup/electron.mjs';
import { enginePackages, engineState, startEngine } from './setup/engine.mjs';
import { ENGINE_PACKAGES, findEngines, findVm, provideEngines, provideVm } from './setup/engines.mjs';
import { exclusively } from './setup/exclusively.mjs';
import { findImages, imagePackages, provideImages } from './setup/images.mjs';
import { findNative, provideNative } from './setup/native.mjs';
import { findFromNpm, provideFromNpm } from './setup/from-npm.mjs';
import { hasModules, provideModules } from './setup/node-modules.mjs';
import { optionsOf } from './setup/options.mjs';
import { say } from './setup/report.mjs';
import { installPackages, missingPackages } from './setup/system-packages.mjs';
import { hasTools, toolPackages } from './setup/tools.mjs';
import { which } from './setup/command.mjs';

/**
 * @typedef {'modules' | 'engine' | 'images' | 'native' | 'compose' | 'electron' | 'display' | 'tools' | 'chromium' | 'node-24' | 'electron-22-types' | 'engines' | 'vm'} Need
 * @typedef {Record<string, string>} Environment
 *
 * @typedef {import('./setup/system-packages.mjs').Wanted[]} Packages
 * @typedef {object} Part
 * @property {() => Promise<Environment | undefined> | Environment | undefined} find undefined: not enough is there
 * @property {Need[]} [behind] needs to meet before
 * @property {() => Promise<Packages> | Packages} [packages] to install before
 * @property {() => Promise<Environment>} [provide]
 *
 * @typedef {object} SetupResult
 * @property {Environment} env
 * @property {Array<{ need: Need, error: Error }>} failed optional needs
 */

/** The order matters: images need an engine, Electron comes with the modules. */
const PARTS = /** @type {Record<Need, Part>} */ ({
  modules: {
    find: () => (hasModules() ? {} : undefined),
    provide: async () => {
      await provideModules();
      return {};
    },
  },
  engine: {
    find: async () => ((await engineState()) === 'up' ? {} : undefined),
    packages: async () => ((await engineState()) === 'denied' ? [] : enginePackages()),
    provide: async () => {
      await startEngine();
      return {};
    },
  },
  images: {
    behind: ['engine'],
    // Inside a rig (engines/inside.mjs), the environment names loaded images.
    find: () => (process.env['WHALEMARK_TEST_TROUBLES'] === undefined ? findImages() : {}),
    packages: imagePackages,
    provide: provideImages,
  },
  native: { behind: ['engine', 'images'], find: findNative, provide: provideNative },
  compose: { find: findCompose, provide: provideCompose },
  electron: { behind: ['modules'], find: findElectron, provide: provideElectron },
  display: { find: async () => ((await hasDisplay()) ? {} : undefined), packages: () => DISPLAY_PACKAGES },
  tools: { find: () => (hasTools() ? {} : undefined), packages: toolPackages },
  chromium: {
    find: () => (which('chromium') ? { WHALEMARK_TEST_CHROMIUM: String(which('chromium')) } : undefined),
    packages: () => ['chromium'],
    provide: async () => ({ WHALEMARK_TEST_CHROMIUM: String(which('chromium')) }),
  },
  'node-24': ofNpm('node', 'WHALEMARK_TEST_NODE'),
  'electron-22-types': ofNpm('types', 'WHALEMARK_TEST_ELECTRON_TYPES'),
  engines: {
    behind: ['engine', 'images'],
    find: findEngines,
    packages: () => ENGINE_PACKAGES,
    provide: provideEngines,
  },
  vm: { behind: ['engine', 'images', 'engines'], find: findVm, provide: provideVm },
});

/** @type {Need[]} */
const FULL_RUN_ONLY = ['chromium', 'node-24', 'electron-22-types', 'engines', 'vm'];

/**
 * @param {Parameters<typeof findFromNpm>[0]} name
 * @param {string} variable says where it is
 * @returns {Part}
 */
function ofNpm(name, variable) {
  return {
    find: () => {
      const file = findFromNpm(name);
      return file === undefined ? undefined : { [variable]: file };
    },
    provide: async () => ({ [variable]: await provideFromNpm(name) }),
  };
}

/**
 * Throws when a required need can't be met, or the user refused a system change for it.
 *
 * @param {{ needs: Need[], optional?: Need[] }} options
 * @returns {Promise<SetupResult>}
 */
export async function setup({ needs, optional = [] }) {
  const all = new Set([...needs, ...needs.flatMap((need) => PARTS[need].behind ?? [])]);
  const wanted = /** @type {Need[]} */ (Object.keys(PARTS)).filter((need) => all.has(need));
  /** @type {SetupResult} */
  const result = { env: {}, failed: [] };
  if ((await findAll(wanted, result.env)).length === 0) return result;
  await exclusively(async () => {
    // Another set-up may have provided some of it in the meantime.
    const missing = await findAll(wanted, result.env);
    const required = missing.filter((need) => !optional.includes(need));
    if (missing.length > 0) say(`missing: ${missing.join(', ')}. Setting this up takes a few minutes.`);
    await installFor(missing, required);
    for (const need of missing) {
      try {
        const blocked = PARTS[need].behind?.find((other) =>
          result.failed.some((failure) => failure.need === other),
        );
        if (blocked) throw new Error(`${need} can't be provided without ${blocked}.`);
        Object.assign(result.env, await PARTS[need].provide?.());
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (required.includes(need)) throw error;
        say(`going on without ${need}. ${error.message}`);
        result.failed.push({ need, error });
      }
    }
  });
  return result;
}

/**
 * Adds found variables to the environment, and returns the missing needs.
 *
 * @param {Need[]} wanted
 * @param {Environment} env
 */
async function findAll(wanted, env) {
  const found = await Promise.all(wanted.map((need) => PARTS[need].find()));
  Object.assign(env, ...found);
  return wanted.filter((_, index) => found[index] === undefined);
}

/**
 * Installs all packages at once. If that fails or is refused, those of required needs are tried alone.
 *
 * @param {Need[]} missing
 * @param {Need[]} required
 */
async function installFor(missing, required) {
  try {
    await install(missing);
  } catch (error) {
    if (required.length > 0 && required.length === missing.length) throw error;
    say(error instanceof Error ? error.message : String(error));
    await install(required);
  }
}

/** @param {Need[]} needs */
async function install(needs) {
  await installPackages(await packagesOf(needs), needs.join(', '));
}

/** @param {Need[]} needs */
const packagesOf = async (needs) =>
  (await Promise.all(needs.map((need) => PARTS[need].packages?.() ?? []))).flat();

const USAGE = `node scripts/setup.mjs [--needs NEED,…] [--optional NEED,…] [--check]

  --needs     what to provide (default: all but those of the full run only)
  --optional  those of them that may stay missing
  --check     list what is missing and change nothing; exit code 1 if anything is

Needs: ${Object.keys(PARTS).join(', ')}
Of the full run only: ${FULL_RUN_ONLY.join(', ')}`;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const usual = /** @type {Need[]} */ (Object.keys(PARTS)).filter((need) => !FULL_RUN_ONLY.includes(need));
  const { values } = optionsOf(USAGE, {
    needs: { type: 'string', default: usual.join(',') },
    optional: { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
  });
  try {
    const needs = parseNeeds(values.needs);
    if (values.check) await check(needs);
    else {
      const { env } = await setup({ needs, optional: parseNeeds(values.optional) });
      for (const [name, value] of Object.entries(env)) console.log(`${name}=${value}`);
    }
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

/** @param {Need[]} needs */
async function check(needs) {
  const missing = await findAll(needs, {});
  const toInstall = await missingPackages(await packagesOf(missing));
  say(missing.length === 0 ? 'nothing is missing' : `missing: ${missing.join(', ')}`);
  if (toInstall.length > 0) say(`system packages to install: ${toInstall.join(' ')}`);
  if (missing.length > 0) process.exitCode = 1;
}

/** @param {string | undefined} list */
function parseNeeds(list) {
  const names = (list ?? '').split(',').filter(Boolean);
  for (const name of names) {
    if (!(name in PARTS))
      throw new Error(`There is no need called ${name}; known: ${Object.keys(PARTS).join(', ')}.`);
  }
  return /** @type {Need[]} */ (names);
}
