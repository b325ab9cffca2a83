/** How long a change waits for the next one: editors write several files, and some of them twice. */
const SETTLE_MS = 40;

/**
 * Collects what changes and carries it out bundle by bundle, one after the other: what changes meanwhile is the next one.
 *
 * @param {(files: Set<string>) => Promise<void>} carryOut
 * @returns {(file: string) => void}
 */
export function oneAfterTheOther(carryOut) {
  /** @type {Set<string>} */
  let waiting = new Set();
  let isBusy = false;
  const next = async () => {
    if (isBusy || waiting.size === 0) return;
    isBusy = true;
    const files = waiting;
    waiting = new Set();
    await carryOut(files);
    isBusy = false;
    await next();
  };
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  return (file) => {
    waiting.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => void next(), SETTLE_MS);
  };
}
