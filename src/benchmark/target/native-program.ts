import type { ServerVersion } from './server-options.ts';

/** A server program of this machine. */
export interface NativeProgram extends ServerVersion {
  binary: string;
}

/** The program to use: the one named, else the first that is found; or why there is none. */
export function findNativeProgram(_named: string | undefined): Promise<NativeProgram | { reason: string }> {
  return Promise.resolve({ reason: 'Native servers are not there yet.' });
}
