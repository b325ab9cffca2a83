import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build, mergeConfig } from 'vite';
import { nodeEntry, root } from './node-entry.mjs';

/**
 * Resolves with the beginning of the program's command line; the bundle lasts as long as this process.
 *
 * @param {string} entry
 * @returns {Promise<string[]>}
 */
export async function bundled(entry) {
  // Inside the tree, so that node_modules is found.
  const outDir = join(root, '.cache', `program-${process.pid}`);
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));
  mkdirSync(outDir, { recursive: true });
  const config = nodeEntry({ entry, outDir, fileName: 'program.mjs', target: 'node20' });
  await build(
    mergeConfig(config, {
      build: { rolldownOptions: { external: [/^[@a-z]/], output: { format: 'es' } } },
    }),
  );
  return [process.execPath, '--enable-source-maps', join(outDir, 'program.mjs')];
}
