// `npm run dev`: the app from its sources, which follows every change of them. docs/dev/testing.md says more.
import process from 'node:process';
import { developmentOptions } from './dev/options.mjs';
import { hasScreen } from './setup/display.mjs';
import { requireNode } from './setup/node-version.mjs';
import { setup } from './setup.mjs';

requireNode();
const options = developmentOptions();
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
const { develop } = await import('./dev/develop.mjs');
await develop(options, env);
