import { rendererProject } from './tests/renderer/support/project.ts';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
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
      rendererProject,
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          globalSetup: ['tests/integration/global-setup.ts'],
          // One real engine and two cores: a second file at the same time would only disturb the first.
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
