// `npm run package:npm`: makes the terminal twin's npm package, dist/whalemark-VERSION.tgz, from the output
// of `npm run build`. It has no dependencies: `npm install -g` of that file installs the command `whalemark`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { root } from './build/node-entry.mjs';
import { optionsOf } from './setup/options.mjs';

const PARTS = [
  'out/cli',
  'out/assets',
  'out/presets',
  'out/main/client.cjs',
  'out/main/reader.cjs',
  'out/main/sweeper.cjs',
  'LICENSE',
  'README.md',
];

const { values } = optionsOf('npm run package:npm -- [--out FOLDER]   (default: dist)', {
  out: { type: 'string', default: join(root, 'dist') },
});
const { name, version, description, license, author, bin, engines } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const repository = process.env['WHALEMARK_REPOSITORY'] ?? '';
const source = { repository: { type: 'git', url: `git+https://github.com/${repository}.git` } };
const manifest = {
  ...{ name, version, description, license, author, bin, engines },
  ...(repository === '' ? {} : source),
};

const folder = mkdtempSync(join(tmpdir(), 'whalemark-npm-'));
try {
  for (const part of PARTS) {
    mkdirSync(dirname(join(folder, part)), { recursive: true });
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(values.out, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const packed = spawnSync(npm, ['pack', '--pack-destination', values.out], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = packed.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
