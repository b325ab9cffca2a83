// `npm run screenshots`: takes the pictures of docs/screenshots again, in about five minutes: screens of the
// built app, and a real run on this machine's engine. With `--stale` only those that `npm run lint:docs`
// reports.
import { dirname, delimiter, join } from 'node:path';
import process from 'node:process';
import { setup } from './setup.mjs';
import { foreground } from './setup/command.mjs';
import { withScreen } from './setup/display.mjs';
import { optionsOf } from './setup/options.mjs';

const { values } = optionsOf('npm run screenshots [-- --stale]   (default: all pictures)', {
  stale: { type: 'boolean', default: false },
});
const { env } = await setup({ needs: ['modules', 'engine', 'images', 'compose', 'electron', 'display'] });
const built = await foreground(process.execPath, ['scripts/build.mjs']);
if (built !== 0) process.exit(built);
// Compose from set-up, for machines without one.
const compose = dirname(env['WHALEMARK_TEST_COMPOSE'] ?? '/');
const PATH = [compose, process.env['PATH']].join(delimiter);
const [program = '', ...args] = [
  ...withScreen(),
  process.execPath,
  join(import.meta.dirname, 'screenshots/take.mjs'),
  ...(values.stale ? ['--stale'] : []),
];
process.exitCode = await foreground(program, args, { ...env, PATH });
