import { defineConfig } from '@playwright/test';

/**
 * The built app, one at a time: two cores and one engine are all that a test machine has. No retries.
 *
 * Tests that use the engine carry the tag @engine, those that only the full run has @full: `--grep-invert '@engine|@full'`
 * leaves those with the fake core, which need no engine.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/datasets.ts',
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  outputDir: 'test-results',
});
