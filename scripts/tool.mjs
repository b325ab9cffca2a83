import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * The command that starts a program of an installed package. What npm puts into node_modules/.bin is on Windows a script
 * for the shell there, which can't be started as a program; so its own file is named, and runs under this Node.
 *
 * @param {string} name of the package
 * @param {string} [program] where the package has another name
 * @returns {[node: string, file: string]}
 */
export function tool(name, program = name) {
  const folder = join('node_modules', name);
  /** @type {{ bin?: string | Record<string, string> }} */
  const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = typeof bin === 'string' ? bin : bin[program];
  if (file === undefined) throw new Error(`The package ${name} has no program called ${program}.`);
  return [process.execPath, join(folder, file)];
}
