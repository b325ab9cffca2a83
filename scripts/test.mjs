// `npm test`: sets up what is missing and runs the gate, all that a change needs. `npm run test:full` (`--full`) runs all
// there is. `npm test -- STAGE…` runs these stages; `npm test -- tests/… [-t TITLE]` runs these files, whatever their tier,
// and keeps servers and datasets for the next call. docs/dev/testing.md says what runs where.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isStale } from './build/stale.mjs';
import { setup } from './setup.mjs';
import { cacheDir } from './setup/cache-dir.mjs';
import { tail } from './setup/command.mjs';
import { withScreen } from './setup/display.mjs';
import { passSignalsOn, runTool } from './test/processes.mjs';
import { logOf, RUNNERS } from './test/run-stages.mjs';
import { LANES, needsOf, PHASES, requestOf, runnerOf, STAGES } from './test/stages.mjs';
import { keepSummary, summaryOf, totals } from './test/summary.mjs';
import { tool } from './tool.mjs';

/**
 * @typedef {import('./test/stages.mjs').Stage} Stage
 * @typedef {import('./test/summary.mjs').Outcome} Outcome
 */

const SOURCES = ['src', 'assets', 'presets', 'docs', 'scripts/build', 'scripts/build.mjs', 'package.json'];

/** @type {import('./test/stages.mjs').Request} */
let request;
try {
  request = requestOf(process.argv.slice(2));
  if (request.paths.length > 0) runnerOf(request.paths);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(2);
}
passSignalsOn();
process.exitCode = request.paths.length > 0 ? await runFiles(request) : await runStages(request);

/** @param {import('./test/stages.mjs').Request} asked */
async function runFiles({ paths, rest }) {
  const { runner, projects, needs, isBuilt } = runnerOf(paths);
  const { env } = await setup({ needs: ['modules', ...needs] });
  if (isBuilt && isStale('out/cli/whalemark.cjs', '.', SOURCES)) {
    const built = await runTool([process.execPath, 'scripts/build.mjs']);
    if (built !== 0) return built;
  }
  const engine = process.env['WHALEMARK_TEST_ENGINE'] ?? 'docker-28';
  const beside = projects.includes('engines') ? [process.execPath, 'scripts/engines.mjs', engine] : [];
  const command =
    runner === 'vitest'
      ? [...beside, ...tool('vitest'), 'run', ...projects.map((project) => `--project=${project}`)]
      : [...withScreen(), ...tool('@playwright/test', 'playwright'), 'test'];
  const kept = { WHALEMARK_TEST_KEEP: '1', WHALEMARK_DATASETS: join(cacheDir(), 'test-datasets') };
  return runTool([...command, ...paths, ...rest], { env: { ...env, ...kept, WHALEMARK_TEST_FULL: '1' } });
}

/** @param {import('./test/stages.mjs').Request} asked */
async function runStages({ full, stages }) {
  const began = Date.now();
  const mode = full ? 'npm run test:full' : 'npm test';
  const folder = 'test-results';
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'whalemark-test-run-'));
  /** @type {Record<string, string>} */
  const env = {
    // Shared by all stages that load tables, and removed by the last.
    WHALEMARK_DATASETS: join(scratch, 'datasets'),
    ...(full ? { WHALEMARK_TEST_FULL: '1' } : {}),
  };
  const run = { folder, full, env, began, scratch };
  /** @type {Outcome[]} */
  const outcomes = [];
  await setup({ needs: ['modules'] });
  for (const phase of PHASES) {
    const queue = stages.filter((stage) => STAGES[stage].phase === phase);
    const needs = needsOf(queue);
    if (needs.length > 0) Object.assign(env, (await setup({ needs })).env);
    const lane = async () => {
      for (let stage = queue.shift(); stage !== undefined; stage = queue.shift()) {
        outcomes.push(await runStage(stage, run));
      }
    };
    await Promise.all(Array.from({ length: LANES[phase] }, lane));
    if (phase === 'static' && totals(outcomes)[1] > 0 && stages.length > outcomes.length) {
      console.log('\nNo server starts while these fail.');
      break;
    }
  }
  await rm(scratch, { recursive: true, force: true });
  const facts = { mode, folder, seconds: (Date.now() - began) / 1000 };
  await keepSummary(outcomes, facts);
  console.log(summaryOf(outcomes, facts));
  const [passed, failed] = totals(outcomes);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/**
 * @param {Stage} stage
 * @param {import('./test/run-stages.mjs').Run} run
 * @returns {Promise<Outcome>}
 */
async function runStage(stage, run) {
  const start = Date.now();
  console.log(`  … ${stage}`);
  const counts = await RUNNERS[stage](run);
  const seconds = (Date.now() - start) / 1000;
  console.log(
    `${counts.failed === 0 ? '✓' : '✗'} ${stage}: ${counts.passed} passed, ${counts.failed} failed (${seconds.toFixed(0)} s)`,
  );
  if (counts.failed > 0) {
    const log = await readFile(logOf(run, stage), 'utf8').catch(() => '');
    console.log(`${tail(log, 60)}\n`);
  }
  return { name: stage, ...counts, seconds };
}
