/**
 * The stages of `npm test`, in the order in which they run, and what each needs of set-up beside the npm packages. One that
 * is named alone asks for no more, so that checks of the code run where there is no engine.
 */
export const STAGE_NEEDS = /** @satisfies {Record<string, import('./setup.mjs').Need[]>} */ ({
  format: [],
  lint: [],
  types: [],
  unit: [],
  fuzz: [],
  build: [],
  integration: ['engine', 'images', 'native', 'tools'],
  'end to end': ['engine', 'images', 'native', 'electron', 'display', 'tools'],
  'nothing left behind': ['engine'],
});

/** @typedef {keyof typeof STAGE_NEEDS} Stage */

/** @param {string} name @returns {name is Stage} */
export const isStage = (name) => Object.hasOwn(STAGE_NEEDS, name);

/**
 * What set-up has to provide for these stages; for all of them when none is named.
 *
 * @param {string[]} names
 * @returns {import('./setup.mjs').Need[]}
 */
export function needsOf(names) {
  const stages = /** @type {Stage[]} */ (Object.keys(STAGE_NEEDS));
  const wanted = stages.filter((stage) => names.length === 0 || names.includes(stage));
  /** @type {import('./setup.mjs').Need[]} */
  const needs = ['modules', ...wanted.flatMap((stage) => STAGE_NEEDS[stage])];
  return [...new Set(needs)];
}
