import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { build } from 'vite';
import { copyFiles } from './build/files.mjs';
import { bundledPackages, packageFolder, writeLicenses } from './build/licenses.mjs';
import { root } from './build/node-entry.mjs';
import { onlyOurs } from './build/only-ours.mjs';
import { allParts } from './build/parts.mjs';
import { reportAssets } from './build/report-assets.mjs';
import { optionsOf } from './setup/options.mjs';

// Complete parts replace out/ at the end, so a running app or a second build never sees half.
optionsOf('npm run build', {});
const out = join(root, 'out');
const scratch = join(root, '.cache', `build-${process.pid}`);
const fresh = join(scratch, 'new');

const began = performance.now();
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
mkdirSync(fresh, { recursive: true });
const packages = new Set([join(root, 'node_modules/electron')]);
for (const { from } of reportAssets()) packages.add(packageFolder(from) ?? from);
/** @param {import('vite').InlineConfig} config */
async function buildPart(config) {
  await build({ ...config, plugins: [...(config.plugins ?? []), bundledPackages(packages), onlyOurs()] });
}
await Promise.all(Object.values(allParts(fresh)).map(buildPart));
chmodSync(join(fresh, 'cli', 'whalemark.cjs'), 0o755);
copyFiles(fresh);
writeLicenses(join(fresh, 'assets', 'licenses.json'), packages);

if (existsSync(out)) renameSync(out, join(scratch, 'old'));
renameSync(fresh, out);
console.log(`Built Whalemark into out/ in ${((performance.now() - began) / 1000).toFixed(0)} s`);
