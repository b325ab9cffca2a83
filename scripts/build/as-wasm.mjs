import asc from 'assemblyscript/asc';

const SUFFIX = '?wasm';

/**
 * Compiles AssemblyScript to a WebAssembly module that imports a shared memory and has no runtime.
 *
 * @param {string} file
 * @returns {Promise<Uint8Array>}
 * @throws {Error} with the compiler's messages
 */
export async function compiledToWasm(file) {
  /** @type {Uint8Array | undefined} */
  let binary;
  const memory = ['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'];
  const { error, stderr } = await asc.main(
    [
      file,
      '-O3',
      '--noAssert',
      '--runtime',
      'stub',
      '--enable',
      'threads',
      ...memory,
      '--outFile',
      'out.wasm',
    ],
    {
      writeFile: (_, contents) => {
        if (typeof contents !== 'string') binary = contents;
      },
    },
  );
  if (error !== null) throw new Error(`${file}: ${error.message}\n${stderr.toString()}`);
  if (binary === undefined) throw new Error(`${file}: nothing was compiled`);
  return binary;
}

/**
 * `import base64 from './x.ts?wasm'`: a WebAssembly module compiled from AssemblyScript, as base64.
 *
 * @returns {import('vite').Plugin}
 */
export function asWasm() {
  return {
    name: 'as-wasm',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (!id.endsWith(SUFFIX)) return null;
      const found = await this.resolve(id.slice(0, -SUFFIX.length), importer);
      return found === null ? null : `${found.id}${SUFFIX}`;
    },
    async load(id) {
      if (!id.endsWith(SUFFIX)) return null;
      const file = id.slice(0, -SUFFIX.length);
      this.addWatchFile(file);
      return `export default ${JSON.stringify(Buffer.from(await compiledToWasm(file)).toString('base64'))};`;
    },
  };
}
