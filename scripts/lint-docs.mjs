// `npm run lint:docs`: prints every problem of the pages, the texts of both languages, and the workflows.
// `npm run docs` first writes the parts of pages that are made from code.
import process from 'node:process';
import { bundled } from './build/program.mjs';
import { foreground } from './setup/command.mjs';

const [command = '', ...args] = await bundled('scripts/lint-docs/main.ts');
process.exit(await foreground(command, [...args, ...process.argv.slice(2)]));
