// `npm run bench:NAME`, `npm run test:faults`: sets up what is missing, builds the app, bundles the bench and runs it. A bench
// prints its figures as a table; what follows the name goes to it as arguments.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from '../scripts/build/node-entry.mjs';
import { bundled } from '../scripts/build/program.mjs';
import { runBeside } from '../scripts/engines/rig.mjs';
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
/** Runs next to the engine in the rig's virtual machine. */
const inVm = args.includes('--vm');
/** @type {Record<string, string>} */
const env = {};
// A report needs only earlier results.
if (!args.includes('--report') && !args.includes('--help')) {
  const more = [
    ...(withWindow ? /** @type {const} */ (['electron', 'display']) : []),
    ...(inVm ? /** @type {const} */ (['vm']) : []),
  ];
  Object.assign(env, (await setup({ needs: ['modules', 'engine', 'images', ...more] })).env);
  const built = await foreground(process.execPath, ['scripts/build.mjs'], env);
  if (built !== 0) process.exit(built);
}
const screen = withWindow ? withScreen() : [];
const [command = '', ...rest] = [...screen, ...(await bundled(entry)), ...args];
Object.assign(process.env, env);
process.exit(await (inVm ? runBeside(['vm'], [command, ...rest]) : foreground(command, rest)));
