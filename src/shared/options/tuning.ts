import { BenchmarkError } from '../errors.ts';
import { kindsOf } from '../kinds/kind.ts';
import { TUNING_LOSSES } from './losses.ts';
import { serverOption } from './option.ts';
import { settingsOfOptions } from './settings.ts';

/**
 * Names are the key, a dash, and one of these. None loads code, names a file or an address, decides who may
 * log in, or loses anything. From `--verbose --help` of MySQL 9.7 and MariaDB 11.8, and the manuals.
 */
const TUNING: Record<string, string> = {
  '': `
    alter-algorithm analyze-sample-percentage auto-increment-increment auto-increment-offset autocommit
    back-log big-tables bulk-insert-buffer-size character-set-client-handshake character-set-collations
    character-set-server collation-server column-compression-threshold column-compression-zlib-level
    column-compression-zlib-strategy column-compression-zlib-wrap completion-type concurrent-insert
    connect-timeout connection-memory-chunk-size connection-memory-limit connection-memory-status-limit
    container-aware cte-max-recursion-depth deadlock-search-depth-long deadlock-search-depth-short
    deadlock-timeout-long deadlock-timeout-short default-time-zone
    default-tmp-storage-engine default-week-format delayed-insert-limit
    delayed-insert-timeout delayed-queue-size div-precision-increment end-markers-in-json
    enforce-gtid-consistency eq-range-index-dive-limit event-scheduler expensive-subquery-limit
    expire-logs-days explain-format explicit-defaults-for-timestamp external-locking flush flush-time
    ft-boolean-syntax ft-max-word-len ft-min-word-len ft-query-expansion-limit general-log
    global-connection-memory-limit global-connection-memory-status-limit global-connection-memory-tracking
    group-concat-max-len gtid-cleanup-batch-size gtid-executed-compression-period gtid-mode gtid-strict-mode
    histogram-generation-max-mem-size histogram-size histogram-type host-cache-size
    idle-readonly-transaction-timeout idle-transaction-timeout idle-write-transaction-timeout
    in-predicate-conversion-threshold information-schema-stats-expiry interactive-timeout
    internal-tmp-mem-storage-engine join-buffer-size join-buffer-space-limit join-cache-level large-pages
    lc-time-names lock-wait-timeout long-query-time low-priority-updates memlock metadata-locks-cache-size
    metadata-locks-hash-instances mhnsw-default-distance mhnsw-default-m mhnsw-ef-search
    mhnsw-max-cache-size min-examined-row-limit mrr-buffer-size net-buffer-length net-read-timeout
    net-retry-count net-write-timeout new-mode note-verbosity old-mode open-files-limit parser-max-mem-size
    performance-schema preload-buffer-size profiling-history-size query-alloc-block-size query-prealloc-size
    range-alloc-block-size range-optimizer-max-mem-size read-buffer-size read-rnd-buffer-size
    regexp-stack-limit regexp-time-limit rowid-merge-buff-size rpl-read-size schema-definition-cache
    select-into-buffer-size skip-name-resolve slow-launch-time slow-query-log
    slow-query-log-always-write-time slow-query-log-use-global-control sort-buffer-size
    sql-generate-invisible-primary-key sql-mode sql-require-primary-key sql-safe-updates
    standard-compliant-cte stored-program-cache stored-program-definition-cache super-large-pages
    sysdate-is-now system-versioning-alter-history tablespace-definition-cache tcp-nodelay temp-pool
    temptable-max-mmap temptable-max-ram thread-cache-size thread-handling thread-stack thread-statistics
    tmp-disk-table-size tmp-memory-table-size tmp-table-size transaction-alloc-block-size
    transaction-isolation transaction-prealloc-size transaction-write-set-extraction tx-isolation
    updatable-views-with-limit use-stat-tables userstat wait-timeout windowing-use-high-precision
    xa-detach-on-prepare`,
  aria: `
    block-size checkpoint-interval checkpoint-log-activity force-start-after-recovery-failures
    group-commit-interval log-file-size log-purge-type max-sort-file-size
    pagecache-age-threshold pagecache-buffer-size pagecache-division-limit pagecache-file-hash-size
    recover-options repair-threads sort-buffer-size stats-method`,
  binlog: `
    alter-two-phase annotate-row-events cache-size commit-wait-count commit-wait-usec
    direct-non-transactional-updates expire-logs-auto-purge expire-logs-seconds file-cache-size
    format group-commit-sync-delay group-commit-sync-no-delay-count gtid-index-page-size gtid-index-span-min
    gtid-simple-recovery large-commit-threshold legacy-event-pos max-flush-queue-time
    optimize-thread-scheduling order-commits row-event-max-size row-image row-metadata row-value-options
    rows-query-log-events space-limit stmt-cache-size transaction-compression
    transaction-compression-level-zstd transaction-dependency-history-size transaction-dependency-tracking`,
  innodb: `
    adaptive-flushing adaptive-flushing-lwm adaptive-hash-index adaptive-hash-index-cells
    adaptive-hash-index-parts adaptive-max-sleep-delay alter-copy-bulk autoextend-increment
    autoinc-lock-mode buf-dump-status-frequency change-buffer-max-size change-buffering
    cleaner-lsn-age-factor cleaner-max-flush-time commit-concurrency compression-algorithm
    compression-default compression-failure-threshold-pct compression-level compression-pad-pct-max
    concurrency-tickets data-file-buffering data-file-write-through ddl-buffer-size ddl-threads
    deadlock-detect deadlock-report default-row-format defragment defragment-n-pages disable-sort-file-cache
    doublewrite-batch-size doublewrite-files doublewrite-pages empty-free-list-algorithm
    extend-and-initialize fatal-semaphore-wait-threshold file-per-table fill-factor flush-log-at-timeout
    flush-neighbors flush-sync flushing-avg-loops force-primary-key fsync-threshold
    idle-flush-pct immediate-scrub-data-uncompressed instant-alter-column-allowed io-capacity
    io-capacity-max linux-aio lock-wait-timeout lru-flush-size lru-scan-depth numa-interleave old-blocks-pct
    old-blocks-time online-alter-log-max-size open-files optimize-fulltext-only page-cleaners page-size
    parallel-read-threads prefix-index-cluster-optimization print-all-deadlocks print-ddl-logs
    print-lock-wait-timeout-info purge-batch-size purge-rseg-truncate-frequency purge-threads
    random-read-ahead read-ahead-threshold read-io-threads read-only-compressed rollback-on-timeout
    rollback-segments scrub-log segment-reserve-factor show-locks-held snapshot-isolation sort-buffer-size
    spin-wait-delay spin-wait-pause-multiplier status-output status-output-locks strict-mode sync-array-size
    sync-spin-loops table-locks thread-concurrency thread-sleep-delay undo-log-truncate undo-logs
    undo-tablespaces use-atomic-writes use-fdatasync use-native-aio validate-tablespace-paths
    write-io-threads`,
  'innodb-buffer-pool': `
    dump-at-shutdown dump-pct load-at-startup`,
  'innodb-ft': `
    cache-size default-stopword enable-diag-print enable-stopword max-token-size min-token-size
    num-word-optimize result-cache-limit sort-pll-degree total-cache-size`,
  'innodb-log': `
    buffer-size compressed-pages file-buffering file-mmap file-write-through optimize-ddl
    spin-cpu-abs-lwm spin-cpu-pct-hwm spin-wait-delay wait-for-flush-spin-hwm write-ahead-size
    writer-threads`,
  'innodb-max': `
    dirty-pages-pct dirty-pages-pct-lwm purge-lag purge-lag-delay purge-lag-wait undo-log-size`,
  'innodb-stats': `
    auto-recalc include-delete-marked method modified-counter on-metadata persistent persistent-sample-pages
    traditional transient-sample-pages`,
  key: `
    buffer-size cache-age-threshold cache-block-size cache-division-limit cache-file-hash-size
    cache-segments`,
  log: `
    bin-compress bin-compress-min-len bin-trust-function-creators output queries-not-using-indexes
    replica-updates slave-updates slow-admin-statements slow-always-query-time slow-disabled-statements
    slow-extra slow-filter slow-max-warnings slow-min-examined-row-limit slow-query slow-query-time
    slow-rate-limit slow-rate-type slow-replica-statements slow-slave-statements slow-sp-statements
    slow-verbosity throttle-queries-not-using-indexes timestamps warnings`,
  max: `
    allowed-packet binlog-cache-size binlog-size binlog-stmt-cache-size binlog-total-size connect-errors
    connections delayed-threads digest-length error-count execution-time heap-table-size join-size
    length-for-sort-data points-in-geometry prepared-stmt-count recursive-iterations rowid-filter-size
    seeks-for-key session-mem-used slowlog-size sort-length sp-recursion-depth statement-time
    tmp-session-space-usage tmp-total-space-usage user-connections write-lock-count`,
  myisam: `
    block-size data-pointer-size max-sort-file-size mmap-size recover-options repair-threads
    sort-buffer-size stats-method use-mmap`,
  optimizer: `
    adjust-secondary-key-costs disk-read-cost disk-read-ratio extra-pruning-depth index-block-copy-cost
    join-limit-pref-ratio key-compare-cost key-copy-cost key-lookup-cost key-next-find-cost
    max-sel-arg-weight max-sel-args max-subgraph-pairs prune-level row-copy-cost row-lookup-cost
    row-next-find-cost rowid-compare-cost rowid-copy-cost scan-setup-cost search-depth
    selectivity-sampling-limit switch trace trace-features trace-limit trace-max-mem-size trace-offset
    use-condition-selectivity where-cost`,
  'performance-schema': `
    accounts-size digests-size error-size hosts-size instrument session-connect-attrs-size setup-actors-size
    setup-objects-size show-processlist users-size`,
  'performance-schema-consumer': `
    events-stages-current events-stages-history events-stages-history-long events-statements-cpu
    events-statements-current events-statements-history events-statements-history-long
    events-transactions-current events-transactions-history events-transactions-history-long
    events-waits-current events-waits-history events-waits-history-long global-instrumentation
    statements-digest thread-instrumentation`,
  'performance-schema-events': `
    stages-history-long-size stages-history-size statements-history-long-size statements-history-size
    transactions-history-long-size transactions-history-size waits-history-long-size waits-history-size`,
  'performance-schema-max': `
    cond-classes cond-instances digest-length digest-sample-age file-classes file-handles file-instances
    index-stat memory-classes metadata-locks mutex-classes mutex-instances prepared-statements-instances
    program-instances rwlock-classes rwlock-instances socket-classes socket-instances sql-text-length
    stage-classes statement-classes statement-stack table-handles table-instances table-lock-stat
    thread-classes thread-instances`,
  'query-cache': `
    limit min-res-unit size strip-comments type wlock-invalidate`,
  'session-track': `
    gtids schema state-change system-variables transaction-info`,
  table: `
    cache definition-cache open-cache open-cache-instances open-cache-triggers`,
  'thread-pool': `
    dedicated-listener exact-stats groups high-prio-mode high-prio-tickets idle-timeout max-threads
    oversubscribe prio-kickup-timer priority queues size stall-limit stats waits`,
};

export const SAFE_TUNING: ReadonlySet<string> = new Set(
  Object.entries(TUNING).flatMap(([family, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => (family === '' ? name : `${family}-${name}`)),
  ),
);

const ALLOWED: ReadonlySet<string> = new Set([...SAFE_TUNING, ...kindsOf(TUNING_LOSSES)]);

/** Reasons against other options, the most specific first. */
const REASONS: [RegExp, string][] = [
  [/^innodb-buffer-pool-size/, 'set server.settings.bufferPool instead.'],
  [/^innodb-buffer-pool-(chunk-size|instances)$/, 'Whalemark derives it from server.settings.bufferPool.'],
  [
    /^innodb-(redo-log-capacity|log-file-size|log-files-in-group)$/,
    'set server.settings.redoLogMiB instead.',
  ],
  [/^innodb-flush-log-at-trx-commit$/, 'set server.settings.flushLogAtTrxCommit instead.'],
  [/^(log-bin|server-id)$/, 'set server.settings.binlog instead.'],
  [/^sync-binlog$/, 'set server.settings.syncBinlog instead.'],
  [/^lower-case-table-names$/, 'one dataset serves every storage type, so it is 1 everywhere.'],
  [/read-only$/, 'the tables have to be filled.'],
  [
    /plugin|^(gdb|debug|core-file|daemonize|chroot|user|upgrade|bootstrap|initialize)|^wsrep|^log-error-services/,
    'it loads code or changes how the server runs, and Whalemark starts the server itself.',
  ],
  [/^log-error|^console$|^silent-startup$/, 'Whalemark reads the server’s log to see that it is ready.'],
  [/^(no-|print-)?defaults|^(no-)?login-path/, 'option files are not read; use server.configFile.'],
  [/auth|password|grant|ssl|tls|secure|roles|keyring|^init-/, 'Whalemark decides who can log in, and how.'],
  [
    /file$|dirs?$|path$|directory$|directories$|index$|basename|^socket|stopword-table$/,
    'Whalemark decides where the server keeps its files.',
  ],
  [
    /address|port$|host$|url$|networking|named-pipe|shared-memory|mysqlx|^admin-|^extra-|proxy/,
    'Whalemark decides where the server listens, and the server connects to nothing else.',
  ],
];

export function refusedOption(option: string): string | undefined {
  if (/^-[^-]/.test(option)) return 'write the long form, --name=value.';
  const { full: name = '', name: base = '' } = serverOption(option) ?? {};
  if (ALLOWED.has(name) || ALLOWED.has(base)) return undefined;
  const reason = REASONS.find(([pattern]) => pattern.test(name) || pattern.test(base))?.[1];
  if (reason !== undefined) return reason;
  const meant = [...ALLOWED].filter((known) => known.startsWith(base));
  if (base !== '' && meant.length === 1) return `write the whole name, ${meant.join('')}.`;
  return 'it is not one of the options that tune a server. Remove it.';
}

/** Undefined: the option is measured, also as a setting. */
export function whyUnmeasured(option: string): string | undefined {
  return settingsOfOptions([option], null).others.length === 0 ? undefined : refusedOption(option);
}

export function requireTuningOptions(presetId: string, options: readonly string[]): void {
  const evidence = options.flatMap((option) => {
    const reason = refusedOption(option);
    return reason === undefined ? [] : [`server.options: ${option}: ${reason}`];
  });
  if (evidence.length === 0) return;
  throw new BenchmarkError(
    'PRESET_INVALID',
    { name: presetId, count: String(evidence.length) },
    { evidence },
  );
}
