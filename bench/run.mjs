// `npm run bench:NAME`: sets up what is missing, builds the app, bundles bench/NAME.ts and runs it. A bench prints its
// figures as a table; what follows the name goes to it as arguments.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from '../scripts/build/node-entry.mjs';
import { bundled } from '../scripts/build/program.mjs';
import { setup } from '../scripts/setup.mjs';
import { foreground } from '../scripts/setup/command.mjs';

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

const built = await foreground(process.execPath, ['scripts/build.mjs'], env);
if (built !== 0) process.exit(built);

const start = await bundled(entry);
const screen = withWindow && process.platform === 'linux' && (process.env['DISPLAY'] ?? '') === '';
const program = [...start, ...args];
const [command = '', ...rest] = screen
  ? ['xvfb-run', '-a', '-s', '-screen 0 1920x1200x24', ...program]
  : program;
process.exit(await foreground(command, rest, env));
