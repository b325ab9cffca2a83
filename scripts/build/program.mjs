import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build, mergeConfig } from 'vite';
import { nodeEntry, root } from './node-entry.mjs';

/**
 * Runs a command in the foreground; resolves with its exit code.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [more]
 * @returns {Promise<number>}
 */
export function foreground(command, args, more = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd: root, env: { ...process.env, ...more } });
    // It cleans up what it has started and then ends; so do we.
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => undefined);
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Bundles a program of the tree that is written in TypeScript, for as long as this process lives. Resolves with what its command
 * line begins with.
 *
 * @param {string} entry
 * @returns {Promise<string[]>}
 */
export async function bundled(entry) {
  // Inside the tree, so that what is not bundled is found in node_modules.
  const outDir = join(root, '.cache', `program-${process.pid}`);
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));
  mkdirSync(outDir, { recursive: true });
  const config = nodeEntry({ entry, outDir, fileName: 'program.mjs', target: 'node20' });
  await build(
    mergeConfig(config, {
      // Packages come from node_modules; only what is ours is bundled.
      build: { rolldownOptions: { external: [/^[@a-z]/], output: { format: 'es' } } },
    }),
  );
  return [process.execPath, '--enable-source-maps', join(outDir, 'program.mjs')];
}
