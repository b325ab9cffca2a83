import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { root } from './node-entry.mjs';

/**
 * Vite configuration of the window's page.
 *
 * @param {string} outDir
 * @returns {import('vite').InlineConfig}
 */
export function rendererConfig(outDir) {
  return {
    configFile: false,
    root: join(root, 'src/renderer'),
    base: './',
    logLevel: 'warn',
    publicDir: false,
    plugins: [svelte({ configFile: false, compilerOptions: { runes: true, css: 'external' } })],
    css: { transformer: 'lightningcss', lightningcss: { targets: { chrome: 108 << 16 } } },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'chrome108',
      cssMinify: 'lightningcss',
      // A data: URL in a style sheet would need a wider policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2_000,
    },
  };
}
