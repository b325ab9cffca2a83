/** Files may be from another system. */
export function baseOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

export function folderOf(path: string): string {
  return path.slice(0, -baseOf(path).length - 1) || '/';
}
