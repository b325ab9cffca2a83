import type { ServerVersion } from './server-options.ts';

/** What answers at an address of the user's own, or why nothing can be used there. */
export function probeExternal(_dsn: string | undefined): Promise<ServerVersion | { reason: string }> {
  return Promise.resolve({ reason: 'External servers are not there yet.' });
}
