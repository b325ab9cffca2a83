import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { programs, webAssembly } from './queries.mjs';

export const root = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Native add-ons are optional to ssh2 and can't be bundled. */
const EXTERNAL = [/^electron$/, /^cpu-features$/, /\.node$/];

const MCP_SHIMS = '\0mcp-shims';
const NO_BUILDKIT = '\0no-buildkit';

/**
 * Leaves out Ajv in the SDK of the Model Context Protocol, and gRPC and Protocol Buffers for BuildKit in
 * dockerode.
 *
 * @returns {import('vite').Plugin}
 */
function withoutUnused() {
  return {
    name: 'without-unused',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (source === '@modelcontextprotocol/server/_shims') return MCP_SHIMS;
      const isBuildKit = /^\.\/(?:session|buildkit)$/.test(source) && importer.includes('dockerode');
      return isBuildKit ? NO_BUILDKIT : null;
    },
    load(id) {
      if (id === NO_BUILDKIT) return 'module.exports = undefined;';
      return id === MCP_SHIMS ? SHIMS : null;
    },
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
 * One self-contained CommonJS file: the tests' Electron can't start an ES module, and the packaged app has no
 * node_modules.
 *
 * @param {{ entry: string, outDir: string, fileName: string, target: string, banner?: string }} part
 * @returns {import('vite').InlineConfig}
 */
export function nodeEntry(part) {
  const { entry, outDir, fileName, target, banner } = part;
  return {
    configFile: false,
    root,
    plugins: [webAssembly(), withoutUnused(), programs((inner) => nodeEntry({ ...part, entry: inner }))],
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
