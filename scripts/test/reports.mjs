// Reads the JSON reports of Vitest and Playwright.
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import process from 'node:process';

/**
 * @typedef {{ name: string, reason: string }} Failure `reason`: the first line of the error.
 * @typedef {{ name: string, seconds: number, tests: number }} FileTime
 * @typedef {{ passed: number, failed: number, failures: Failure[], files: FileTime[] }} Counts
 */

const COLORS = /\u001b\[[0-9;]*m/g;
const MOST = 300;

/** @param {unknown} message */
function firstLine(message) {
  const [line = ''] = String(message ?? '')
    .replace(COLORS, '')
    .split('\n');
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}

/**
 * @param {string} file
 * @param {(report: any) => Counts} read
 * @param {number} exitCode
 * @returns {Promise<Counts>}
 */
async function counts(file, read, exitCode) {
  try {
    const found = read(JSON.parse(await readFile(file, 'utf8')));
    // A file that fails to load, or a hook outside a test, fails the run without failing a test.
    if (found.failed > 0 || exitCode === 0) return found;
    const failure = { name: 'the run', reason: `exit code ${exitCode}` };
    return { ...found, failed: 1, failures: [...found.failures, failure] };
  } catch {
    const failure = { name: 'the run', reason: `it wrote no report (exit code ${exitCode})` };
    return { passed: 0, failed: 1, failures: [failure], files: [] };
  }
}

/** @param {string} file @param {number} exitCode of the run that wrote it */
export const vitestCounts = (file, exitCode) =>
  counts(
    file,
    ({ numPassedTests, numFailedTests, testResults }) => ({
      passed: Number(numPassedTests),
      failed: Number(numFailedTests),
      failures: testResults.flatMap(
        (/** @type {any} */ { name: path, status, message, assertionResults }) => {
          const name = relative(process.cwd(), path);
          const failed = assertionResults
            .filter((/** @type {any} */ test) => test.status === 'failed')
            .map((/** @type {any} */ { fullName, failureMessages }) => ({
              name: `${name}: ${fullName}`,
              reason: firstLine(failureMessages[0]),
            }));
          return failed.length > 0 || status !== 'failed' ? failed : [{ name, reason: firstLine(message) }];
        },
      ),
      files: testResults.flatMap((/** @type {any} */ { name, startTime, endTime, assertionResults }) => {
        const ran = assertionResults.filter(
          (/** @type {any} */ { status }) => status === 'passed' || status === 'failed',
        );
        if (ran.length === 0) return [];
        return [
          { name: relative(process.cwd(), name), seconds: (endTime - startTime) / 1000, tests: ran.length },
        ];
      }),
    }),
    exitCode,
  );

/** @param {string} file @param {number} exitCode of the run that wrote it */
export const playwrightCounts = (file, exitCode) =>
  counts(
    file,
    ({ stats, suites, errors }) => ({
      passed: Number(stats.expected),
      failed: Number(stats.unexpected) + Number(stats.flaky),
      failures: [
        ...suites.flatMap(failedSpecs),
        ...(errors ?? []).map((/** @type {any} */ { message }) => ({
          name: 'the run',
          reason: firstLine(message),
        })),
      ],
      files: suites.map((/** @type {any} */ suite) => {
        const specs = specsOf(suite);
        const results = specs.flatMap(resultsOf);
        const ms = results.reduce((sum, { duration }) => sum + Number(duration), 0);
        return { name: `tests/e2e/${suite.file}`, seconds: ms / 1000, tests: specs.length };
      }),
    }),
    exitCode,
  );

/** @param {any} spec @returns {any[]} */
const resultsOf = ({ tests }) => tests.flatMap((/** @type {any} */ test) => test.results);

/** @param {any} suite @returns {any[]} */
const specsOf = ({ specs, suites }) => [...specs, ...(suites ?? []).flatMap(specsOf)];

/** @param {any} suite @returns {Failure[]} */
const failedSpecs = (suite) =>
  specsOf(suite)
    .filter(({ ok }) => ok !== true)
    .map((spec) => {
      const error = resultsOf(spec).find((result) => result.error !== undefined)?.error;
      return { name: `${spec.file}: ${spec.title}`, reason: firstLine(error?.message) };
    });
