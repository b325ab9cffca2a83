import { build } from 'vite';

const SUFFIX = '?program';

/**
 * `import text from './x.ts?program'`: the text of a self-contained program, for what is started from memory.
 *
 * @param {(entry: string) => import('vite').InlineConfig} configOf
 * @returns {import('vite').Plugin}
 */
export function asText(configOf) {
  return {
    name: 'as-text',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (!id.endsWith(SUFFIX)) return null;
      const found = await this.resolve(id.slice(0, -SUFFIX.length), importer);
      return found === null ? null : `${found.id}${SUFFIX}`;
    },
    async load(id) {
      if (!id.endsWith(SUFFIX)) return null;
      const config = configOf(id.slice(0, -SUFFIX.length));
      const outputs = await build({ ...config, build: { ...config.build, write: false } });
      const [chunk] = [outputs].flat().flatMap((one) => ('output' in one ? one.output : []));
      if (chunk?.type !== 'chunk') throw new Error(`${id}: nothing was built`);
      for (const file of chunk.moduleIds) this.addWatchFile(file);
      return `export default ${JSON.stringify(chunk.code)};`;
    },
  };
}
