// `npm run example`: measures the one-click preset on this machine for a minute and keeps the result as the example
// that the app shows to people without Docker (assets/example/result.json.gz). Nothing in it is made up, so it is only as
// quiet as the machine was: leave it alone meanwhile. What would tell whose machine it is has been taken out. Options of
// `whalemark run` may follow: npm run example -- --set schedule.rounds=5.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { setup } from './setup.mjs';

/** It comes with every copy of the app. */
const MOST_BYTES = 448 * 1024;

const root = join(import.meta.dirname, '..');
const example = join(root, 'assets', 'example', 'result.json.gz');
const { env } = await setup({ needs: ['modules', 'engine', 'images'] });
const home = mkdtempSync(join(tmpdir(), 'whalemark-example-'));
const out = join(home, 'out');

/** @param {string[]} args */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env, WHALEMARK_HOME: home, WHALEMARK_DATASETS: 'off' },
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with status ${String(status)}`);
}

try {
  run('scripts/build.mjs');
  const quick = ['run', 'docker-options', '--quick', '--output', out];
  run('out/cli/whalemark.cjs', ...quick, ...process.argv.slice(2));
  const packed = gzipSync(readFileSync(join(out, 'result.json')), { level: 9 });
  if (packed.length > MOST_BYTES) throw new Error(`${packed.length} bytes are more than ${MOST_BYTES}`);
  mkdirSync(join(example, '..'), { recursive: true });
  writeFileSync(example, packed);
  console.log(`${example}: ${Math.round(packed.length / 1024)} KiB. Build again to have it in the app.`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
