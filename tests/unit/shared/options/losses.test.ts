import { describe, expect, it } from 'vitest';
import { serverOptions } from '../../../../src/benchmark/servers/server-options.ts';
import { kindsOf } from '../../../../src/shared/kinds/kind.ts';
import { lossesOfOptions, lossesOfServer, TUNING_LOSSES } from '../../../../src/shared/options/losses.ts';
import { serverOption } from '../../../../src/shared/options/option.ts';
import { refusedOption, SAFE_TUNING } from '../../../../src/shared/options/tuning.ts';
import { SERVER_CHANGES } from '../../../../src/shared/compose/database-preset.ts';
import { createTranslator, messageText } from '../../../../src/shared/words/i18n.ts';
import { msg } from '../../../../src/shared/message.ts';
import { builtInPresets } from '../../built-in-presets.ts';

const nameOf = (option: string): string => serverOption(option)?.name ?? option;

/** Options that presets have settings for. */
const SETTINGS = words('innodb-flush-log-at-trx-commit log-bin sync-binlog');
/** Options that Whalemark sets itself and refuses from users; none of them loses anything. */
const OWN = words(`
  innodb-buffer-pool-size innodb-buffer-pool-chunk-size innodb-buffer-pool-instances innodb-redo-log-capacity
  innodb-log-file-size innodb-log-files-in-group server-id lower-case-table-names max-connections
  max-prepared-stmt-count mysqlx slave-connections-needed-for-purge
`);
/** Parts of the names of options that lose something. */
const SOUNDS_UNSAFE =
  /sync|flush|doublewrite|checksum|engine|recover|durab|atomic|delay|error-action|group-commit/;
/** Options that lose nothing, although they sound like it: each was looked up. A new one is, too, or goes to losses.ts. */
const SOUNDS_SO_ONLY = words(`
  flush flush-time delayed-insert-limit delayed-insert-timeout delayed-queue-size default-tmp-storage-engine
  internal-tmp-mem-storage-engine max-delayed-threads aria-force-start-after-recovery-failures
  aria-group-commit-interval aria-recover-options myisam-recover-options binlog-group-commit-sync-delay
  binlog-max-flush-queue-time binlog-group-commit-sync-no-delay-count innodb-adaptive-flushing
  innodb-adaptive-flushing-lwm innodb-adaptive-max-sleep-delay innodb-cleaner-max-flush-time
  innodb-doublewrite-batch-size innodb-doublewrite-files innodb-doublewrite-pages innodb-flush-log-at-timeout
  innodb-flush-neighbors innodb-flush-sync innodb-flushing-avg-loops innodb-fsync-threshold
  innodb-idle-flush-pct innodb-lru-flush-size innodb-spin-wait-delay innodb-sync-array-size
  innodb-sync-spin-loops innodb-use-atomic-writes innodb-use-fdatasync innodb-log-spin-wait-delay
  innodb-log-wait-for-flush-spin-hwm innodb-max-purge-lag-delay innodb-thread-sleep-delay tcp-nodelay
  binlog-gtid-simple-recovery
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

describe('every option', () => {
  it('that users may set is in one of two lists: what it may lose, or safe', () => {
    expect(kindsOf(TUNING_LOSSES).filter((name) => SAFE_TUNING.has(name))).toEqual([]);
    for (const name of kindsOf(TUNING_LOSSES)) expect(refusedOption(`--${name}=1`), name).toBeUndefined();
    const sounding = [...SAFE_TUNING].filter((name) => SOUNDS_UNSAFE.test(name));
    expect(sounding.sort()).toEqual([...SOUNDS_SO_ONLY].sort());
  });

  it('that Whalemark sets is in one of them, or looked up', async () => {
    const settings = { bufferPoolMiB: 128, redoLogMiB: 96, flushLogAtTrxCommit: 1, syncBinlog: 1 } as const;
    const servers = [
      ['mysql', '5.7.44'],
      ['mysql', '8.4.10'],
      ['percona', '8.0.42'],
      ['mariadb', '11.8.6'],
    ] as const;
    const own = servers.flatMap(([flavor, version]) =>
      [true, false].flatMap((isOn) =>
        serverOptions(
          { flavor, version },
          { ...settings, defaults: [], binlog: isOn, performanceSchema: isOn },
          8,
        ),
      ),
    );
    const changes = Object.values(SERVER_CHANGES).flatMap(({ options }): readonly string[] => options);
    const presets = (await builtInPresets()).flatMap((preset) => {
      const { server, servers: others } = preset;
      return [server, ...Object.values(others)].flatMap(({ options = [] }) => options);
    });
    const known = new Set([...SAFE_TUNING, ...kindsOf(TUNING_LOSSES), ...SETTINGS, ...OWN]);
    const isKnown = (option: string): boolean =>
      known.has(nameOf(option)) || known.has(serverOption(option)?.full ?? '');
    expect([...own, ...changes, ...presets].filter((option) => !isKnown(option))).toEqual([]);
    expect(presets).not.toEqual([]);
  });

  it('that loses something has words for it', () => {
    const t = createTranslator('zh-CN');
    const all = lossesOfOptions([
      ...['--innodb-flush-method=nosync', '--innodb-flush-log-at-trx-commit=0', '--delay-key-write=ALL'],
      ...['--binlog-checksum=NONE', '--sync-binlog=0', '--default-storage-engine=MEMORY'],
    ]);
    expect(all).toEqual(['memory', 'power-cut', 'crash', 'tables', 'indexes', 'unnoticed', 'binlog-end']);
    for (const loss of all) expect(messageText(msg(`loss.${loss}`), t)).toMatch(/\p{Script=Han}/u);
  });
});

describe('what a server may lose', () => {
  it.each([
    [[], []],
    [['--innodb_doublewrite=0'], ['tables']],
    [['--innodb-doublewrite=DETECT_ONLY'], ['tables']],
    [['--loose-skip-innodb-doublewrite'], ['tables']],
    [['--innodb-doublewrite=DETECT_AND_RECOVER'], []],
    [['--skip-innodb-doublewrite', '--innodb-doublewrite=ON'], []],
    [['--innodb-flush-method=nosync'], ['power-cut', 'tables']],
    [['--innodb-flush-method=O_DIRECT_NO_FSYNC'], ['tables']],
    [['--innodb-flush-method=O_DIRECT'], []],
    [['--innodb-checksum-algorithm=none'], ['unnoticed']],
    [['--skip-innodb-log-checksums'], ['unnoticed']],
    [['--default-storage-engine=InnoDB'], []],
    [['--default-storage-engine=MyISAM'], ['tables']],
    [['--innodb-io-capacity=1'], []],
  ])('with %j: %j', (options, losses) => {
    expect(lossesOfOptions(options)).toEqual(losses);
  });

  it.each([
    [{}, []],
    [{ flushLogAtTrxCommit: 0 }, ['crash']],
    [{ syncBinlog: 100 }, ['binlog-end']],
    [{ binlog: false, syncBinlog: 0 }, ['binary-log']],
  ] as const)('with the settings %j: %j', (changed, losses) => {
    const settings = { flushLogAtTrxCommit: 1, binlog: true, syncBinlog: 1, ...changed } as const;
    expect(lossesOfServer({ settings, options: [] })).toEqual(losses);
  });
});
