import { hostname, userInfo } from 'node:os';

export interface OwnNames {
  host?: string;
  user?: string;
}

const COMMON_NAMES = new Set([
  'root',
  'user',
  'admin',
  'ubuntu',
  'docker',
  'mysql',
  'localhost',
  'runner',
  'vagrant',
]);

/** False for names too short or too common to identify anybody. */
export function isTelling(name: string): boolean {
  return name.length >= 3 && !COMMON_NAMES.has(name.toLowerCase());
}

/** Names of this machine and its user. */
export function ownNames(): OwnNames {
  const host = hostname();
  try {
    return { host, user: userInfo().username };
  } catch {
    // The user database has no entry for this process.
    return { host };
  }
}
