import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './node-entry.mjs';

/** Any other license ends the build, until a maintainer has read it. */
const ALLOWED = new Set([
  ...['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Zlib', 'CC0-1.0', 'Unlicense'],
  ...['BlueOak-1.0.0', 'MPL-2.0', 'OFL-1.1'],
]);
const TEXT_FILE = /^(?:licen[cs]e|copying|notice)/i;
/** vite and rolldown append licenses of packages inside them, which don't ship. */
const OF_TOOLS = /\n#+ Licenses of bundled dependencies[^]*$/;

/** @typedef {{ name: string, version: string, license: string, source: string | null, text: string }} License */

/**
 * The folder of a bundled module's package; undefined for Whalemark's files and the bundler's
 * (`\0rolldown/runtime.js`).
 *
 * @param {string} id
 * @returns {string | undefined}
 */
export function packageFolder(id) {
  const path = id.replaceAll('\\', '/');
  const helper = /^\0(vite|rolldown)\//.exec(path)?.[1];
  if (helper !== undefined) return join(root, 'node_modules', helper);
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

/**
 * @param {Set<string>} folders
 * @returns {import('vite').Plugin}
 */
export function bundledPackages(folders) {
  return {
    name: 'bundled-packages',
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        for (const id of part.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
    },
  };
}

/**
 * Throws for a package that may not ship or has no text.
 *
 * @param {string} folder
 * @returns {License}
 */
export function licenseOf(folder) {
  const facts = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version } = facts;
  const license = String(facts.license ?? facts.licenses?.[0]?.type ?? 'unknown');
  for (const one of license.replace(/[()]/g, '').split(/ (?:AND|OR) /)) {
    if (!ALLOWED.has(one))
      throw new Error(`${name} ${version} has the license “${one}”, which is not on the list`);
  }
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').replace(OF_TOOLS, '').trim());
  const [first = license] = license.replace(/[()]/g, '').split(' OR ');
  const standard = join(root, 'assets/licenses', `${first}.txt`);
  if (texts.length === 0 && existsSync(standard)) {
    const author = typeof facts.author === 'string' ? facts.author : facts.author?.name;
    if (author !== undefined) texts.push(`Copyright (c) ${author.replace(/\s*[<(].*/, '')}`);
    texts.push(readFileSync(standard, 'utf8').trim());
  }
  if (texts.length === 0) throw new Error(`${name} ${version} brings no text of its license ${license}`);
  return { name, version, license, source: sourceOf(facts), text: texts.join('\n\n') };
}

/**
 * @param {{ repository?: string | { url?: string }, homepage?: string }} facts
 * @returns {string | null}
 */
function sourceOf({ repository, homepage }) {
  const url = typeof repository === 'string' ? repository : repository?.url;
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(url ?? '')?.[1];
  if (short !== undefined) return `https://github.com/${short}`;
  const web = url?.replace(/^git\+/, '').replace(/^git(?::\/\/|@)(github\.com)[:/]/, 'https://$1/');
  return web?.replace(/^ssh:\/\/git@/, 'https://').replace(/\.git$/, '') ?? homepage ?? null;
}

/**
 * @param {string} file
 * @param {Iterable<string>} folders may have several versions of one package
 */
export function writeLicenses(file, folders) {
  /** @type {Map<string, License>} */
  const found = new Map();
  for (const folder of folders) {
    const license = licenseOf(folder);
    found.set(`${license.name} ${license.version}`, license);
  }
  const sorted = [...found.keys()].sort().map((key) => found.get(key));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(sorted, null, 1)}\n`);
}
