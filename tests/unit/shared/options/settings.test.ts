import { describe, expect, it } from 'vitest';
import type { Flavor } from '../../../../src/shared/model/names.ts';
import { settingsOfOptions } from '../../../../src/shared/options/settings.ts';

const read = (options: string[], flavor: Flavor = 'mysql') => settingsOfOptions(options, flavor);

describe('options that are settings', () => {
  it.each([
    [['--innodb-buffer-pool-size=1G'], { bufferPool: 1024 }],
    [['--innodb_buffer_pool_size=134217728'], { bufferPool: 128 }],
    [['--loose-innodb-buffer-pool-size=64m', '--innodb-buffer-pool-size=96M'], { bufferPool: 96 }],
    [['--innodb-buffer-pool-size=1K'], { bufferPool: 5 }],
    [['--innodb-redo-log-capacity=512M', '--innodb-log-file-size=1G'], { redoLogMiB: 512 }],
    [['--innodb-log-file-size=48M'], { redoLogMiB: 96 }],
    [['--innodb-log-file-size=48M', '--innodb-log-files-in-group=3'], { redoLogMiB: 144 }],
    [['--innodb-flush-log-at-trx-commit=2'], { flushLogAtTrxCommit: 2 }],
    [['--log-bin=/secret/place'], { binlog: true }],
    [['--log-bin', '--skip-log-bin'], { binlog: false }],
    [['--disable-log-bin'], { binlog: false }],
    [['--loose_skip-log_bin'], { binlog: false }],
    [['--skip-performance-schema'], { performanceSchema: false }],
    [['--sync-binlog=0', '--server-id=3'], { syncBinlog: 0 }],
    [['--performance-schema=OFF'], { performanceSchema: false }],
    [['--performance_schema'], { performanceSchema: true }],
  ])('%j', (options, settings) => {
    expect(read(options)).toEqual({ settings, others: [] });
  });

  it('are of one redo log file on MariaDB', () => {
    expect(read(['--innodb-log-file-size=96M'], 'mariadb').settings).toEqual({ redoLogMiB: 96 });
  });

  it.each([
    '--innodb-buffer-pool-size=half',
    '--innodb-flush-log-at-trx-commit=3',
    '--max-connections=5',
    '--innodb-log-file-size',
    '--constructor=1',
    '--maximum-innodb-buffer-pool-size=1G',
    'mysqld',
  ])('%s is none', (option) => {
    expect(read([option])).toEqual({ settings: {}, others: [option] });
  });
});
