import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The directory for set-up's files outside the repository. It may be deleted at any time. */
export function cacheDir() {
  const directory = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'whalemark-dev');
  mkdirSync(directory, { recursive: true });
  return directory;
}
