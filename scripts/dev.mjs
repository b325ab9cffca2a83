// `npm run dev`: the app from its sources, which follows every change of them. docs/dev/inner-loop.md says how.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import process from 'node:process';
import { AppProcess } from './dev/app-process.mjs';
import { Rebuilds } from './dev/rebuilds.mjs';
import { developmentOptions } from './dev/options.mjs';
import { hasScreen } from './setup/display.mjs';
import { setup } from './setup.mjs';
