import { afterAll, beforeAll, inject } from 'vitest';
import { TestServer, type Flavor } from '../helpers/docker-server.ts';
import { sharedServer } from './shared-containers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the servers of this run of the tests are labelled with. */
    loadServers: string;
    /** The load client of today's sources. */
    clientFile: string;
  }
}

export const FLAVORS: readonly Flavor[] = ['mysql', 'mariadb'];

/** How long a load would run that a test ends early, ms: who waits for its end meets the test's time limit. */
export const ENDLESS_MS = 3_600_000;

/** The tag of what only the full run tests; none when `only` is false. */
export const full = (only = true): { tags?: string[] } => (only ? { tags: ['full'] } : {});

/**
 * The one server of a flavor that all files share, for the tests of a `describe` or a file: it is started by the first
 * of them, and its schema is empty when they begin. Who stops or changes it puts it back.
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
