import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    tags: [
      { name: 'full', description: 'only in the full run' },
      { name: 'quiet', description: 'alone on the machine' },
    ],
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 20_000 } },
      {
        define: { __APP_VERSION__: '"0.0.0"', __REPOSITORY__: '""' },
        test: {
          name: 'fuzz',
          include: ['tests/fuzz/**/*.test.ts'],
          // A target that blows up ends there, instead of taking the machine's memory.
          execArgv: ['--expose-gc', '--max-old-space-size=2048'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: ['tests/integration/load/**'],
          globalSetup: ['tests/integration/global-setup.ts'],
          // One real engine and two cores: a second file at the same time would only disturb the first.
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'load',
          include: ['tests/integration/load/**/*.test.ts'],
          globalSetup: ['tests/integration/load/global-setup.ts'],
          // They share one server of each flavor, and count what it is asked.
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
