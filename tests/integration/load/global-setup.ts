import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { bundleClient } from '../helpers/bundle-client.ts';
import { checkPrerequisites } from '../helpers/prerequisites.ts';
import { keptServers, removeServers } from './shared-containers.ts';

/**
 * The tests of the load share one server of each flavor, which the first one that needs it starts, and one client. With
 * WHALEMARK_TEST_KEEP=1 the servers continue running for the next call; the first call without it removes them.
 */
export default async function (project: TestProject): Promise<() => Promise<void>> {
  await checkPrerequisites();
  const keep = (process.env['WHALEMARK_TEST_KEEP'] ?? '') !== '';
  if (!keep) await removeServers(keptServers());
  const servers = keep ? keptServers() : randomBytes(6).toString('hex');
  const client = await bundleClient();
  project.provide('loadServers', servers);
  project.provide('clientFile', client.file);
  return async () => {
    await client.remove();
    if (!keep) await removeServers(servers);
  };
}
