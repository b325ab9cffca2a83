// `npm test`: sets up whatever is missing and runs every check: format, lint, types, unit, fuzzing, integration, end to end,
// and that nothing is left behind. Names of stages as arguments run only those. At the end it names what failed; its last line
// is "N passed, N failed".
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setup } from './setup.mjs';
import { playwrightCounts, vitestCounts } from './test-reports.mjs';
import { isStage, needsOf, STAGE_NEEDS } from './test-stages.mjs';
import { tool } from './tool.mjs';

/** @typedef {import('./test-reports.mjs').Counts & { name: string, seconds: number }} Outcome */

const only = process.argv.slice(2);
const unknown = only.filter((name) => !isStage(name));
if (unknown.length > 0) {
  // A name that is spelled wrong must not look like a stage that passed.
  console.error(
    `There is no stage called “${unknown.join('”, “')}”; known: ${Object.keys(STAGE_NEEDS).join(', ')}.`,
  );
  process.exit(2);
}
const { env } = await setup({ needs: needsOf(only) });
const began = Date.now();
const reports = await mkdtemp(join(tmpdir(), 'whalemark-reports-'));

/** A stage that takes longer is stuck: it is ended and has failed, so that the others still run and the end is printed. */
const STAGE_LIMIT_MS = 55 * 60_000;
/** How long a runner may take to end what it started. */
const GRACE_MS = 20_000;

const hasGroups = process.platform !== 'win32';
/** Of the runners that run. @type {Set<(signal: NodeJS.Signals) => void>} */
const endings = new Set();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    for (const end of endings) end(signal);
    process.exit(130);
  });
}

/**
 * @param {string[]} command
 * @param {Record<string, string>} [more]
 * @returns {Promise<number>} the exit code; 124, as of `timeout`, when it was ended for taking too long
 */
function run([program = '', ...args], more = {}) {
  return new Promise((resolve, reject) => {
    // A group of its own, where there are any: what a runner has started must end with it.
    const child = spawn(program, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, ...more },
      detached: hasGroups,
      // npm itself is such a script on Windows; what is handed to it are constants of this file.
      shell: program === 'npm' && process.platform === 'win32',
    });
    /** @param {NodeJS.Signals} signal */
    const end = (signal) => {
      if (hasGroups && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    };
    endings.add(end);
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      console.log(`\n${program} takes longer than ${STAGE_LIMIT_MS / 60_000} min and is ended`);
      end('SIGTERM');
      // A runner whose event loop is busy hears no signal.
      setTimeout(() => endings.has(end) && end('SIGKILL'), GRACE_MS).unref();
    }, STAGE_LIMIT_MS);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(limit);
      endings.delete(end);
      resolve(late ? 124 : (code ?? 1));
    });
  });
}

/** @param {string} project */
const vitest = (project) => async () => {
  const file = join(reports, `${project}.json`);
  const command = [...tool('vitest'), 'run', '--project', project];
  const exitCode = await run([
    ...command,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  return vitestCounts(file, exitCode);
};

/** @param {string[]} command */
const check = (command) => async () => {
  const exitCode = await run(command);
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, failures: [] };
};

const endToEnd = async () => {
  const file = join(reports, 'e2e.json');
  const display =
    process.platform === 'linux' && (process.env['DISPLAY'] ?? '') === ''
      ? ['xvfb-run', '-a', '-s', '-screen 0 1920x1200x24']
      : [];
  const exitCode = await run(
    [...display, ...tool('@playwright/test', 'playwright'), 'test', '--reporter=list,json'],
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    },
  );
  return playwrightCounts(file, exitCode);
};

/** @type {[import('./test-stages.mjs').Stage, () => Promise<import('./test-reports.mjs').Counts>][]} */
const stages = [
  ['format', check([...tool('prettier'), '--check', '--log-level', 'warn', '.'])],
  ['lint', check([...tool('eslint'), '.', '--max-warnings=0'])],
  ['types', check(['npm', 'run', '--silent', 'types'])],
  ['unit', vitest('unit')],
  ['fuzz', vitest('fuzz')],
  ['build', check([process.execPath, 'scripts/build.mjs'])],
  ['integration', vitest('integration')],
  ['end to end', endToEnd],
  ['nothing left behind', check([process.execPath, 'scripts/leftovers.mjs', String(began)])],
];

/** @type {Outcome[]} */
const outcomes = [];
for (const [name, stage] of stages) {
  if (only.length > 0 && !only.includes(name)) continue;
  console.log(`\n── ${name}`);
  const start = Date.now();
  const counts = await stage();
  outcomes.push({ name, ...counts, seconds: Math.round((Date.now() - start) / 1000) });
  // What follows runs what was built, or looks for what that left.
  if (name === 'build' && counts.failed > 0) break;
}
await rm(reports, { recursive: true, force: true });

console.log('');
for (const { name, passed, failed, failures, seconds } of outcomes) {
  console.log(`${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)`);
  for (const failure of failures) console.log(`    ✗ ${failure.name}\n      ${failure.reason}`);
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
