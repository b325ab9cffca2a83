/** Any system's: the files aren't always where the app runs. */
export function baseOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

export function folderOf(path: string): string {
  return path.slice(0, -baseOf(path).length - 1) || '/';
}

/** Compose Specification, "Version and name top-level elements". */
export function projectName(folder: string): string {
  const name = baseOf(folder.replace(/[\\/]+$/, ''))
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '');
  return name === '' ? 'default' : name;
}

export function shownIn(folder: string, path: string): string {
  const rest = path.startsWith(folder) ? path.slice(folder.length) : '';
  return /^[\\/]./.test(rest) ? rest.slice(1) : path;
}
