import { STATEMENT_COUNTERS } from '../../shared/analysis/trial-figures.ts';
import type { ServerFacts } from '../../shared/model/events.ts';
import type { LoadClient, LoadTarget } from '../load/load-client.ts';
import { unlessStopped } from '../stop.ts';
import { fileSystemOf } from './storage/mount-info.ts';
import { VARIABLES_READ_BACK } from './server-options.ts';
import type { RunningServer, TargetServer } from './target-server.ts';

export async function readServerFacts(
  server: TargetServer,
  running: RunningServer,
  client: LoadClient,
  target: LoadTarget,
  { timesFlush, variables, signal }: { timesFlush: boolean; variables: string[]; signal: AbortSignal },
): Promise<ServerFacts> {
  const names = [...VARIABLES_READ_BACK, ...variables].map((name) => `'${name}'`).join(', ');
  const rows = await client.query(target, `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names})`, signal);
  const values = Object.fromEntries(rows.map(([name, value]) => [String(name), String(value)]));
  const mounts = await running.mounts();
  const flushTimes = timesFlush ? await unlessStopped(signal, running.flush()) : undefined;
  return {
    serverId: server.id,
    version: values['version'] ?? '',
    versionComment: values['version_comment'] ?? '',
    variables: values,
    options: server.options,
    datadirFileSystem: mounts === undefined ? null : (fileSystemOf(mounts.mountInfo, mounts.datadir) ?? null),
    startMs: running.startedMs ?? null,
    flushTimes: flushTimes ?? null,
  };
}

const COUNTERS = [
  'Questions',
  ...Object.values(STATEMENT_COUNTERS).flat(),
  'Com_commit',
  'Handler_commit',
  'Innodb_buffer_pool_read_requests',
  'Innodb_buffer_pool_reads',
  'Innodb_data_fsyncs',
  'Innodb_data_written',
  'Innodb_os_log_written',
  'Innodb_row_lock_waits',
] as const;

export type Counters = Readonly<Record<string, number>>;

export async function readCounters(
  client: LoadClient,
  target: LoadTarget,
  signal: AbortSignal,
): Promise<Counters> {
  const names = COUNTERS.map((name) => `'${name}'`).join(', ');
  const rows = await client.query(target, `SHOW GLOBAL STATUS WHERE Variable_name IN (${names})`, signal);
  return Object.fromEntries(rows.map(([name, value]) => [String(name), Number(value)]));
}

export function growth(before: Counters, after: Counters): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const begin = before[name];
      return begin === undefined ? [] : [[name, value - begin]];
    }),
  );
}
