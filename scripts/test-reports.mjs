// What the JSON reports of Vitest and Playwright tell: how many tests passed and failed, and which failed and why.
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import process from 'node:process';

/**
 * @typedef {{ name: string, reason: string }} Failure `reason` is the first line of what went wrong.
 * @typedef {{ passed: number, failed: number, failures: Failure[] }} Counts
 */

// Both runners colour their messages.
const COLOURS = /\u001b\[[0-9;]*m/g;
const MOST = 300;

/** @param {unknown} message */
function firstLine(message) {
  const [line = ''] = String(message ?? '')
    .replace(COLOURS, '')
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
    const { passed, failed, failures } = read(JSON.parse(await readFile(file, 'utf8')));
    // A file that fails to load, or a hook outside a test, fails the run without failing a test.
    if (failed > 0 || exitCode === 0) return { passed, failed, failures };
    return {
      passed,
      failed: 1,
      failures: [...failures, { name: 'the run', reason: `exit code ${exitCode}` }],
    };
  } catch {
    // A run that never wrote its report counts as one failure.
    return {
      passed: 0,
      failed: 1,
      failures: [{ name: 'the run', reason: `it wrote no report (exit code ${exitCode})` }],
    };
  }
}

/**
 * @param {string} file
 * @param {number} exitCode of the run that wrote it
 */
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
    }),
    exitCode,
  );

/**
 * @param {string} file
 * @param {number} exitCode of the run that wrote it
 */
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
    }),
    exitCode,
  );

/**
 * @param {any} suite
 * @returns {Failure[]}
 */
function failedSpecs({ specs, suites }) {
  const own = specs
    .filter((/** @type {any} */ { ok }) => ok !== true)
    .map((/** @type {any} */ { file, title, tests }) => {
      const results = tests.flatMap((/** @type {any} */ test) => test.results);
      const error = results.find((/** @type {any} */ result) => result.error !== undefined)?.error;
      return { name: `${file}: ${title}`, reason: firstLine(error?.message) };
    });
  return [...own, ...(suites ?? []).flatMap(failedSpecs)];
}
