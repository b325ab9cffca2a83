import { type StorageKind, STORAGES } from '../kinds/storages.ts';
import type { ServerSettings } from '../model/server-settings.ts';
import { effectiveOptions } from './option.ts';

/** Losses by a crash, the worst first, with texts in `loss.LOSS`. */
const LOSSES = [
  'memory',
  'container',
  'power-cut',
  'crash',
  'last-second',
  'tables',
  'indexes',
  'unnoticed',
  'binlog-end',
  'binary-log',
] as const;
export type Loss = (typeof LOSSES)[number];

const WITHOUT_DATA: ReadonlySet<Loss> = new Set(['unnoticed', 'binlog-end', 'binary-log']);

export function isDataLoss(loss: Loss): boolean {
  return !WITHOUT_DATA.has(loss);
}

/** A volume without a name stays until it is removed. */
export function lossesOfStorage(kind: StorageKind): Loss[] {
  const { durability } = STORAGES[kind];
  return durability === 'memory' || durability === 'container' ? [durability] : [];
}

/** Losses of a value from `effectiveOptions`. */
type Rule = (value: string) => readonly Loss[];
const unless =
  (loss: Loss, ...safe: string[]): Rule =>
  (value) =>
    safe.includes(value) ? [] : [loss];
const when =
  (loss: Loss, ...values: string[]): Rule =>
  (value) =>
    values.includes(value) ? [loss] : [];

/**
 * Tuning at the price of data; numbers are indexes of words. Sources: MySQL 5.7 to 9.7 Reference Manuals and
 * MariaDB documentation, by name.
 */
export const TUNING_LOSSES: Readonly<Record<string, Rule>> = {
  'aria-group-commit': when('last-second', 'soft', '2'),
  'aria-page-checksum': unless('unnoticed', '1'),
  'binlog-checksum': when('unnoticed', 'none', '0'),
  'binlog-error-action': when('binlog-end', 'ignore_error', '0'),
  'default-storage-engine': (value) =>
    value === 'memory' ? ['memory'] : ['innodb', 'rocksdb'].includes(value) ? [] : ['tables'],
  'delay-key-write': when('indexes', 'all', '2'),
  'innodb-checksum-algorithm': when('unnoticed', 'none', 'strict_none', '4', '5'),
  'innodb-doublewrite': unless('tables', '1', 'detect_and_recover'),
  'innodb-flush-method': (value) => {
    if (['nosync', 'littlesync', '2', '3'].includes(value)) return ['power-cut', 'tables'];
    return ['o_direct_no_fsync', '5'].includes(value) ? ['tables'] : [];
  },
  'innodb-log-checksums': unless('unnoticed', '1'),
  'sync-frm': unless('tables', '1'),
};

const SETTING_LOSSES: Readonly<Record<string, Rule>> = {
  'innodb-flush-log-at-trx-commit': (value) =>
    value === '0' ? ['crash'] : value === '2' ? ['last-second'] : [],
  'log-bin': when('binary-log', '0'),
  'sync-binlog': unless('binlog-end', '1'),
};

/** The worst loss is first. */
export function lossesOfOptions(options: readonly string[]): Loss[] {
  const rules: Readonly<Record<string, Rule>> = { ...TUNING_LOSSES, ...SETTING_LOSSES };
  const lost = new Set(
    [...effectiveOptions(options)].flatMap(([name, value]) =>
      Object.hasOwn(rules, name) ? (rules[name]?.(value) ?? []) : [],
    ),
  );
  // Without a binary log, there is no end to lose.
  if (lost.has('binary-log')) lost.delete('binlog-end');
  return LOSSES.filter((one) => lost.has(one));
}

interface StartedServer {
  settings: Pick<ServerSettings, 'flushLogAtTrxCommit' | 'binlog' | 'syncBinlog'>;
  options: readonly string[];
  /** Reported variables, which include the image's option file. */
  variables?: Readonly<Record<string, string>>;
}

export function lossesOfServer({ settings, options, variables = {} }: StartedServer): Loss[] {
  const { flushLogAtTrxCommit, binlog, syncBinlog } = settings;
  return lossesOfOptions([
    `--innodb-flush-log-at-trx-commit=${flushLogAtTrxCommit}`,
    binlog ? '--log-bin' : '--skip-log-bin',
    `--sync-binlog=${syncBinlog}`,
    ...options,
    ...Object.keys(TUNING_LOSSES).flatMap((name) => {
      const value = variables[name.replaceAll('-', '_')];
      return value === undefined ? [] : [`--${name}=${value}`];
    }),
  ]);
}
