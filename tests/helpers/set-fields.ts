/** `--set` for each field of a preset, by its path. */
export function setFields(fields: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(fields).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
}
