// `npm run bench:NAME`: sets up what is missing, builds the app, bundles bench/NAME.ts and runs it. A bench prints its
// figures as a table; what follows the name goes to it as arguments.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build, mergeConfig } from 'vite';
import { nodeEntry, root } from '../scripts/build/node-entry.mjs';
import { setup } from '../scripts/setup.mjs';

const [name = '', ...args] = process.argv.slice(2);
const entry = `bench/${name}.ts`;
if (!/^[a-z-]+$/.test(name) || !existsSync(join(root, entry))) {
  console.error(`There is no bench called “${name}”; package.json has the list.`);
  process.exit(2);
}
const withWindow = ['observer', 'soak', 'startup', 'ui'].includes(name);
const { env } = await setup({
  needs: withWindow
    ? ['modules', 'engine', 'images', 'electron', 'display']
    : ['modules', 'engine', 'images'],
});

/**
 * @param {string} command
 * @param {string[]} commandArgs
 * @param {Record<string, string>} more
 * @returns {Promise<number>}
 */
const foreground = (command, commandArgs, more = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, {
      stdio: 'inherit',
      cwd: root,
      env: { ...process.env, ...env, ...more },
    });
    // It cleans up what it has started and then ends; so do we.
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => undefined);
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });

const built = await foreground(process.execPath, ['scripts/build.mjs']);
if (built !== 0) process.exit(built);

// Inside the tree, so that what is not bundled is found in node_modules.
const outDir = join(root, '.cache', `bench-${process.pid}`);
process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));
mkdirSync(outDir, { recursive: true });
const config = nodeEntry({ entry, outDir, fileName: 'bench.mjs', target: 'node20' });
await build(
  mergeConfig(config, {
    // Packages come from node_modules; only what is ours is bundled.
    build: { rolldownOptions: { external: [/^[@a-z]/], output: { format: 'es' } } },
  }),
);
const screen = withWindow && process.platform === 'linux' && (process.env['DISPLAY'] ?? '') === '';
const program = [process.execPath, '--enable-source-maps', join(outDir, 'bench.mjs'), ...args];
const [command = '', ...rest] = screen
  ? ['xvfb-run', '-a', '-s', '-screen 0 1920x1200x24', ...program]
  : program;
process.exit(await foreground(command, rest));
