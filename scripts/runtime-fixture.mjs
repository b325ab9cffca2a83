// `node scripts/runtime-fixture.mjs REPORT NAME`: makes a fixture of a report of `whalemark doctor --output`.
import process from 'node:process';
import { bundled } from './build/program.mjs';
import { foreground } from './setup/command.mjs';

const [command = '', ...args] = await bundled('scripts/runtime-fixture/main.ts');
process.exit(await foreground(command, [...args, ...process.argv.slice(2)]));
