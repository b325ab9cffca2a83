import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The directory for everything set-up downloads, builds or logs outside the repository. It is made on
 * first use and may be deleted at any time: set-up then does its work again.
 */
export function cacheDir() {
  const directory = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'whalemark-dev');
  mkdirSync(directory, { recursive: true });
  return directory;
}
