// The end of `npm test`, printed and kept.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @typedef {import('./reports.mjs').Counts & { name: string, seconds: number }} Outcome */

const SLOWEST = 20;

/**
 * @param {readonly Outcome[]} outcomes
 * @param {{ mode: string, seconds: number, folder: string }} run
 * @returns {string} its last line is “N passed, N failed”
 */
export function summaryOf(outcomes, { mode, seconds, folder }) {
  const files = slowest(outcomes);
  const failures = outcomes.flatMap(({ name, failed, failures: found }) =>
    failed === 0 ? [] : [`✗ ${name}`, ...found.map((one) => `    ✗ ${one.name}\n      ${one.reason}`)],
  );
  const [passed, failed] = totals(outcomes);
  return [
    ...(files.length === 0 ? [] : ['', `The ${files.length} slowest files`]),
    ...files.map((file) => `${file.seconds.toFixed(1).padStart(7)} s  ${file.name} (${file.tests} tests)`),
    '',
    `Stages of ${mode}, ${(seconds / 60).toFixed(1)} min in all; logs and reports: ${folder}`,
    ...outcomes.map(
      (one) =>
        `${one.seconds.toFixed(0).padStart(5)} s  ${one.failed === 0 ? '✓' : '✗'} ${one.name}: ${one.passed} passed, ${one.failed} failed`,
    ),
    ...(failures.length === 0 ? [] : ['', ...failures]),
    '',
    `${passed} passed, ${failed} failed`,
  ].join('\n');
}

/** @param {readonly Outcome[]} outcomes @returns {[passed: number, failed: number]} */
export const totals = (outcomes) => [
  outcomes.reduce((sum, { passed }) => sum + passed, 0),
  outcomes.reduce((sum, { failed }) => sum + failed, 0),
];

/** @param {readonly Outcome[]} outcomes */
const slowest = (outcomes) =>
  outcomes
    .flatMap(({ files }) => files)
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST);

/**
 * Keeps a run's figures as `summary.json`, with every file's seconds.
 *
 * @param {readonly Outcome[]} outcomes
 * @param {{ mode: string, seconds: number, folder: string }} run
 */
export async function keepSummary(outcomes, { mode, seconds, folder }) {
  const kept = { mode, seconds, at: new Date().toISOString(), stages: outcomes };
  await writeFile(join(folder, 'summary.json'), `${JSON.stringify(kept, null, 1)}\n`);
}
