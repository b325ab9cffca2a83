/** Of any system: the user's files aren't always where the app runs. */
export function baseOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

export function folderOf(path: string): string {
  return path.slice(0, -baseOf(path).length - 1) || '/';
}

/** Relative to the folder, if it is in there. */
export function shownIn(folder: string, path: string): string {
  const rest = path.startsWith(folder) ? path.slice(folder.length) : '';
  return /^[\\/]./.test(rest) ? rest.slice(1) : path;
}
