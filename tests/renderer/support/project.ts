import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { rendererPlugins } from '../../../scripts/build/renderer.mjs';

const support = import.meta.dirname;

/** The window's components in jsdom, with the real handlers of main and the fake core behind them. */
export const rendererProject: TestProjectInlineConfiguration = {
  plugins: rendererPlugins(),
  resolve: {
    conditions: ['browser', 'module', 'import', 'default'],
    alias: {
      electron: join(support, 'electron.ts'),
      'chart.js': join(support, 'chart.ts'),
    },
  },
  test: {
    name: 'renderer',
    include: ['tests/renderer/**/*.test.ts'],
    environment: 'jsdom',
    // A window that is not seen looks for no engine.
    environmentOptions: { jsdom: { pretendToBeVisual: true } },
    setupFiles: [join(support, 'dom.ts')],
    // One jsdom for all files of a worker: each test opens the window again and takes everything away.
    isolate: false,
    testTimeout: 240_000,
  },
};
