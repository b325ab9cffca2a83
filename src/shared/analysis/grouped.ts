/** A stranger's result may have thousands of trials. */
export function grouped<T>(all: readonly T[], keysOf: (one: T) => readonly string[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    for (const key of keysOf(one)) {
      const own = found.get(key);
      if (own === undefined) found.set(key, [one]);
      else own.push(one);
    }
  }
  return found;
}
