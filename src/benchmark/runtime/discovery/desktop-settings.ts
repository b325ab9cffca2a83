import { joinPath, variable, type Surroundings } from './surroundings.ts';

/** Docker Desktop's settings by key in lower case: old versions wrote camelCase, new ones write PascalCase. */
export interface DesktopSettings {
  /** `settings-store.json` (4.35 and later) or `settings.json`. */
  file: string;
  flag(key: string): boolean | undefined;
}

const FILES = ['settings-store.json', 'settings.json'];

/** Reads Docker Desktop's settings; undefined when there are none or they can't be read. Never writes. */
export function readDesktopSettings(surroundings: Surroundings): DesktopSettings | undefined {
  const directory = settingsDirectory(surroundings);
  for (const file of FILES) {
    const values = readObject(surroundings, joinPath(surroundings, directory, file));
    if (values === undefined) continue;
    const byKey = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
    return {
      file,
      flag: (key) => {
        const value = byKey.get(key.toLowerCase());
        return typeof value === 'boolean' ? value : undefined;
      },
    };
  }
  return undefined;
}

function settingsDirectory(surroundings: Surroundings): string {
  const { platform, homeDirectory } = surroundings;
  switch (platform) {
    case 'darwin':
      return joinPath(surroundings, homeDirectory, 'Library', 'Group Containers', 'group.com.docker');
    case 'win32': {
      const roaming =
        variable(surroundings, 'APPDATA') ?? joinPath(surroundings, homeDirectory, 'AppData', 'Roaming');
      return joinPath(surroundings, roaming, 'Docker');
    }
    case 'linux':
      return joinPath(surroundings, homeDirectory, '.docker', 'desktop');
  }
}

/** A JSON object from a file; undefined for whatever else is there. */
export function readObject(surroundings: Surroundings, path: string): Record<string, unknown> | undefined {
  try {
    const text = surroundings.readText(path);
    const json: unknown = text === undefined ? undefined : JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? Object.fromEntries(Object.entries(json))
      : undefined;
  } catch {
    return undefined;
  }
}
