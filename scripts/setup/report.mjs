/**
 * Progress of set-up goes to stderr, because stdout belongs to the caller (`whalemark run --json` prints JSON
 * alone).
 */

/** @param {string} message */
export function say(message) {
  process.stderr.write(`whalemark setup: ${message}\n`);
}

/**
 * Announces a piece of work, does it, and prints how long it took.
 *
 * @template T
 * @param {string} message what is missing and what is being done about it
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export async function step(message, work) {
  say(`${message} …`);
  const started = performance.now();
  const result = await work();
  say(`  done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}
