import type { ServerFacts } from '../../shared/model/events.ts';
import type { LoadDriver, LoadTarget } from '../load/driver.ts';
import { fileSystemOf } from './storage/mount-info.ts';
import { VARIABLES_READ_BACK } from './server-options.ts';
import type { RunningServer, TargetServer } from './target-server.ts';

/** What the server really uses, asked from itself, and the file system that its datadir really is on. */
export async function readServerFacts(
  server: TargetServer,
  running: RunningServer,
  client: LoadDriver,
  target: LoadTarget,
  signal: AbortSignal,
): Promise<ServerFacts> {
  const names = VARIABLES_READ_BACK.map((name) => `'${name}'`).join(', ');
  const rows = await client.query(target, `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names})`, signal);
  const variables = Object.fromEntries(rows.map(([name, value]) => [String(name), String(value)]));
  const mounts = await running.mounts();
  const flush = await running.flush();
  return {
    serverId: server.id,
    version: variables['version'] ?? '',
    versionComment: variables['version_comment'] ?? '',
    variables,
    options: server.options,
    datadirFileSystem: mounts === undefined ? null : (fileSystemOf(mounts.mountInfo, mounts.datadir) ?? null),
    flush: flush ?? null,
  };
}
