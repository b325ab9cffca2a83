import { basename, dirname, join } from 'node:path';
import { foundAt } from '../compose/found-file.ts';

interface Stack {
  name: string;
  /** What writes its Compose files. */
  start: string;
  /** Those that it hands to Compose; empty: not written yet. */
  files: string[];
}

/** The folder of a project, by a file of DDEV or Lando; undefined: another file. */
export function stackIn(file: string): string | undefined {
  const folder = dirname(file);
  if (basename(folder) === '.ddev' && /^config(?:\..+)?\.ya?ml$/.test(basename(file))) return dirname(folder);
  return /^\.lando(?:\..+)?\.yml$/.test(basename(file)) ? folder : undefined;
}

/** DDEV and Lando write Compose files from their own. Undefined: neither works in the folder. */
export async function stackFiles(folder: string, home: string): Promise<Stack | undefined> {
  if ((await foundAt(join(folder, '.ddev', 'config.yaml'))).kind === 'text') {
    const file = join(folder, '.ddev', '.ddev-docker-compose-full.yaml');
    const found = await foundAt(file);
    return { name: 'DDEV', start: 'ddev start', files: found.kind === 'text' ? [file] : [] };
  }
  const lando = await foundAt(join(folder, '.lando.yml'));
  if (lando.kind !== 'text') return undefined;
  const [, name = basename(folder)] = /^name:\s*["']?([^"'#\r\n]+)/m.exec(lando.text) ?? [];
  const made = join(home, '.lando', 'compose', name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const found = await foundAt(made);
  const files = found.kind === 'folder' ? found.names.filter((one) => /\.ya?ml$/.test(one)) : [];
  return { name: 'Lando', start: 'lando start', files: files.map((one) => join(made, one)) };
}
