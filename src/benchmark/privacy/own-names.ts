import { hostname, userInfo } from 'node:os';
import type { OwnNames } from './shareable.ts';

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
