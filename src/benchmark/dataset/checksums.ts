/** By path below the datadir: checksum and size, as POSIX cksum prints them. */
export type Checksums = ReadonlyMap<string, string>;

/** The checksums in the output of cksum for many files; other lines are passed over. */
export function parseChecksums(lines: readonly string[]): Map<string, string> {
  const sums = new Map<string, string>();
  for (const line of lines) {
    const [, sum, path] = /^(\d+ \d+) (.+)$/.exec(line) ?? [];
    if (sum !== undefined && path !== undefined) sums.set(path, sum);
  }
  return sums;
}

/** What tells a copy from its original: files that are missing, too many, or other ones; empty when nothing does. */
export function differences(original: Checksums, copy: Checksums): string[] {
  const paths = [...new Set([...original.keys(), ...copy.keys()])].sort();
  return paths.filter((path) => original.get(path) !== copy.get(path));
}
