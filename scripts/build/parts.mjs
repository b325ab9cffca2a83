import { join } from 'node:path';
import { nodeEntry } from './node-entry.mjs';
import { rendererConfig } from './renderer.mjs';

/**
 * The parts of the app except its page, each its own file below `out`.
 *
 * @param {string} out
 * @returns {Record<'main' | 'core' | 'client' | 'reader' | 'sweeper' | 'preload', import('vite').InlineConfig>}
 */
export function appParts(out) {
  const electron = { target: 'node16', outDir: join(out, 'main') };
  return {
    main: nodeEntry({ ...electron, entry: 'src/main/main.ts', fileName: 'main.cjs' }),
    core: nodeEntry({ ...electron, entry: 'src/main/core/core-main.ts', fileName: 'core.cjs' }),
    client: nodeEntry({
      ...electron,
      entry: 'src/benchmark/load/client/client-main.ts',
      fileName: 'client.cjs',
    }),
    reader: nodeEntry({
      ...electron,
      entry: 'src/benchmark/reader-main.ts',
      fileName: 'reader.cjs',
    }),
    sweeper: nodeEntry({
      ...electron,
      entry: 'src/benchmark/run/sweeper-main.ts',
      fileName: 'sweeper.cjs',
    }),
    preload: nodeEntry({
      ...electron,
      entry: 'src/preload/preload.ts',
      outDir: join(out, 'preload'),
      fileName: 'preload.cjs',
    }),
  };
}

/**
 * Everything that ships, below `out`.
 *
 * @param {string} out
 * @returns {Record<string, import('vite').InlineConfig>}
 */
export function allParts(out) {
  return {
    renderer: rendererConfig(join(out, 'renderer')),
    ...appParts(out),
    cli: nodeEntry({
      entry: 'src/cli/main.ts',
      outDir: join(out, 'cli'),
      fileName: 'whalemark.cjs',
      // The package runs it with Electron's Node.
      target: 'node16',
      banner: '#!/usr/bin/env node',
    }),
  };
}
