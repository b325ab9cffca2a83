// `npm run dev`: the app from its sources, which follows every change of them. docs/dev/testing.md says more.
import process from 'node:process';
import { hasScreen } from './setup/display.mjs';
import { canBuild } from './setup/node-version.mjs';
import { setup } from './setup.mjs';

if (!canBuild(process.versions.node)) {
  console.error(`Whalemark needs Node 20.19, 22.12 or later to build; this is ${process.version}.`);
  process.exit(1);
}
const { developmentOptions, UsageError } = await import('./dev/options.mjs');
/** @type {ReturnType<typeof developmentOptions>} */
let options;
try {
  options = developmentOptions(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(2);
}
if (!hasScreen()) {
  console.error('There is no display to open the window on. Under a virtual one it runs like this:');
  console.error(`  xvfb-run -a npm run dev ${['--', ...process.argv.slice(2)].join(' ')}`);
  process.exit(1);
}
// The app opens without an engine, too, and a story needs none.
const { env } = await setup(
  options.story === undefined
    ? { needs: ['modules', 'electron', 'engine', 'images'], optional: ['engine', 'images'] }
    : { needs: ['modules', 'electron'] },
);
// Its packages are there from here on.
const { develop } = await import('./dev/develop.mjs');
await develop(options, env);
