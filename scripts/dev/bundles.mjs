import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { build } from 'vite';
import { root } from '../build/node-entry.mjs';
import { appParts } from '../build/parts.mjs';

/** Modules of the app that others are in for during development, by their paths below the project. */
const STAND_INS = {
  'src/main/window/protocol.ts': 'scripts/dev/app/protocol.ts',
  'src/main/window/security.ts': 'scripts/dev/app/security.ts',
  'src/main/core-process.ts': 'scripts/dev/app/core-process.ts',
};
const CORE = 'src/benchmark/handlers/handlers.ts';

/**
 * @typedef {keyof ReturnType<typeof appParts>} Part
 * @typedef {{ out: string, server: { port: number, nonce: string }, fakeCore?: string }} Place
 *   `fakeCore`: the module, below the project, in place of the one that makes the core
 */

/**
 * Puts other modules in the place of some. What is in for a module gets the module itself when it imports it.
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

/** Everything of the app but its page, built from what the sources say now, and again whenever they have changed. */
export class Bundles {
  /** @type {Map<Part, string>} */
  #code = new Map();
  /** What each part was made of; nothing for one that could not be built. @type {Map<Part, Set<string>>} */
  #modules = new Map();
  #place;

  /** @param {Place} place */
  constructor(place) {
    this.#place = place;
  }

  /**
   * Builds the parts that are made of one of these files, or could not be built before; without files, all of them. Writes
   * those whose code is another one than before and resolves with their names. Rejects, and writes nothing, when one can't be
   * built.
   *
   * @param {ReadonlySet<string>} [files] absolute
   * @returns {Promise<Part[]>}
   */
  async update(files) {
    const { out, server, fakeCore } = this.#place;
    const stands = { ...STAND_INS, ...(fakeCore === undefined ? {} : { [CORE]: fakeCore }) };
    const configs = /** @type {[Part, import('vite').InlineConfig][]} */ (Object.entries(appParts(out)));
    const outdated = configs.filter(([part]) => {
      const modules = this.#modules.get(part);
      return files === undefined || modules === undefined || [...files].some((file) => modules.has(file));
    });
    const results = await Promise.allSettled(
      outdated.map(async ([part, config]) => {
        const output = await build({
          ...config,
          define: { ...config.define, __DEV_SERVER__: JSON.stringify(server) },
          plugins: [...(config.plugins ?? []), standIns(stands)],
          build: { ...config.build, write: false },
        });
        const [chunk] = 'output' in output ? output.output : [];
        if (chunk === undefined) throw new Error(`${part} became nothing`);
        return { part, file: join(config.build?.outDir ?? out, chunk.fileName), chunk };
      }),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      // Whatever is changed next may be what was missing.
      for (const [part] of outdated) this.#modules.delete(part);
      throw failed.reason;
    }
    /** @type {Part[]} */
    const changed = [];
    for (const result of results) {
      if (result.status !== 'fulfilled') continue;
      const { part, file, chunk } = result.value;
      if (this.#code.get(part) !== chunk.code) {
        changed.push(part);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, chunk.code);
      }
      this.#code.set(part, chunk.code);
      this.#modules.set(part, new Set(chunk.moduleIds.map(normalize)));
    }
    return changed;
  }
}
