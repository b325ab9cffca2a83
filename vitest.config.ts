import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { IS_FULL } from './tests/helpers/tier.ts';
import { rendererProject } from './tests/renderer/support/project.ts';

/**
 * Unit tests that replace modules or globals, or load something that can only be loaded once, need a registry of modules of their own. All
 * others share one, which takes a third off their time.
 */
const NEEDS_ISOLATION = /\bvi\.(?:mock|hoisted|doMock|stubEnv|stubGlobal)\(|\bwriteIcons\b/;
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
const isolated = filesBelow('tests/unit').filter((file) => NEEDS_ISOLATION.test(readFileSync(file, 'utf8')));

/** Files whose every `describe` or `it` is for the full run: the gate would take seconds to load what it skips. */
const onlyFull = filesBelow('tests/integration').filter((file) => {
  // A loop may make tests for the gate.
  const blocks = readFileSync(file, 'utf8')
    .split(/^(?=(?:describe|it|for)\b)/m)
    .slice(1);
  return (
    blocks.length > 0 && blocks.every((block) => /tags: \[[^\]]*'full'/.test(block.split('=>', 1)[0] ?? ''))
  );
});

/** What the build puts into the program. */
const BUILT_IN = { __APP_VERSION__: '"0.0.0"' };

const setupFiles = ['tests/helpers/same-cases.ts'];

const unit = {
  // Ends what hangs; a busy machine may take long, and the full run simulates for minutes.
  testTimeout: IS_FULL ? 900_000 : 240_000,
  setupFiles,
};

const onEngine = {
  globalSetup: ['tests/integration/global-setup.ts'],
  // Each file runs real servers, or counts what a shared one is asked: a second one would disturb it.
  fileParallelism: false,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  setupFiles,
};

export default defineConfig({
  test: {
    tags: [
      { name: 'full', description: 'Runs with npm run test:full only.' },
      { name: 'quiet', description: 'Measures times: runs while nothing else does.' },
    ],
    projects: [
      {
        define: { ...BUILT_IN },
        test: {
          ...unit,
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          exclude: isolated,
          isolate: false,
        },
      },
      { define: { ...BUILT_IN }, test: { ...unit, name: 'unit (isolated)', include: isolated } },
      {
        define: { ...BUILT_IN },
        test: {
          name: 'fuzz',
          include: ['tests/fuzz/**/*.test.ts'],
          // A target that blows up ends there, instead of taking the machine's memory.
          execArgv: ['--max-old-space-size=2048'],
        },
      },
      rendererProject,
      {
        resolve: { alias: { electron: join(import.meta.dirname, 'tests/renderer/support/electron.ts') } },
        test: { name: 'chromium', include: ['tests/chromium/**/*.test.ts'] },
      },
      {
        test: {
          ...onEngine,
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: [...(IS_FULL ? [] : onlyFull), 'tests/integration/{load,servers,compose}/**'],
        },
      },
      {
        test: {
          ...onEngine,
          name: 'servers',
          include: ['tests/integration/{servers,compose}/**/*.test.ts'],
        },
      },
      {
        test: {
          ...onEngine,
          name: 'engines',
          include: ['tests/engines/**/*.test.ts'],
          // Ends what hangs; a virtual machine with one CPU takes long.
          testTimeout: 1_200_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          ...onEngine,
          name: 'load',
          include: ['tests/integration/load/**/*.test.ts'],
          globalSetup: ['tests/integration/load/global-setup.ts'],
        },
      },
    ],
  },
});
