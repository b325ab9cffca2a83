import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBaseImage, sweepBaseImages } from './base-image.mjs';
import { run, tryRun, which } from './command.mjs';
import { isDebianLike, isRoot } from './machine.mjs';
import { step } from './report.mjs';
import { repository } from './repository.mjs';

const CONTEXT = join(repository, 'tests/rig/images');

/**
 * @typedef {object} ServerRecipe
 * @property {string} tag
 * @property {string} name for messages
 * @property {string} dockerfile
 * @property {string[]} files
 * @property {string} versionPackage has the server's version
 * @property {BaseRecipe} base
 *
 * @typedef {{ suite: string, tag: string }} BaseRecipe
 */

/** @type {BaseRecipe} */
const TRIXIE = { suite: 'trixie', tag: 'whalemark-test/debian:trixie' };
/** @type {BaseRecipe} */
const SID = { suite: 'sid', tag: 'whalemark-test/debian:sid' };
/** @type {ServerRecipe} */
const MYSQL = {
  tag: 'whalemark-test/mysql:debian-sid',
  name: 'MySQL',
  dockerfile: 'mysql.Dockerfile',
  files: ['mysql.cnf', 'mysql-entrypoint.sh', 'entrypoint-common.sh'],
  versionPackage: 'mysql-server-core',
  base: SID,
};
/** @type {ServerRecipe} */
const MARIADB = {
  tag: 'whalemark-test/mariadb:debian-trixie',
  name: 'MariaDB',
  dockerfile: 'mariadb.Dockerfile',
  files: ['mariadb.cnf', 'mariadb-entrypoint.sh', 'entrypoint-common.sh'],
  versionPackage: 'mariadb-server-core',
  base: TRIXIE,
};
/** @type {ServerRecipe} */
const NODE = {
  tag: 'whalemark-test/node:debian-trixie',
  name: 'Node',
  dockerfile: 'node.Dockerfile',
  files: [],
  versionPackage: 'nodejs',
  base: TRIXIE,
};

const BUILT = {
  WHALEMARK_TEST_BASE_IMAGE: TRIXIE.tag,
  WHALEMARK_TEST_MYSQL_IMAGE: MYSQL.tag,
  WHALEMARK_TEST_MARIADB_IMAGE: MARIADB.tag,
  WHALEMARK_TEST_NODE_IMAGE: NODE.tag,
};
const OFFICIAL = {
  WHALEMARK_TEST_BASE_IMAGE: 'debian:trixie-slim',
  WHALEMARK_TEST_MYSQL_IMAGE: 'mysql:8.4',
  WHALEMARK_TEST_MARIADB_IMAGE: 'mariadb:11.8',
  WHALEMARK_TEST_NODE_IMAGE: 'node:24-trixie-slim',
};

export function imagePackages() {
  // Only an engine can find out whether a registry answers, so this small script is installed in advance.
  return isDebianLike() && isRoot() && !which('debootstrap') ? ['debootstrap', 'debian-archive-keyring'] : [];
}

/**
 * Undefined without images, unless a registry is known to have them.
 *
 * @returns {Promise<Record<string, string> | undefined>}
 */
export async function findImages() {
  const built = await Promise.all([
    isCurrent(TRIXIE.tag, baseRecipe(TRIXIE)),
    ...[MYSQL, MARIADB, NODE].flatMap((server) =>
      [server.tag, localName(server)].map((name) => isCurrent(name, serverRecipe(server))),
    ),
  ]);
  if (built.every(Boolean)) return BUILT;
  return (await cameFromRegistry(OFFICIAL.WHALEMARK_TEST_BASE_IMAGE)) ? OFFICIAL : undefined;
}

/**
 * The official images, pulled at first use; without a registry, builds from Debian packages.
 *
 * @returns {Promise<Record<string, string>>}
 */
export async function provideImages() {
  if (await registryAnswers()) return OFFICIAL;
  await sweepBaseImages();
  // While one chain downloads, the other unpacks.
  const onTrixie = provideServer(MARIADB).then(() => provideServer(NODE));
  const chains = await Promise.allSettled([provideServer(MYSQL), onTrixie]);
  for (const chain of chains) if (chain.status === 'rejected') throw chain.reason;
  return BUILT;
}

/**
 * Asks the engine, whose mirror or proxy may differ from this process's. Pulls the smallest image that is
 * needed anyway.
 *
 * @returns {Promise<boolean>}
 */
function registryAnswers() {
  return new Promise((resolve) => {
    const child = spawn('docker', ['pull', OFFICIAL.WHALEMARK_TEST_BASE_IMAGE], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let answered = false;
    const patience = setTimeout(() => answered || child.kill('SIGKILL'), 20_000);
    child.stdout.on('data', (chunk) => {
      if (/Pulling fs layer|Already exists|Digest:/.test(String(chunk))) answered = true;
    });
    child.stderr.resume();
    child.once('error', () => resolve(false));
    child.once('close', (code) => {
      clearTimeout(patience);
      resolve(code === 0);
    });
  });
}

/** @param {string} image */
const cameFromRegistry = async (image) => !['', '0'].includes(await imageFact(image, '{{len .RepoDigests}}'));

/** @param {ServerRecipe} server */
async function provideServer(server) {
  await provideBase(server.base);
  const recipe = serverRecipe(server);
  if (!(await isCurrent(server.tag, recipe))) await buildServer(server, recipe);
  await run('docker', ['tag', server.tag, localName(server)]);
}

/**
 * Some engines give each image a digest. No registry can have this name, so the image was made here.
 *
 * @param {ServerRecipe} server
 */
const localName = ({ tag }) => tag.replace('whalemark-test/', 'whalemark.invalid/');

/**
 * @param {ServerRecipe} server
 * @param {string} recipe
 */
async function buildServer(server, recipe) {
  await step(`no image registry answers; building ${server.name} from Debian packages as ${server.tag}`, () =>
    replacing(server.tag, async () => {
      await dockerBuild(server, ['--target', 'server']);
      const version = await installedVersion(server);
      const major = version.replace(/^\d+:/, '').match(/^\d+\.\d+/)?.[0] ?? version;
      const facts = { RECIPE: recipe, SERVER_VERSION: version, SERVER_MAJOR: major };
      await dockerBuild(
        server,
        Object.entries(facts).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      );
    }),
  );
}

/** @param {BaseRecipe} base */
async function provideBase({ suite, tag }) {
  const recipe = baseRecipe({ suite, tag });
  if (await isCurrent(tag, recipe)) return;
  await step(`no image registry answers; building ${tag} with debootstrap`, () =>
    replacing(tag, () =>
      buildBaseImage({
        suite,
        tag,
        labels: {
          'org.opencontainers.image.title': `Debian ${suite}, for Whalemark's tests`,
          'org.opencontainers.image.description':
            "Built from Debian packages for Whalemark's tests. This is not the official debian image.",
          'io.whalemark.base': `debian-${suite}`,
          'io.whalemark.recipe': recipe,
        },
      }),
    ),
  );
}

/**
 * @param {ServerRecipe} server
 * @param {string[]} args
 */
function dockerBuild(server, args) {
  const file = join(CONTEXT, server.dockerfile);
  return run('docker', ['build', '--quiet', '--tag', server.tag, '--file', file, ...args, CONTEXT], {
    // One builder for old and new engines; the newer one would have to be installed separately.
    env: { DOCKER_BUILDKIT: '0' },
  });
}

/** @param {ServerRecipe} server */
async function installedVersion({ tag, versionPackage }) {
  const query = ['dpkg-query', '-W', '-f', '${Version}', versionPackage];
  return (await run('docker', ['run', '--rm', '--network', 'none', tag, ...query])).trim();
}

/**
 * Removes the tag's former image, once the new one has it. Only Whalemark's images carry these tags.
 *
 * @param {string} tag
 * @param {() => Promise<void>} build
 */
async function replacing(tag, build) {
  const before = await imageId(tag);
  await build();
  // Fails while a container still uses it, as it should.
  if (before && before !== (await imageId(tag))) await tryRun('docker', ['image', 'rm', before]);
}

/**
 * A fact about an image; empty without this tag.
 *
 * @param {string} tag
 * @param {string} format
 */
async function imageFact(tag, format) {
  return (await tryRun('docker', ['image', 'inspect', '--format', format, tag])).stdout.trim();
}

/** @param {string} tag */
export const imageId = (tag) => imageFact(tag, '{{.Id}}');

/**
 * @param {string} tag
 * @param {string} recipe
 */
const isCurrent = async (tag, recipe) =>
  (await imageFact(tag, '{{index .Config.Labels "io.whalemark.recipe"}}')) === recipe;

/** @param {BaseRecipe} base */
const baseRecipe = (base) =>
  hash([JSON.stringify(base), readFileSync(join(repository, 'scripts/setup/base-image.mjs'), 'utf8')]);

/** @param {ServerRecipe} server */
const serverRecipe = (server) =>
  hash([
    baseRecipe(server.base),
    ...[server.dockerfile, ...server.files].map((file) => readFileSync(join(CONTEXT, file), 'utf8')),
  ]);

/** @param {string[]} parts */
function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}\n${part}`);
  return sum.digest('hex').slice(0, 16);
}
