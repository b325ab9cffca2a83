// `npm run whalemark -- …`: the terminal twin from the source tree; builds it when it isn't there, or is older than its sources.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { isStale } from './build/stale.mjs';

const cli = 'out/cli/whalemark.cjs';
if (isStale(cli)) {
  console.error('out/ is missing or older than its sources: building it.');
  const built = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
const run = spawnSync(process.execPath, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(run.status ?? 1);
