import { dirname, join, normalize } from 'node:path';
import { build } from 'vite';
import { root } from '../build/node-entry.mjs';
import { appParts } from '../build/parts.mjs';

const STAND_INS = {
  'src/main/window/protocol.ts': 'scripts/dev/app/protocol.ts',
  'src/main/window/security.ts': 'scripts/dev/app/security.ts',
};
const CORE = 'src/benchmark/handlers/handlers.ts';
/** Time to wait for further rebuilt parts. */
const SETTLE_MS = 100;

/**
 * A replacement that imports the replaced module gets the real one.
 *
 * @param {Record<string, string>} modules
 * @returns {import('vite').Plugin}
 */
function standIns(modules) {
  const byPath = new Map(Object.entries(modules).map(([path, by]) => [join(root, path), join(root, by)]));
  const replacements = new Set(byPath.values());
  return {
    name: 'stand-ins',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.startsWith('.') || importer === undefined) return null;
      const from = normalize(importer);
      const found = byPath.get(join(dirname(from), source));
      return found === undefined || replacements.has(from) ? null : found;
    },
  };
}

/**
 * Builds all of the app except its page, and each changed part again. `onBuilt` follows when all parts are
 * there.
 *
 * @param {{ out: string, server: { port: number, nonce: string }, fakeCore?: string }} place
 *   `fakeCore`: the module, below the project, in place of the one that makes the core
 * @param {() => void} onBuilt
 */
export async function followSources({ out, server, fakeCore }, onBuilt) {
  const stands = { ...STAND_INS, ...(fakeCore === undefined ? {} : { [CORE]: fakeCore }) };
  const parts = Object.entries(appParts(out));
  const waiting = new Set(parts.map(([part]) => part));
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  for (const [part, config] of parts) {
    const watcher = await build({
      ...config,
      define: { ...config.define, __DEV_SERVER__: JSON.stringify(server) },
      plugins: [...(config.plugins ?? []), standIns(stands)],
      build: { ...config.build, watch: {} },
    });
    if (!('on' in watcher)) throw new Error(`${part} is not watched`);
    watcher.on('event', (event) => {
      if (event.code === 'START') waiting.add(part);
      if (event.code === 'ERROR') console.error(event.error.message);
      if (event.code !== 'END') return;
      waiting.delete(part);
      clearTimeout(timer);
      timer = setTimeout(() => waiting.size === 0 && onBuilt(), SETTLE_MS);
    });
  }
}
