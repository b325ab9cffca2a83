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

// Builds every part into its own folder and puts it in place of out/ at the end, so that an app which is
// running, or a second build, never sees half of one.
const out = join(root, 'out');
const scratch = join(root, '.cache', `build-${process.pid}`);
const fresh = join(scratch, 'new');

const began = performance.now();
/** @param {number} since */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
mkdirSync(fresh, { recursive: true });
// Electron ships next to what is bundled.
const packages = new Set([join(root, 'node_modules/electron')]);
for (const { from } of reportAssets()) packages.add(packageFolder(from) ?? from);
/** @param {[name: string, config: import('vite').InlineConfig]} part */
async function buildPart([name, config]) {
  const start = performance.now();
  await build({ ...config, plugins: [...(config.plugins ?? []), bundledPackages(packages), onlyOurs()] });
  console.log(`built ${name.padEnd(9)} ${seconds(start)}`);
}
// The page takes longest: all others are built next to it.
await Promise.all(Object.entries(allParts(fresh)).map(buildPart));
chmodSync(join(fresh, 'cli', 'whalemark.cjs'), 0o755);
console.log(`copied ${copyFiles(fresh)} files`);
const licenses = writeLicenses(join(fresh, 'assets', 'licenses.json'), packages);
console.log(`licenses of ${licenses} packages`);

if (existsSync(out)) renameSync(out, join(scratch, 'old'));
renameSync(fresh, out);
console.log(`out/ is complete, ${seconds(began)}`);
