import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { ServerFacts } from '../../shared/model/events.ts';
import type { LoadTarget } from '../load/driver.ts';
import { fileSystemOf } from './mount-info.ts';
import type { Server } from './server.ts';
import { VARIABLES_READ_BACK } from './server-options.ts';

/** What the server really uses, asked from itself, and the file system that its datadir really is on. */
export async function readServerFacts(server: Server, target: LoadTarget): Promise<ServerFacts> {
  const connection = await createConnection({
    host: target.host,
    port: target.port,
    user: target.user,
    password: target.password,
    connectTimeout: 10_000,
  });
  const variables: Record<string, string> = {};
  try {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SHOW GLOBAL VARIABLES WHERE Variable_name IN (?)',
      [VARIABLES_READ_BACK],
    );
    for (const row of rows) variables[String(row['Variable_name'])] = String(row['Value']);
  } finally {
    connection.destroy();
  }
  const { runtime, storage } = server.spec;
  const mounts = await runtime.exec(server.containerId, ['cat', '/proc/self/mountinfo']);
  return {
    serverId: server.spec.id,
    version: variables['version'] ?? '',
    versionComment: variables['version_comment'] ?? '',
    variables,
    options: server.spec.options,
    datadirFileSystem: mounts.exitCode === 0 ? (fileSystemOf(mounts.stdout, storage.datadir) ?? null) : null,
  };
}
