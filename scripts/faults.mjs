// `npm run test:faults`: the fault matrix (bench/faults) on its own engine. Sets up what is missing, builds, and runs it;
// what follows goes to it as arguments: --fault NAME, --phase NAME, --only-missing, --minutes N, --report.
import process from 'node:process';
import { bundled } from './build/program.mjs';
import { setup } from './setup.mjs';
import { foreground } from './setup/command.mjs';

const args = process.argv.slice(2);
const onlyReport = args.includes('--report');
const { env } = onlyReport ? { env: {} } : await setup({ needs: ['modules', 'engine', 'images'] });
if (!onlyReport) {
  const built = await foreground(process.execPath, ['scripts/build.mjs']);
  if (built !== 0) process.exit(built);
}
const [command = '', ...program] = await bundled('bench/faults/main.ts');
process.exit(await foreground(command, [...program, ...args], env));
