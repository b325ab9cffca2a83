import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './node-entry.mjs';
import { reportAssets } from './report-assets.mjs';

/**
 * Copies what the program reads at run time: presets, the client image's recipe, the example result and what
 * the picture export needs.
 *
 * @param {string} out
 */
export function copyFiles(out) {
  const presets = readdirSync(join(root, 'presets')).filter((name) => /\.(ya?ml|json)$/.test(name));
  const references = readdirSync(join(root, 'assets/reference'));
  const dockerfile = 'client-image/Dockerfile';
  const example = 'example/result.json.gz';
  /** @type {{ from: string, to: string }[]} */
  const files = [
    ...presets.map((name) => ({ from: join(root, 'presets', name), to: join('presets', name) })),
    { from: join(root, 'assets', dockerfile), to: join('assets', dockerfile) },
    ...references.map((name) => ({
      from: join(root, 'assets/reference', name),
      to: join('assets/reference', name),
    })),
    { from: join(root, 'assets', example), to: join('assets', example) },
    ...reportAssets().map(({ from, to }) => ({ from, to: join('assets', to) })),
  ];
  for (const { from, to } of files) {
    mkdirSync(dirname(join(out, to)), { recursive: true });
    cpSync(from, join(out, to));
  }
}
