import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { errorPages, methodPage } from './method.mjs';
import { root } from './node-entry.mjs';

/**
 * hdr-histogram-js tries `eval` to find Node's zlib; the page's policy would report that at every start. The
 * replacement throws, too.
 *
 * @returns {import('vite').Plugin}
 */
function withoutEval() {
  return {
    name: 'without-eval',
    transform(code, id) {
      if (!id.includes('hdr-histogram-js')) return null;
      const replaced = code.replace(/\beval\((['"])require\((?:\\.|(?!\1).)+\1\)/g, '(void 0).zlib');
      if (/\beval\(/.test(replaced)) this.error('there is another eval in hdr-histogram-js now');
      return { code: replaced, map: null };
    },
  };
}

export function rendererPlugins() {
  return [withoutEval(), methodPage(), errorPages(), svelte({ configFile: join(root, 'svelte.config.js') })];
}

/**
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
    plugins: rendererPlugins(),
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
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  };
}
