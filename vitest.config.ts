import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/**
 * Tests that run whole programs, kill some, and sweep what is left of dead ones. `npm test` runs the other tests with a real
 * engine beside them, which leave alone what is not theirs.
 */
const PROGRAMS = [
  ...['cli', 'run', 'faults'].map((folder) => `tests/integration/${folder}/**/*.test.ts`),
  ...['dataset/dataset-cache', 'dataset/kept-dataset-run', 'runtime/sweep'].map(
    (name) => `tests/integration/${name}.test.ts`,
  ),
];

/** One real engine and two cores: a second file of the same project would only disturb the first. */
function integration(
  name: string,
  include: string[],
  exclude: string[] = [],
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      exclude,
      globalSetup: ['tests/integration/global-setup.ts'],
      fileParallelism: false,
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 20_000 } },
      {
        define: { __APP_VERSION__: '"0.0.0"' },
        test: {
          name: 'fuzz',
          include: ['tests/fuzz/**/*.test.ts'],
          // A target that blows up ends there, instead of taking the machine's memory.
          execArgv: ['--expose-gc', '--max-old-space-size=2048'],
        },
      },
      integration('programs', PROGRAMS),
      integration('parts', ['tests/integration/**/*.test.ts'], PROGRAMS),
    ],
  },
});
