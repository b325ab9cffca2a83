// `npm run package`: makes installers and archives of this system in dist/, as electron-builder.yml says. Arguments go to
// electron-builder: `npm run package -- --linux tar.gz --x64`, `-- --dir` for an unpacked folder. `--as-built` packs out/ as it
// is.
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setup } from './setup.mjs';
import { foreground } from './setup/command.mjs';

const AS_BUILT = '--as-built';
const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log('npm run package -- [--as-built] [OPTION OF ELECTRON-BUILDER]…');
  process.exit();
}
const { env } = await setup({ needs: ['modules', 'electron'] });
const { path7za } = await import('7zip-bin');
const { root } = await import('./build/node-entry.mjs');
const { builderArguments } = await import('./package/arguments.mjs');
const { writeIcons } = await import('./package/icons.mjs');

const built = given.includes(AS_BUILT) ? 0 : await foreground(process.execPath, ['scripts/build.mjs']);
if (built !== 0) process.exit(built);
await writeIcons(join(root, '.cache', 'icons'));

// 7-Zip comes from the lock file; electron-builder's own would be one more download.
if (process.platform !== 'win32') chmodSync(path7za, 0o755);

const dist = env['ELECTRON_OVERRIDE_DIST_PATH'];
const { args, leftOut } = builderArguments({
  platform: process.platform,
  repository: process.env['WHALEMARK_REPOSITORY'] ?? '',
  given: given.filter((argument) => argument !== AS_BUILT),
  testElectron:
    dist === undefined ? undefined : { dist, version: readFileSync(join(dist, 'version'), 'utf8').trim() },
});
if (leftOut !== undefined) console.log(leftOut);
process.exitCode = await foreground(
  process.execPath,
  [join('node_modules', 'electron-builder', 'cli.js'), ...args],
  { ELECTRON_BUILDER_7ZIP_PATH: path7za },
);
