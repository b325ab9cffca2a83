import process from 'node:process';
import { parseArgs } from 'node:util';

/**
 * An unknown option ends the script with exit code 2. Uses Node's built-ins only.
 *
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} O
 * @param {string} usage
 * @param {O} options
 * @param {boolean} [allowPositionals]
 */
export function optionsOf(usage, options, allowPositionals = false) {
  const help = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    const parsed = parseArgs({ allowPositionals, options: { ...options, help } });
    if (!process.argv.slice(2).includes('--help')) return parsed;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
