import { MIB } from '../model/server-settings.ts';
import type { Flavor } from '../model/names.ts';
import type { ServerSpec } from '../model/server-spec.ts';
import { bytesOf, serverOption } from './option.ts';

type Settings = Partial<ServerSpec['settings']>;

interface OptionSettings {
  settings: Settings;
  others: string[];
}

/**
 * Settings by options, the last of a name; `server-id` makes no difference to speed. Sources: MySQL Reference
 * Manual, innodb_redo_log_capacity (without it two files of innodb_log_file_size); MariaDB documentation,
 * innodb_log_files_in_group (one file).
 */
export function settingsOfOptions(options: readonly string[], flavor: Flavor | null): OptionSettings {
  const settings: Settings = {};
  const others: string[] = [];
  let logFiles = flavor === 'mariadb' ? 1 : 2;
  let logFileBytes: number | undefined;
  let redoBytes: number | undefined;
  const take: Record<string, (value: string | undefined, isOff: boolean) => boolean> = {
    'innodb-buffer-pool-size': (value) =>
      whenKnown(bytesOf(value), (bytes) => (settings.bufferPool = Math.max(5, Math.round(bytes / MIB)))),
    'innodb-redo-log-capacity': (value) => whenKnown(bytesOf(value), (bytes) => (redoBytes = bytes)),
    'innodb-log-file-size': (value) => whenKnown(bytesOf(value), (bytes) => (logFileBytes = bytes)),
    'innodb-log-files-in-group': (value) => whenKnown(countOf(value), (count) => (logFiles = count)),
    'innodb-flush-log-at-trx-commit': (value) => {
      const known = ([0, 1, 2] as const).find((one) => String(one) === value);
      return whenKnown(known, (one) => (settings.flushLogAtTrxCommit = one));
    },
    'log-bin': (_, isOff) => whenKnown(!isOff, (one) => (settings.binlog = one)),
    'sync-binlog': (value) => whenKnown(countOf(value), (count) => (settings.syncBinlog = count)),
    'performance-schema': (value) =>
      whenKnown(switchOf(value), (isOn) => (settings.performanceSchema = isOn)),
    'server-id': () => true,
  };
  for (const option of options) {
    const { name = '', value, isOff = false, isMaximum = false } = serverOption(option) ?? {};
    const isKnown = Object.hasOwn(take, name) && !isMaximum;
    if (!isKnown || take[name]?.(isOff ? '0' : value, isOff) !== true) others.push(option);
  }
  redoBytes ??= logFileBytes === undefined ? undefined : logFileBytes * logFiles;
  if (redoBytes !== undefined) settings.redoLogMiB = Math.max(8, Math.round(redoBytes / MIB));
  return { settings, others };
}

function whenKnown<T>(value: T | undefined, keep: (value: T) => unknown): boolean {
  if (value === undefined) return false;
  keep(value);
  return true;
}

function countOf(value = ''): number | undefined {
  return /^\d{1,9}$/.test(value.trim()) ? Number(value) : undefined;
}

function switchOf(value = 'on'): boolean | undefined {
  if (/^(?:on|1|true)$/i.test(value)) return true;
  return /^(?:off|0|false)$/i.test(value) ? false : undefined;
}
