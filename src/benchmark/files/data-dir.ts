import { posix, win32 } from 'node:path';

export const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const;
export const PRIVATE_FILE = 0o600;

/** On Linux, the XDG base directories apply. */
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
