import { kindsOf } from '../kinds/kind.ts';
import type { Limits } from '../model/server-spec.ts';

interface ServerChange {
  /** Added to the server's own. */
  options: readonly string[];
  /** Replaces the setup's limits. */
  limits?: Limits;
  /**
   * What may be lost that the setup keeps: commits of the last second when the machine goes down, or what the binary
   * log is for. Source: MySQL Reference Manual, innodb_flush_log_at_trx_commit, sync_binlog, and log_bin.
   */
  loses: 'nothing' | 'last-second' | 'binary-log';
}

/** What could replace settings or limits of a setup; the ids are names of servers in its preset. */
export const SERVER_CHANGES = {
  'without-limits': { options: [], limits: { cpus: null, memoryMiB: null }, loses: 'nothing' },
  'relaxed-flush': {
    options: ['--innodb-flush-log-at-trx-commit=2', '--sync-binlog=0'],
    loses: 'last-second',
  },
  'without-binlog': { options: ['--skip-log-bin'], loses: 'binary-log' },
} satisfies Record<string, ServerChange>;

export type ServerChangeId = keyof typeof SERVER_CHANGES;
export const SERVER_CHANGE_IDS = kindsOf(SERVER_CHANGES);
