import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playwrightCounts, vitestCounts } from '../../../../scripts/test/reports.mjs';
import { sharedFolder } from '../../../helpers/folders.ts';

const folder = sharedFolder();

function report(content: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const vitest = (changes: object = {}) => ({
  numPassedTests: 2,
  numFailedTests: 0,
  testResults: [],
  ...changes,
});
const playwright = (changes: object = {}) => ({
  stats: { expected: 3, unexpected: 0, flaky: 0 },
  suites: [],
  ...changes,
});

describe('what a test run comes to', () => {
  it('is nothing failed, when all passed and the run said so', async () => {
    expect(await vitestCounts(report(vitest()), 0)).toEqual({
      passed: 2,
      failed: 0,
      failures: [],
      files: [],
    });
    expect(await playwrightCounts(report(playwright()), 0)).toEqual({
      passed: 3,
      failed: 0,
      failures: [],
      files: [],
    });
  });

  it('names a failed test of Vitest with its file and the first line of its message, without colors', async () => {
    const testResults = [
      {
        name: resolve('tests/unit/some.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'it works', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'it breaks',
            failureMessages: ['\u001b[31mtoo late\u001b[39m\n  at line 3'],
          },
        ],
      },
      {
        name: resolve('tests/unit/other.test.ts'),
        status: 'failed',
        message: 'no such module',
        assertionResults: [],
      },
    ];
    const { failures } = await vitestCounts(report(vitest({ numFailedTests: 1, testResults })), 1);
    expect(failures).toEqual([
      { name: 'tests/unit/some.test.ts: it breaks', reason: 'too late' },
      { name: 'tests/unit/other.test.ts', reason: 'no such module' },
    ]);
  });

  it('has the time of each file in which a test ran', async () => {
    const testResults = [
      {
        name: resolve('tests/unit/some.test.ts'),
        startTime: 1000,
        endTime: 3500,
        assertionResults: [{ status: 'passed' }, { status: 'skipped' }],
      },
      { name: resolve('tests/unit/left-out.test.ts'), assertionResults: [{ status: 'skipped' }] },
    ];
    const { files } = await vitestCounts(report(vitest({ testResults })), 0);
    expect(files).toEqual([{ name: 'tests/unit/some.test.ts', seconds: 2.5, tests: 1 }]);
  });

  it('names a failed test of Playwright, in whatever group it is', async () => {
    const failed = {
      ok: false,
      file: 'home.spec.ts',
      title: 'opens',
      tests: [{ results: [{ duration: 1500, error: { message: 'not seen\nat' } }] }],
    };
    const passed = {
      ok: true,
      file: 'home.spec.ts',
      title: 'shows',
      tests: [{ results: [{ duration: 500 }] }],
    };
    const suites = [{ file: 'home.spec.ts', specs: [passed], suites: [{ specs: [failed] }] }];
    const told = await playwrightCounts(
      report(playwright({ stats: { expected: 1, unexpected: 1, flaky: 0 }, suites })),
      1,
    );
    expect(told).toEqual({
      passed: 1,
      failed: 1,
      failures: [{ name: 'home.spec.ts: opens', reason: 'not seen' }],
      files: [{ name: 'tests/e2e/home.spec.ts', seconds: 2, tests: 2 }],
    });
  });

  it('counts a test that passed only at a second try as failed', async () => {
    const flaky = report(playwright({ stats: { expected: 1, unexpected: 0, flaky: 1 } }));
    expect(await playwrightCounts(flaky, 0)).toMatchObject({ failed: 1 });
  });

  it('is one failure when the run failed outside its tests, or wrote no report', async () => {
    expect(await vitestCounts(report(vitest()), 1)).toEqual({
      passed: 2,
      failed: 1,
      failures: [{ name: 'the run', reason: 'exit code 1' }],
      files: [],
    });
    for (const file of [join(folder, 'none.json'), report('{"numPassed')]) {
      expect(await vitestCounts(file, 0)).toMatchObject({ passed: 0, failed: 1 });
      expect(await playwrightCounts(file, 0)).toMatchObject({ passed: 0, failed: 1 });
    }
  });
});
