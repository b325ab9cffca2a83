import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './node-entry.mjs';

/**
 * Copies what the program reads at run time: presets, the client image's recipe and what the picture export needs.
 *
 * @param {string} out
 * @returns {Promise<number>} how many files
 */
export async function copyFiles(out) {
  const presets = readdirSync(join(root, 'presets')).filter((name) => /\.(ya?ml|json)$/.test(name));
  /** @type {{ from: string, to: string }[]} */
  const files = presets.map((name) => ({ from: join('presets', name), to: join('presets', name) }));
  const dockerfile = 'assets/client-image/Dockerfile';
  if (existsSync(join(root, dockerfile))) files.push({ from: dockerfile, to: dockerfile });
  files.push(...(await reportAssets()));
  for (const { from, to } of files) {
    mkdirSync(dirname(join(out, to)), { recursive: true });
    cpSync(join(root, from), join(out, to));
  }
  return files.length;
}

/** @returns {Promise<{ from: string, to: string }[]>} */
async function reportAssets() {
  if (!existsSync(join(import.meta.dirname, 'report-assets.mjs'))) return [];
  const { reportAssets: list } = await import('./report-assets.mjs');
  return list;
}
