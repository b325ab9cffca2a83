import { defineConfig } from '@playwright/test';

// The app keeps no dataset on the engine when a test has ended.
process.env['WHALEMARK_DATASETS'] = 'off';

/** The real app, built, one at a time: two cores and one engine are all that a test machine has. No retries. */
export default defineConfig({
  testDir: 'tests/e2e',
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  outputDir: 'test-results',
});
