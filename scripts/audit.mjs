import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judge, NO_AUDIT } from './audit/judge.mjs';
import { optionsOf } from './setup/options.mjs';

// Asks the registry for known holes in what the build lists as shipped: `npm audit --omit=dev` leaves out
// bundled dependencies. Exit codes: 0 clean, 1 something high or critical ships, 3 the registry has no audit.
optionsOf('npm run audit', {});
const list = join(import.meta.dirname, '..', 'out/assets/licenses.json');
if (!existsSync(list)) {
  console.error('There is no list of what ships yet: npm run build');
  process.exit(2);
}
/** @type {{ name: string, version: string }[]} */
const shipped = JSON.parse(readFileSync(list, 'utf8'));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const { stdout } = spawnSync(npm, ['audit', '--json'], {
  cwd: join(import.meta.dirname, '..'),
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 64 * 2 ** 20,
});
const { lines, exitCode } = judge(stdout ?? '', shipped);
for (const line of lines) console.log(line);
if (exitCode === NO_AUDIT) console.log(`${shipped.length} packages ship; none of them was checked.`);
process.exit(exitCode);
