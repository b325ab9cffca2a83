/**
 * Progress goes to stderr, because stdout belongs to the caller (`whalemark run --json` prints JSON alone).
 */

/** @param {string} message */
export function say(message) {
  process.stderr.write(`whalemark setup: ${message}\n`);
}

/**
 * @template T
 * @param {string} message
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
