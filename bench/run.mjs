// `npm run bench:NAME`, `npm run test:faults`: sets up what is missing, builds the app, bundles the bench and runs it. A bench prints
// its figures as a table; what follows the name goes to it as arguments.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from '../scripts/build/node-entry.mjs';
import { bundled } from '../scripts/build/program.mjs';
import { setup } from '../scripts/setup.mjs';
import { foreground } from '../scripts/setup/command.mjs';
import { withScreen } from '../scripts/setup/display.mjs';

const [name = '', ...args] = process.argv.slice(2);
const entry = [`bench/${name}.ts`, `bench/${name}/main.ts`].find((file) => existsSync(join(root, file)));
if (!/^[a-z-]+$/.test(name) || entry === undefined) {
  console.error(`There is no bench called “${name}”; package.json has the list.`);
  process.exit(2);
}
const withWindow = ['observer', 'soak', 'startup', 'ui'].includes(name);
/** @type {Record<string, string>} */
const env = {};
// A report is of what has been measured before.
if (!args.includes('--report')) {
  /** @type {import('../scripts/setup.mjs').Need[]} */
  const shown = withWindow ? ['electron', 'display'] : [];
  Object.assign(env, (await setup({ needs: ['modules', 'engine', 'images', ...shown] })).env);
  const built = await foreground(process.execPath, ['scripts/build.mjs'], env);
  if (built !== 0) process.exit(built);
}
const screen = withWindow ? withScreen() : [];
const [command = '', ...rest] = [...screen, ...(await bundled(entry)), ...args];
process.exit(await foreground(command, rest, env));
