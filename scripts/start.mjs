// `npm start`: sets up whatever is missing, then runs the main job: the app in a window, or, where there is no
// display, the one-click comparison in the terminal with its report in ./whalemark-report.
import process from 'node:process';
import { setup } from './setup.mjs';
import { foreground } from './setup/command.mjs';
import { hasScreen } from './setup/display.mjs';
import { electronToStart } from './setup/electron.mjs';
import { requireNode } from './setup/node-version.mjs';
import { say } from './setup/report.mjs';

requireNode();

const hasDisplay = hasScreen();

// Without an engine the app still opens and shows what to do.
const { env } = await setup({
  needs: ['modules', 'engine', 'images'],
  optional: ['engine', 'images'],
});
if (hasDisplay) Object.assign(env, await environmentOfElectron());
say('building Whalemark …');
const built = await foreground(process.execPath, ['scripts/build.mjs'], {});
if (built !== 0) process.exit(built);

const args = process.argv.slice(2);
if (hasDisplay) {
  // The package's entry reads the override when it is loaded, and exports the executable's path.
  Object.assign(process.env, env);
  const { default: electron } = await import('electron');
  // Chromium refuses its sandbox to root; other users keep it.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  process.exit(await foreground(String(electron), ['.', ...asRoot, ...args], env));
}
console.log('No display: running the comparison in the terminal. Its report goes to ./whalemark-report');
process.exit(
  await foreground(
    process.execPath,
    ['out/cli/whalemark.cjs', 'run', 'docker-options', '--output', 'whalemark-report', ...args],
    env,
  ),
);

/** Ends this program if there is no Electron. */
async function environmentOfElectron() {
  try {
    const found = await electronToStart();
    if (found.older === undefined) return found.env;
    const banner = `The window runs on Electron ${found.older} without security fixes. Use it on disposable machines only.`;
    for (const line of ['!'.repeat(banner.length), banner, '!'.repeat(banner.length)]) say(line);
    return { ...found.env, WHALEMARK_OLD_ELECTRON: found.older };
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return process.exit(1);
  }
}
