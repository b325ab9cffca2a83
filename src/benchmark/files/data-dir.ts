import { posix, win32 } from 'node:path';

/** How a folder is made in the data folder, and the data folder itself: what is kept there is its user's alone. */
export const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const;
/** Mode of a file there: the folder may have been made by somebody else, for all to read. */
export const PRIVATE_FILE = 0o600;

/**
 * The folder that app and terminal share: runs, bind mounts, settings. `WHALEMARK_HOME` wins;
 * otherwise the platform's usual place (XDG base directories on Linux).
 */
export function dataDir(
  env: Record<string, string | undefined>,
  platform: string,
  homeDirectory: string,
): string {
  const own = env['WHALEMARK_HOME'];
  if (own !== undefined && own !== '') return own;
  if (platform === 'darwin') return posix.join(homeDirectory, 'Library', 'Application Support', 'Whalemark');
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] ?? win32.join(homeDirectory, 'AppData', 'Roaming'), 'Whalemark');
  }
  const base = env['XDG_DATA_HOME'];
  return posix.join(
    base !== undefined && base !== '' ? base : posix.join(homeDirectory, '.local', 'share'),
    'whalemark',
  );
}
