import { describe, expect, it } from 'vitest';
import { serverOptions } from '../../../../src/benchmark/target/server-options.ts';
import type { Flavour } from '../../../../src/shared/model/names.ts';

const SETTINGS = {
  bufferPoolMiB: 200,
  redoLogMiB: 64,
  flushLogAtTrxCommit: 1,
  binlog: false,
  syncBinlog: 1,
} as const;
const CAPACITY = ['--innodb-redo-log-capacity=64M'];
const TWO_FILES = ['--innodb-log-files-in-group=2', '--innodb-log-file-size=32768K'];
const ONE_FILE = ['--innodb-log-file-size=64M'];

const VERSIONS: [Flavour, string, string[]][] = [
  ['mysql', '8.0.29', TWO_FILES],
  ['mysql', '8.0.30', CAPACITY],
  ['mysql', '8.4.10', CAPACITY],
  ['mysql', '9.7.4', CAPACITY],
  ['percona', '8.0.28-20', TWO_FILES],
  ['percona', '8.4.3-3', CAPACITY],
  ['mariadb', '10.5.29', ONE_FILE],
  ['mariadb', '10.6.22', ONE_FILE],
  ['mariadb', '10.11.14', ONE_FILE],
  ['mariadb', '11.8.6', ONE_FILE],
];

describe('server options', () => {
  it.each(VERSIONS)('%s %s has the names that this version knows', (flavour, version, redo) => {
    const options = serverOptions({ flavour, version }, SETTINGS, 4);
    expect(options.filter((option) => /redo-log|log-file/.test(option))).toEqual(redo);
    const mariadb = flavour === 'mariadb';
    expect(options.includes('--innodb-buffer-pool-instances=1')).toBe(!mariadb);
    expect(options.includes('--loose-mysqlx=OFF')).toBe(!mariadb);
    expect(options).toContain(`--${mariadb ? 'loose-' : ''}innodb-buffer-pool-chunk-size=200M`);
    expect(options).toContain('--skip-log-bin');
  });

  it('turns the binary log on with its flushing', () => {
    const options = serverOptions(
      { flavour: 'mysql', version: '8.4.0' },
      { ...SETTINGS, binlog: true, syncBinlog: 0 },
      4,
    );
    expect(options).toContain('--sync-binlog=0');
    expect(options).not.toContain('--skip-log-bin');
  });
});
