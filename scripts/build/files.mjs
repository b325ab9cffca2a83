import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './node-entry.mjs';
import { reportAssets } from './report-assets.mjs';

/** @param {string} out */
export function copyFiles(out) {
  const presets = readdirSync(join(root, 'presets')).filter((name) => /\.(ya?ml|json)$/.test(name));
  const own = [
    ...presets.map((name) => join('presets', name)),
    ...readdirSync(join(root, 'assets/reference')).map((name) => join('assets/reference', name)),
    ...['assets/client-image/Dockerfile', 'assets/example/result.json.gz'],
  ];
  const files = [
    ...own.map((file) => ({ from: join(root, file), to: file })),
    ...reportAssets().map(({ from, to }) => ({ from, to: join('assets', to) })),
  ];
  for (const { from, to } of files) {
    mkdirSync(dirname(join(out, to)), { recursive: true });
    cpSync(from, join(out, to));
  }
}
