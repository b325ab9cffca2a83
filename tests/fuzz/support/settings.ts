import process from 'node:process';
import { IS_FULL } from '../../helpers/tier.ts';

/** A sample for the gate; `npm run fuzz` asks for 10,000. */
const CASES = IS_FULL ? 300 : 100;
/** The same cases every time in `npm test`: what fails there fails for a change of the code. `npm run fuzz` draws one. */
const SEED = 20_260_601;

function numberIn(name: string, otherwise: number): number {
  const text = process.env[name] ?? '';
  const value = Number(text);
  if (text !== '' && !Number.isSafeInteger(value)) throw new Error(`${name}=${text} is no whole number`);
  return text === '' ? otherwise : value;
}

/** How many cases each target gets, and how they are drawn; set by scripts/fuzz.mjs. */
export const settings = {
  cases: numberIn('FUZZ_CASES', CASES),
  /** True in `npm test`. */
  isShort: (process.env['FUZZ_CASES'] ?? '') === '',
  seed: numberIn('FUZZ_SEED', SEED),
  /** fast-check's path to one case, to repeat it. */
  path: process.env['FUZZ_PATH'] ?? '',
  /** File of each target's figures, a line of JSON each; '' for none. */
  figuresFile: process.env['FUZZ_FIGURES'] ?? '',
};
