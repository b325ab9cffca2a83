import { isAbsolute, join, relative } from 'node:path';
import { packageFolder } from './licenses.mjs';
import { root } from './node-entry.mjs';

const SHIPS = [join(root, 'src'), join(root, 'docs')];

/**
 * Ends a build that would ship tests, replacements for development, or other files of this repository.
 *
 * @param {string[]} [folders]
 * @returns {import('vite').Plugin}
 */
export function onlyOurs(folders = SHIPS) {
  return {
    name: 'only-ours',
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        for (const id of part.moduleIds) {
          const [file = ''] = id.split('?');
          if (packageFolder(id) !== undefined || !isAbsolute(file)) continue;
          if (folders.every((folder) => relative(folder, file).startsWith('..')))
            this.error(
              `${relative(root, file)} is not part of the product and would ship in ${part.fileName}`,
            );
        }
      }
    },
  };
}
