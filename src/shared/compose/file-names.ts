/** A path of any system, because the files may be from another machine. */
export function baseOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

export function folderOf(path: string): string {
  return path.slice(0, -baseOf(path).length - 1) || '/';
}
