import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * On Windows, node_modules/.bin has only shell scripts, which can't be started as programs.
 *
 * @param {string} name
 * @param {string} [program] unless it has the package's name
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
