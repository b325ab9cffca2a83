// Part of `npm run lint`: import cycles in src and bench, type imports and components included, which knip
// leaves out.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import process from 'node:process';
import ts from 'typescript';

const files = ['src', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter(isSource),
);
const imports = new Map(files.map((file) => [file, importsOf(file)]));
/** Files from which no cycle can be reached. */
const clean = new Set();
const cycles = files.flatMap((file) => findCycle([file]));
for (const cycle of cycles) console.error(`Import cycle: ${cycle}`);
process.exit(cycles.length === 0 ? 0 : 1);

/** @param {string} file */
function isSource(file) {
  return file.endsWith('.ts') || file.endsWith('.svelte');
}

/** @param {string} file */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const scripts = file.endsWith('.svelte')
    ? [...text.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script).join('\n')
    : text;
  const { importedFiles } = ts.preProcessFile(scripts);
  return importedFiles
    .map(({ fileName }) => normalize(join(dirname(file), fileName)).replaceAll('\\', '/'))
    .filter((target) => existsSync(target) && isSource(target));
}

/**
 * @param {string[]} path
 * @returns {string[]}
 */
function findCycle(path) {
  const file = path.at(-1) ?? '';
  if (clean.has(file)) return [];
  const found = (imports.get(file) ?? []).flatMap((target) => {
    const start = path.indexOf(target);
    if (start < 0) return findCycle([...path, target]);
    return [[...path.slice(start), target].join(' → ')];
  });
  clean.add(file);
  return found;
}
