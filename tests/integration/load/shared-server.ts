import { afterAll, beforeAll, inject } from 'vitest';
import { TestServer, type Flavor } from '../helpers/docker-server.ts';
import { sharedServer } from './shared-containers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The label of the servers of this run of the tests. */
    loadServers: string;
    /** The load client of today's sources. */
    clientFile: string;
  }
}

export const FLAVORS: readonly Flavor[] = ['mysql', 'mariadb'];

/** Time of a load that a test ends early, ms: a test that waits for its end meets its time limit. */
export const ENDLESS_MS = 3_600_000;

/** The tag of tests of the full run; none when `only` is false. */
export const full = (only = true): { tags?: string[] } => (only ? { tags: ['full'] } : {});

/**
 * The server of a flavor that all files share, for the tests of a `describe` or a file. The first of them starts it,
 * and its schema is empty when they begin. A test that stops or changes it puts it back.
 */
export function useServer(flavor: Flavor): TestServer {
  const server = new TestServer(flavor, () => sharedServer(inject('loadServers'), flavor));
  beforeAll(async () => {
    await server.start();
    await server.clear();
  });
  afterAll(() => server.disconnect());
  return server;
}
