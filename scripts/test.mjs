// `npm test`: sets up whatever is missing and runs every check: format, lint, types, unit, integration, end to end,
// and that nothing is left behind. Its last line is "N passed, N failed".
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setup } from './setup.mjs';

/** @typedef {{ name: string, passed: number, failed: number, seconds: number }} Outcome */

const { env } = await setup({
  needs: ['modules', 'engine', 'images', 'native', 'electron', 'display', 'tools'],
});
const began = Date.now();
const reports = await mkdtemp(join(tmpdir(), 'whalemark-reports-'));
const bin = (/** @type {string} */ name) => join('node_modules', '.bin', name);

/**
 * @param {string[]} command
 * @param {Record<string, string>} [more]
 * @returns {Promise<number>}
 */
function run([program = '', ...args], more = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env, ...more } });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Counts of a Vitest JSON report; a run that never wrote one counts as one failure.
 * @param {string} file
 * @param {number} exitCode
 */
async function vitestCounts(file, exitCode) {
  try {
    const report = JSON.parse(await readFile(file, 'utf8'));
    const passed = Number(report.numPassedTests);
    // A file that fails to load, or a hook outside a test, fails the run without failing a test.
    const failed = Math.max(Number(report.numFailedTests), exitCode === 0 ? 0 : 1);
    return { passed, failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/**
 * @param {string} file
 * @param {number} exitCode
 */
async function playwrightCounts(file, exitCode) {
  try {
    const { stats } = JSON.parse(await readFile(file, 'utf8'));
    const failed = Number(stats.unexpected) + Number(stats.flaky);
    return { passed: Number(stats.expected), failed: Math.max(failed, exitCode === 0 ? 0 : 1) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** @param {string} project */
const vitest = (project) => async () => {
  const file = join(reports, `${project}.json`);
  const command = [bin('vitest'), 'run', '--project', project];
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
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1 };
};

const endToEnd = async () => {
  const file = join(reports, 'e2e.json');
  const display =
    process.platform === 'linux' && (process.env['DISPLAY'] ?? '') === ''
      ? ['xvfb-run', '-a', '-s', '-screen 0 1920x1200x24']
      : [];
  const exitCode = await run([...display, bin('playwright'), 'test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  return playwrightCounts(file, exitCode);
};

/** @type {[string, () => Promise<{ passed: number, failed: number }>][]} */
const stages = [
  ['format', check([bin('prettier'), '--check', '--log-level', 'warn', '.'])],
  ['lint', check([bin('eslint'), '.', '--max-warnings=0'])],
  ['types', check(['npm', 'run', '--silent', 'types'])],
  ['unit', vitest('unit')],
  ['build', check([process.execPath, 'scripts/build.mjs'])],
  ['integration', vitest('integration')],
  ['end to end', endToEnd],
  ['nothing left behind', check([process.execPath, 'scripts/leftovers.mjs', String(began)])],
];

/** @type {Outcome[]} */
const outcomes = [];
const only = process.argv.slice(2);
for (const [name, stage] of stages) {
  if (only.length > 0 && !only.includes(name)) continue;
  console.log(`\n── ${name}`);
  const start = Date.now();
  outcomes.push({ name, ...(await stage()), seconds: Math.round((Date.now() - start) / 1000) });
}
await rm(reports, { recursive: true, force: true });

console.log('');
for (const { name, passed, failed, seconds } of outcomes) {
  console.log(`${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)`);
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
