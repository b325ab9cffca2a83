import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { toErrorData } from '../shared/errors.ts';
import { presetsHere } from './presets/preset-file.ts';
import { exportHere, previewHere } from './report/share-run.ts';
import { listedRunsHere, resultHere } from './store/read-result.ts';
import { optionsOfFileHere } from './database/option-files.ts';
import { composeHere } from './database/open-database.ts';
import { firstStartHere } from './database/first-start.ts';
import { overridesHere } from './database/database-overrides.ts';
import { FAILED, READINGS } from './reading/reader.ts';

const LOWER_PRIORITY = 10;

const READ: Record<(typeof READINGS)[number], (question: never) => unknown> = {
  result: resultHere,
  runs: listedRunsHere,
  preview: previewHere,
  export: exportHere,
  compose: composeHere,
  'option-file': optionsOfFileHere,
  presets: presetsHere,
  overrides: overridesHere,
  'first-start': firstStartHere,
};

/** A separate thread, since reading may never return to the event loop. */
const WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  const { user, system } = process.cpuUsage(workerData.before);
  if (user + system > 1000 * workerData.cpuMs) process.kill(process.pid, 'SIGKILL');
}, 200);
`;

function endAfter(cpuMs: number): void {
  const workerData = { cpuMs, before: process.cpuUsage() };
  new Worker(WATCH, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
}

async function answer(): Promise<string | Uint8Array> {
  const reading = z.enum(READINGS).parse(process.argv.at(-1));
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part));
  const question = z.custom<never>().parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
  endAfter(Number(process.argv.at(-2)));
  const read = await READ[reading](question);
  return read instanceof Uint8Array ? read : JSON.stringify(read);
}

try {
  setPriority(LOWER_PRIORITY);
} catch {}
void answer()
  .catch((error: unknown) => {
    process.exitCode = FAILED;
    return JSON.stringify(toErrorData(error));
  })
  .then((bytes) => process.stdout.write(bytes));
