// How each stage of `npm test` runs.
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { withScreen } from '../setup/display.mjs';
import { tool } from '../tool.mjs';
import { runTool } from './processes.mjs';
import { playwrightCounts, vitestCounts } from './reports.mjs';

/**
 * @typedef {import('./reports.mjs').Counts} Counts
 * @typedef {import('./stages.mjs').Stage} Stage
 *
 * @typedef {object} Run
 * @property {string} folder for reports and logs
 * @property {boolean} full
 * @property {Record<string, string>} env
 * @property {number} began milliseconds
 * @property {string} scratch a temporary folder that stages share
 */

/** @param {string} name */
const slug = (name) => name.replaceAll(' ', '-');
/** @param {Run} run @param {string} stage */
export const logOf = ({ folder }, stage) => join(folder, `${slug(stage)}.log`);
/** @param {Run} run @param {string} stage */
const reportOf = ({ folder }, stage) => join(folder, `${slug(stage)}.json`);

/**
 * Every command runs, and counts as one test.
 *
 * @param {string} stage
 * @param {(string | readonly string[])[][]} commands
 * @returns {(run: Run) => Promise<Counts>}
 */
const checks =
  (stage, ...commands) =>
  async (run) => {
    /** @type {Counts} */
    const counts = { passed: 0, failed: 0, failures: [], files: [] };
    for (const [index, command] of commands.entries()) {
      const log = index === 0 ? logOf(run, stage) : `${logOf(run, stage)}.${index}.log`;
      const exitCode = await runTool(command.flat(), { env: run.env, log });
      if (exitCode === 0) counts.passed += 1;
      else {
        counts.failed += 1;
        counts.failures.push({ name: stage, reason: `exit code ${exitCode}; ${log}` });
      }
    }
    return counts;
  };

/**
 * @param {string} stage
 * @param {string[]} projects
 * @param {(run: Run) => string[]} [options]
 * @param {(run: Run) => string[]} [program] Node with its arguments
 * @returns {(run: Run) => Promise<Counts>}
 */
const vitest =
  (stage, projects, options = () => [], program = () => [process.execPath]) =>
  async (run) => {
    const report = reportOf(run, stage);
    const command = [
      ...[...program(run), ...tool('vitest').slice(1), 'run'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...projects.map((project) => `--project=${project}`),
      ...options(run),
    ];
    return vitestCounts(report, await runTool(command, { env: run.env, log: logOf(run, stage) }));
  };

/** @param {string} filter @returns {(run: Run) => string[]} */
const tagged =
  (filter) =>
  ({ full }) => [`--tags-filter=${full ? filter : `${filter} && !full`}`];

/** Files with quiet tests: searching all others takes longer than running them. */
const quietFiles = () =>
  readdirSync('tests/integration', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('tests/integration', name))
    .filter((file) => /['"]quiet['"]/.test(readFileSync(file, 'utf8')));

/**
 * @param {string} stage
 * @param {(run: Run) => string[]} options
 * @param {Record<string, string>} [more] environment
 * @returns {(run: Run) => Promise<Counts>}
 */
const playwright =
  (stage, options, more = {}) =>
  async (run) => {
    const report = reportOf(run, stage);
    const command = [
      ...[...withScreen(), ...tool('@playwright/test', 'playwright'), 'test', '--reporter=list,json'],
      ...['--output', join(run.folder, slug(stage)), ...options(run)],
    ];
    const env = { ...run.env, ...more, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    return playwrightCounts(report, await runTool(command, { env, log: logOf(run, stage) }));
  };

const node = process.execPath;
/** @param {Stage} stage @param {string[]} [options] */
const beside = (stage, options = []) =>
  vitest(
    stage,
    ['engines'],
    () => options,
    () => [node, 'scripts/engines.mjs', stage.replaceAll(' ', '-'), node],
  );
const NOT_IN_VM = ['--exclude=tests/engines/vm/**'];
/** Tests of Node's sockets, threads, timers, child processes, and streams in core and load. */
export const NODE_24_FILES = [
  ...['run/run', 'run/native', 'runtime/lifecycle'].map((name) => `tests/integration/${name}.test.ts`),
  ...['driver', 'wire', 'wire-lost', 'prepare', 'workloads', 'tpcc'].map(
    (name) => `tests/integration/load/${name}.test.ts`,
  ),
];
/** One worker: another stage has the other core. */
const ONE = () => ['--maxWorkers=1'];

/** @type {Record<Stage, (run: Run) => Promise<Counts>>} */
export const RUNNERS = {
  format: checks('format', [tool('prettier'), '--check', '--log-level', 'warn', '.']),
  lint: checks(
    'lint',
    [tool('eslint'), '.', '--max-warnings=0'],
    [node, 'scripts/import-cycles.mjs'],
    [tool('knip'), '--no-progress'],
  ),
  docs: checks('docs', [node, 'scripts/lint-docs.mjs']),
  types: checks(
    'types',
    [tool('typescript', 'tsc'), '--noEmit'],
    // The window's sources and the tests of its components in one program.
    [tool('svelte-check'), '--tsconfig', 'tests/renderer/tsconfig.json', '--fail-on-warnings'],
  ),
  'types of electron 22': checks('types of electron 22', [node, 'scripts/test/types-of-electron-22.mjs']),
  build: checks('build', [node, 'scripts/build.mjs']),
  unit: vitest('unit', ['unit*'], ({ full }) => [...ONE(), ...(full ? [] : ['--tags-filter=!full'])]),
  renderer: vitest('renderer', ['renderer'], ONE),
  fuzz: vitest('fuzz', ['fuzz'], ONE),
  integration: vitest('integration', ['integration'], tagged('!quiet')),
  load: vitest('load', ['load'], tagged('!quiet')),
  servers: vitest('servers', ['servers'], tagged('!quiet')),
  quiet: vitest('quiet', ['integration', 'load', 'servers'], (run) => [
    ...tagged('quiet')(run),
    ...quietFiles(),
  ]),
  chromium: vitest('chromium', ['chromium']),
  sandbox: playwright('sandbox', () => ['tests/e2e/security.spec.ts'], { WHALEMARK_TEST_SANDBOX: '1' }),
  'node 24': vitest(
    'node 24',
    ['integration', 'load'],
    () => ['--tags-filter=!quiet && !full', ...NODE_24_FILES],
    ({ env }) => [String(env['WHALEMARK_TEST_NODE'])],
  ),
  window: playwright('window', ({ full }) => ['--grep-invert', full ? '@engine' : '@engine|@full']),
  'end to end': playwright('end to end', ({ full }) => [
    ...['--grep', '@engine'],
    ...(full ? [] : ['--grep-invert', '@full']),
  ]),
  'docker 28': beside('docker 28', NOT_IN_VM),
  'docker 28 containerd': beside('docker 28 containerd', NOT_IN_VM),
  'podman 5': beside('podman 5', NOT_IN_VM),
  vm: beside('vm'),
  'nothing left behind': async (run) => {
    const env = { ...run.env, WHALEMARK_HOME: join(run.scratch, 'home') };
    const cleaned = await checks('datasets', [node, 'out/cli/whalemark.cjs', 'clean', '--datasets'])({
      ...run,
      env,
    });
    await rm(run.scratch, { recursive: true, force: true });
    const found = await checks('nothing left behind', [node, 'scripts/leftovers.mjs', String(run.began)])(
      run,
    );
    return cleaned.failed === 0 ? found : cleaned;
  },
};
