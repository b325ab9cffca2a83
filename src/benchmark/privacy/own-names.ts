import { hostname, userInfo } from 'node:os';

/** What this machine and its user are called. */
export interface OwnNames {
  host?: string;
  user?: string;
}

/** Names that everybody has. */
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

/** False for what is too short or too common to tell anything. */
export function isTelling(name: string): boolean {
  return name.length >= 3 && !COMMON_NAMES.has(name.toLowerCase());
}

/** Names of this machine and its user; where the system knows no user there is none to hide. */
export function ownNames(): OwnNames {
  const host = hostname();
  try {
    return { host, user: userInfo().username };
  } catch {
    // A process without an entry in the user database.
    return { host };
  }
}
