import asc from 'assemblyscript/asc';
import { build } from 'vite';

/**
 * Imports `./x.ts?QUERY` as the text that `make` returns.
 *
 * @param {string} query
 * @param {(file: string) => Promise<{ text: string, files: readonly string[] }>} make with the files to watch
 * @returns {import('vite').Plugin}
 */
function importsWith(query, make) {
  const suffix = `?${query}`;
  return {
    name: `imports-with-${query}`,
    enforce: 'pre',
    async resolveId(id, importer) {
      if (!id.endsWith(suffix)) return null;
      const found = await this.resolve(id.slice(0, -suffix.length), importer);
      return found === null ? null : `${found.id}${suffix}`;
    },
    async load(id) {
      if (!id.endsWith(suffix)) return null;
      const { text, files } = await make(id.slice(0, -suffix.length));
      for (const file of files) this.addWatchFile(file);
      return `export default ${JSON.stringify(text)};`;
    },
  };
}

/**
 * `?program`: a self-contained program that is started from memory.
 *
 * @param {(entry: string) => import('vite').InlineConfig} configOf
 */
export function programs(configOf) {
  return importsWith('program', async (file) => {
    const config = configOf(file);
    const outputs = await build({ ...config, build: { ...config.build, write: false } });
    const [chunk] = [outputs].flat().flatMap((one) => ('output' in one ? one.output : []));
    if (chunk?.type !== 'chunk') throw new Error(`${file}: nothing was built`);
    return { text: chunk.code, files: chunk.moduleIds };
  });
}

/** `?wasm`: a WebAssembly module compiled from AssemblyScript, in base64. */
export function webAssembly() {
  return importsWith('wasm', async (file) => ({
    text: Buffer.from(await compiledToWasm(file)).toString('base64'),
    files: [file],
  }));
}

/**
 * The module has no runtime, and imports a shared memory.
 *
 * @param {string} file
 * @returns {Promise<Uint8Array>}
 * @throws {Error} with the compiler's messages
 */
export async function compiledToWasm(file) {
  /** @type {Uint8Array | undefined} */
  let binary;
  const memory = ['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'];
  const program = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'threads'];
  const { error, stderr } = await asc.main([file, ...program, ...memory, '--outFile', 'out.wasm'], {
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') binary = contents;
    },
  });
  if (error !== null) throw new Error(`${file}: ${error.message}\n${stderr.toString()}`);
  if (binary === undefined) throw new Error(`${file}: nothing was compiled`);
  return binary;
}
