// Checks code against the types of the tests' Electron; `npm run types` checks it against the users' one.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { repository } from '../setup/repository.mjs';
import { tool } from '../tool.mjs';
import { runTool } from './processes.mjs';

const folder = join(repository, '.cache', 'electron-22');
mkdirSync(folder, { recursive: true });
// The types of Node are found only from a file in the tree.
copyFileSync(String(process.env['WHALEMARK_TEST_ELECTRON_TYPES']), join(folder, 'electron.d.ts'));
process.exitCode = await runTool([
  ...tool('typescript', 'tsc'),
  ...['--noEmit', '-p', join(repository, 'tests/electron-22/tsconfig.json')],
]);
