import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheDir } from './cache-dir.mjs';
import { run, tryRun } from './command.mjs';
import { findImages, imageId } from './images.mjs';
import { step } from './report.mjs';

/** Raise it to copy the files again. */
const RECIPE = 2;

/**
 * @typedef {object} NativeRecipe
 * @property {string} variable has the program's path
 * @property {string} image variable with the image to copy from
 * @property {string} program
 * @property {string} client
 */

/** @type {NativeRecipe[]} */
const RECIPES = [
  {
    variable: 'WHALEMARK_TEST_MYSQLD',
    image: 'WHALEMARK_TEST_MYSQL_IMAGE',
    program: 'mysqld',
    client: 'mysql',
  },
  {
    variable: 'WHALEMARK_TEST_MARIADBD',
    image: 'WHALEMARK_TEST_MARIADB_IMAGE',
    program: 'mariadbd',
    client: 'mariadb',
  },
];

/**
 * Prints the paths of both programs, their messages, plugins, and shared libraries, one a line.
 *
 * @param {readonly string[]} programs
 */
function listing(programs) {
  return [
    ...programs.map((program) => `command -v ${program}`),
    'for d in /usr/share/mysql /usr/share/mysql-[0-9]* /usr/share/mariadb /usr/lib*/mysql/plugin; do [ -d "$d" ] && echo "$d"; done',
    `ldd ${programs.map((program) => `$(command -v ${program})`).join(' ')} | sed -nE 's/.*=> (\\/[^ ]+).*/\\1/p; s/^[[:space:]]+(\\/[^ ]+).*/\\1/p'`,
  ].join('\n');
}

/** @returns {Promise<Record<string, string> | undefined>} undefined when one is missing */
export async function findNative() {
  const images = await findImages();
  if (images === undefined) return undefined;
  /** @type {Record<string, string>} */
  const env = {};
  for (const { variable, image, program } of RECIPES) {
    const wrapper = join(await directoryOf(images[image] ?? ''), program);
    if (!existsSync(wrapper)) return undefined;
    env[variable] = wrapper;
  }
  return env;
}

/**
 * Copying keeps a native server and one in a container the same build; a copy brings its libraries.
 */
export async function provideNative() {
  const images = await findImages();
  if (images === undefined)
    throw new Error('Native test servers are copied from the test images; there are none.');
  for (const { image, program, client } of RECIPES) {
    const tag = images[image] ?? '';
    const directory = await directoryOf(tag);
    if (existsSync(join(directory, program))) continue;
    await step(`copying ${program} from ${tag}`, () => copyOut(tag, [program, client], directory));
  }
  const env = await findNative();
  if (env === undefined) throw new Error('The native test servers are incomplete.');
  return env;
}

/**
 * @param {string} tag
 * @returns {Promise<string>} changes with the image
 */
async function directoryOf(tag) {
  const id = (await imageId(tag)).replace('sha256:', '').slice(0, 12);
  return join(cacheDir(), `native-${RECIPE}-${id}`);
}

/**
 * @param {string} tag
 * @param {readonly string[]} programs the server and its client
 * @param {string} directory
 */
async function copyOut(tag, programs, directory) {
  const label = ['--label', 'io.whalemark.owner=test'];
  const made = `${directory}.part`;
  rmSync(made, { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  const shell = ['--entrypoint', 'sh', tag, '-c'];
  const listed = await run('docker', ['run', '--rm', ...label, ...shell, listing(programs)]);
  const lines = listed.split('\n').map((line) => line.trim());
  const paths = [...new Set(lines.filter(Boolean))];
  const container = (await run('docker', ['create', ...label, tag])).trim();
  try {
    // Libraries are mostly links to their real names: -L copies the targets.
    for (const path of paths) {
      const target = path.includes('/share/') || path.endsWith('/plugin') ? path : `/lib/${basename(path)}`;
      const isProgram = programs.includes(basename(path)) && !path.includes('/share/');
      const to = join(made, isProgram ? `/bin/${basename(path)}` : target);
      mkdirSync(join(to, '..'), { recursive: true });
      await run('docker', ['cp', '-L', `${container}:${path}`, to]);
    }
  } finally {
    await tryRun('docker', ['rm', '-v', container]);
  }
  const loader = basename(paths.find((path) => /\/ld-(?:linux|musl)[^/]*$/.test(path)) ?? '');
  const plugins = paths.find((path) => path.endsWith('/plugin'));
  const extra = plugins === undefined ? '' : ` --plugin-dir="$here${plugins}"`;
  for (const program of programs) {
    // `--no-defaults` has to stay the first option, so Whalemark's come last.
    const options = program === programs[0] ? ` --basedir="$here/usr"${extra}` : '';
    writeFileSync(
      join(made, program),
      [
        '#!/bin/sh',
        'here=$(dirname "$(readlink -f "$0")")',
        `exec "$here/lib/${loader}" --library-path "$here/lib" "$here/bin/${program}" "$@"${options}`,
        '',
      ].join('\n'),
    );
    chmodSync(join(made, program), 0o755);
  }
  renameSync(made, directory);
}
