import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The terminal twin's sources; `npm start` builds the window's every time. */
const SOURCES = [
  'src/benchmark',
  'src/cli',
  'src/shared',
  'assets',
  'presets',
  'scripts/build',
  'scripts/build.mjs',
  'package.json',
];

/**
 * A folder changes when a file in it comes or goes.
 *
 * @param {string} built
 * @param {string} [root]
 * @param {readonly string[]} [sources] relative to `root`
 */
export function isStale(built, root = '.', sources = SOURCES) {
  const file = join(root, built);
  if (!existsSync(file)) return true;
  const { mtimeMs } = statSync(file);
  return sources.some((source) => hasNewer(join(root, source), mtimeMs));
}

/**
 * @param {string} path
 * @param {number} builtMs
 * @returns {boolean}
 */
function hasNewer(path, builtMs) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.mtimeMs > builtMs) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => hasNewer(join(path, name), builtMs));
}
