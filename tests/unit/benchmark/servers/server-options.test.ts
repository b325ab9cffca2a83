import { describe, expect, it } from 'vitest';
import {
  canDisableRedoLog,
  defaultSettings,
  initialization,
  loadPhaseOptions,
  loadPoolMiB,
  mostConnections,
  serverOptions,
  startEnv,
} from '../../../../src/benchmark/servers/server-options.ts';
import type { Flavor } from '../../../../src/shared/model/names.ts';
import { serverSettingsSchema } from '../../../../src/shared/model/server-settings.ts';

const SETTINGS = serverSettingsSchema.parse({ bufferPoolMiB: 200, redoLogMiB: 64 });
const CAPACITY = ['--innodb-redo-log-capacity=64M'];
const TWO_FILES = ['--innodb-log-files-in-group=2', '--innodb-log-file-size=32768K'];
const ONE_FILE = ['--innodb-log-file-size=64M'];

describe('server options', () => {
  it.each<[Flavor, string, string[]]>([
    ['mysql', '8.0.29', TWO_FILES],
    ['mysql', '8.0.30', CAPACITY],
    ['mysql', '9.7.4', CAPACITY],
    ['percona', '8.0.28-20', TWO_FILES],
    ['percona', '8.4.3-3', CAPACITY],
    ['mariadb', '10.5.29', ONE_FILE],
    ['mariadb', '11.8.6', ONE_FILE],
  ])('%s %s has the names that this version knows', (flavor, version, redo) => {
    const options = serverOptions({ flavor, version }, SETTINGS, 4);
    expect(options.filter((option) => /redo-log|log-file/.test(option))).toEqual(redo);
    const mariadb = flavor === 'mariadb';
    expect(options.includes('--innodb-buffer-pool-instances=1')).toBe(!mariadb);
    expect(options.includes('--loose-mysqlx=OFF')).toBe(!mariadb);
    expect(options).toContain(`--${mariadb ? 'loose-' : ''}innodb-buffer-pool-chunk-size=200M`);
    const same = ['--skip-log-bin', '--innodb-flush-log-at-trx-commit=1', '--max-connections=34'];
    expect(options).toEqual(expect.arrayContaining([...same, '--lower-case-table-names=1']));
  });

  it('have room for all scenarios of a server side by side, of which each keeps its connections', () => {
    const scenarios = ['a', 'a', 'b', 'a', 'b'].map((serverId) => ({ serverId, connections: 16 }));
    const schedule = { rounds: 3, warmupSeconds: 1, durationSeconds: 5 };
    const most = [schedule, { ...schedule, sliceSeconds: 1 }].map((one) =>
      mostConnections({ scenarios, connections: 16, schedule: one }),
    );
    expect(most).toEqual([16, 48]);
  });

  it('turns the binary log on with its flushing', () => {
    const settings = { ...SETTINGS, binlog: true, syncBinlog: 0 };
    const options = serverOptions({ flavor: 'mysql', version: '8.4.0' }, settings, 4);
    expect(options).toContain('--sync-binlog=0');
    expect(options).not.toContain('--skip-log-bin');
  });

  it.each<[Flavor, string, number, boolean]>([
    ['mysql', '8.0.29', 96, true],
    ['mysql', '8.4.10', 100, true],
    ['mysql', 'latest', 100, true],
    ['percona', '8.4.3-3', 100, true],
    ['mariadb', '11.8.6', 96, false],
  ])('knows the defaults of %s %s', (flavor, version, redoLogMiB, binlog) => {
    expect(defaultSettings({ flavor, version })).toMatchObject({ bufferPoolMiB: 128, redoLogMiB, binlog });
  });
});

it('Percona’s image is kept from calling home at every start, not only the first', () => {
  expect([startEnv('percona'), startEnv('mysql')]).toEqual([{ PERCONA_TELEMETRY_DISABLE: '1' }, {}]);
  const account = { rootPassword: 'r', database: 'sbtest', user: 'whalemark', password: 'p' };
  const expected = { MYSQL_USER: 'whalemark', ...startEnv('percona') };
  expect(initialization('percona', account).env).toMatchObject(expected);
});

describe('a server that only loads', () => {
  it('takes rows from clients and keeps nothing for a crash, on an own size of pool', () => {
    const mysql = loadPhaseOptions({ flavor: 'mysql', version: '8.4.10' }, 300);
    expect(mysql).toEqual([
      '--innodb-buffer-pool-size=300M',
      '--innodb-buffer-pool-instances=1',
      '--innodb-buffer-pool-chunk-size=300M',
      '--local-infile=1',
      '--innodb-doublewrite=OFF',
      '--innodb-flush-log-at-trx-commit=0',
      '--skip-log-bin',
      '--performance-schema=OFF',
    ]);
  });

  it.each([
    // The plan's pool, the data, the engine's memory, and the pool while loading, all in MiB.
    [24, 400, 8192, 500],
    [24, 40_000, 8192, 2048],
    [4096, 400, 8192, 4096],
    [128, 1, 8192, 128],
  ])('has a pool for the data: %i, %i of %i → %i MiB', (bufferPoolMiB, dataMiB, memoryMiB, expected) => {
    const MIB = 2 ** 20;
    expect(loadPoolMiB({ ...SETTINGS, bufferPoolMiB }, dataMiB * MIB, memoryMiB * MIB)).toBe(expected);
  });

  it.each<[Flavor, string, boolean]>([
    ['mysql', '8.0.20', false],
    ['mysql', '8.0.21', true],
    ['mysql', '9.7.4', true],
    ['percona', '8.0.28-20', true],
    ['mariadb', '11.8.6', false],
  ])('%s %s can stop its redo log: %s', (flavor, version, expected) => {
    expect(canDisableRedoLog({ flavor, version })).toBe(expected);
  });
});
