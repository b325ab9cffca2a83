import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { programs, webAssembly } from './queries.mjs';

export const root = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Native add-ons are optional to ssh2 and can't be bundled; Electron brings itself. */
const EXTERNAL = [/^electron$/, /^cpu-features$/, /\.node$/];

/**
 * The SDK of the Model Context Protocol brings a copy of Ajv for schemas that aren't zod's. There are none.
 *
 * @returns {import('vite').Plugin}
 */
function withoutAjv() {
  const id = '\0mcp-shims';
  return {
    name: 'without-ajv',
    enforce: 'pre',
    resolveId: (source) => (source === '@modelcontextprotocol/server/_shims' ? id : null),
    load: (found) => (found === id ? SHIMS : null),
  };
}

const SHIMS = `import process from 'node:process';
class DefaultJsonSchemaValidator {
  getValidator() {
    return (data) => ({ valid: true, data });
  }
}
export { process, DefaultJsonSchemaValidator };`;

/**
 * Vite configuration of one self-contained CommonJS file for Node: the Electron of Whalemark's tests can't start an ES module,
 * and a packaged app carries no node_modules.
 *
 * @param {{ entry: string, outDir: string, fileName: string, target: string, banner?: string }} part
 * @returns {import('vite').InlineConfig}
 */
export function nodeEntry(part) {
  const { entry, outDir, fileName, target, banner } = part;
  return {
    configFile: false,
    root,
    plugins: [webAssembly(), withoutAjv(), programs((inner) => nodeEntry({ ...part, entry: inner }))],
    logLevel: 'warn',
    publicDir: false,
    define: { __APP_VERSION__: JSON.stringify(version) },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: isAbsolute(entry) ? entry : join(root, entry),
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target,
      minify: false,
      sourcemap: false,
      reportCompressedSize: false,
      rolldownOptions: {
        external: EXTERNAL,
        // hdr-histogram-js reaches Node's zlib that way.
        checks: { eval: false, bundlerTimings: false },
        output: {
          format: 'cjs',
          entryFileNames: fileName,
          codeSplitting: false,
          ...(banner === undefined ? {} : { banner }),
        },
      },
    },
  };
}
