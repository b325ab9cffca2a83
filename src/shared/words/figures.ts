import { kindsOf } from '../kinds/kind.ts';
import type { Analysis, ScenarioAnalysis } from '../analysis/analysis.ts';
import type { Translate } from './i18n.ts';
import { formatBytes, formatCount, formatLatency, formatNumber, formatRate, NO_VALUE } from '../units.ts';

interface Unit {
  /** Most decimals in CSV. */
  decimals: number;
  text: (value: number, language: string) => string;
}

const RATE: Unit = { decimals: 3, text: formatRate };
const SECONDS: Unit = { decimals: 6, text: (value, language) => formatLatency(1e6 * value, language) };
const TIME: Unit = { decimals: 1, text: formatLatency };
const BYTES: Unit = { decimals: 1, text: formatBytes };
const COUNT: Unit = { decimals: 0, text: formatCount };
const PERCENT: Unit = {
  decimals: 4,
  text: (value, language) => `${formatNumber(value, 2, language)}%`,
};
const each = (decimals: number): Unit => ({
  decimals: 6,
  text: (value, language) => formatNumber(value, decimals, language),
});

type ValueOf = (scenario: ScenarioAnalysis) => number | null;

/** docs/reference/exports.md explains the CSV columns. */
interface FigureTraits {
  /** The name in summary.csv never changes. */
  csv: string;
  unit: Unit;
  value: ValueOf;
  /** Cell text with more than the value. */
  text?: (scenario: ScenarioAnalysis, t: Translate) => string;
  /** Heading in docs/explanation/method.md. */
  anchor: string;
  /** All reports have durability. */
  table: 'numbers' | 'counters' | 'durability';
  /** Markdown and terminal include it. */
  short?: true;
  /** Hidden if no scenario has a value. */
  isOptional?: true;
  /** Absent for both kinds of run. */
  of?: 'load' | 'task';
}

type Latency = 'mean' | 'p50' | 'p95' | 'p99' | 'max';
const latency = (id: Latency, more: Pick<FigureTraits, 'short'> = {}): FigureTraits => ({
  csv: `${id}_us`,
  unit: TIME,
  value: (scenario) => scenario.latency?.[`${id}Us`] ?? null,
  anchor: 'latency',
  table: 'numbers',
  of: 'load',
  ...more,
});

const tpcc = (csv: string, unit: Unit, value: ValueOf, more: Pick<FigureTraits, 'short'>): FigureTraits => ({
  ...{ csv, unit, value, ...more },
  anchor: 'tpc-c-like',
  table: 'numbers',
  isOptional: true,
});

const counter = (csv: string, unit: Unit, anchor: string, value: ValueOf): FigureTraits => ({
  ...{ csv, unit, anchor, value },
  table: 'counters',
  isOptional: true,
});

const statements = (csv: string, value: ValueOf): FigureTraits => ({
  ...counter(csv, COUNT, 'statements', value),
  of: 'task',
});

const flushFigure = (csv: string, value: ValueOf): FigureTraits => ({
  ...{ csv, value, unit: TIME, anchor: 'flush' },
  table: 'durability',
  isOptional: true,
});

/** Every table and summary.csv have this order. */
const FIGURES = {
  seconds: {
    csv: 'seconds',
    unit: SECONDS,
    value: ({ latency, isTask }) => (isTask && latency !== null ? latency.p50Us / 1e6 : null),
    anchor: 'tasks',
    table: 'numbers',
    short: true,
    of: 'task',
  },
  tps: {
    csv: 'tps',
    unit: RATE,
    value: ({ tps }) => tps,
    anchor: 'tps',
    table: 'numbers',
    short: true,
    of: 'load',
  },
  publishedTps: {
    csv: 'reference_tps',
    unit: RATE,
    value: ({ reference }) => reference?.tps ?? null,
    anchor: 'published-results',
    table: 'numbers',
    isOptional: true,
  },
  newOrders: tpcc('new_orders_per_minute', RATE, ({ perMinute }) => perMinute?.newOrdersPerMinute ?? null, {
    short: true,
  }),
  transactionsPerMinute: tpcc(
    'transactions_per_minute',
    RATE,
    ({ perMinute }) => perMinute?.transactionsPerMinute ?? null,
    { short: true },
  ),
  qps: { csv: 'qps', unit: RATE, value: ({ qps }) => qps, anchor: 'qps', table: 'numbers', of: 'load' },
  mean: latency('mean'),
  p50: latency('p50', { short: true }),
  p95: latency('p95', { short: true }),
  p99: latency('p99'),
  max: latency('max'),
  errors: {
    csv: 'errors',
    unit: COUNT,
    value: ({ errors, measured }) =>
      measured === 0 ? null : Object.values(errors).reduce((sum, one) => sum + one, 0),
    text: ({ errors, measured }, t) => {
      const codes = Object.entries(errors);
      if (codes.length === 0) return measured === 0 ? NO_VALUE : '0';
      return codes
        .map(([code, count]) => `${formatCount(count, t.language)} × ${code}`)
        .join(t('report:list.items'));
    },
    anchor: 'errors',
    table: 'numbers',
    of: 'load',
  },
  rollbacks: tpcc('rollbacks', COUNT, ({ perMinute }) => perMinute?.rollbacks ?? null, {}),
  trials: {
    csv: 'trials_measured',
    unit: COUNT,
    value: ({ measured }) => measured,
    text: ({ measured, failed }, t) =>
      failed === 0
        ? formatCount(measured, t.language)
        : t('report:table.roundsPartly', { measured, planned: measured + failed }),
    anchor: 'trials',
    table: 'numbers',
  },
  start: {
    csv: 'start_seconds',
    unit: SECONDS,
    value: ({ figures }) => (figures.startMs === null ? null : figures.startMs / 1000),
    anchor: 'start',
    table: 'numbers',
    isOptional: true,
  },
  roundTrip: counter('round_trip_us', TIME, 'round-trip', ({ figures }) => figures.roundTripUs),
  commitP95: counter(
    'commit_p95_us',
    TIME,
    'commit-p95',
    ({ figures }) => figures.statements.commit?.p95Us ?? null,
  ),
  flush: flushFigure('flush_us', ({ figures }) => figures.flushUs),
  flushP99: flushFigure('flush_p99_us', ({ figures }) => figures.flushP99Us),
  commitExpected: flushFigure('commit_expected_us', ({ durability }) => durability?.commitUs ?? null),
  commitP50: flushFigure('commit_p50_us', ({ figures }) => figures.statements.commit?.p50Us ?? null),
  serverWrites: counter(
    'innodb_bytes_written',
    BYTES,
    'server-writes',
    ({ figures }) => figures.serverBytesWritten,
  ),
  deviceWrites: counter(
    'container_bytes_written',
    BYTES,
    'device-writes',
    ({ figures }) => figures.containerBytesWritten,
  ),
  hostWrites: counter(
    'machine_bytes_written',
    BYTES,
    'machine-writes',
    ({ figures }) => figures.hostBytesWritten,
  ),
  fsyncs: counter('fsyncs', each(2), 'fsyncs', ({ figures }) => figures.fsyncs),
  schemaStatements: statements('schema_statements', ({ figures }) => figures.schemaStatements),
  writeStatements: statements('write_statements', ({ figures }) => figures.writeStatements),
  readStatements: statements('read_statements', ({ figures }) => figures.readStatements),
  commits: statements('commits', ({ figures }) => figures.commits),
  hitRatio: counter('pool_hits_percent', PERCENT, 'pool-hits', ({ figures }) =>
    figures.hitRatio === null ? null : 100 * figures.hitRatio,
  ),
  lockWaits: counter('lock_waits', each(3), 'lock-waits', ({ figures }) => figures.rowLockWaits),
  cpu: counter('cpu_us', TIME, 'server-cpu', ({ figures }) =>
    figures.cpuMs === null ? null : 1000 * figures.cpuMs,
  ),
} satisfies Record<string, FigureTraits>;

export type FigureKey = keyof typeof FIGURES;
export const FIGURE_KEYS: readonly FigureKey[] = kindsOf(FIGURES);

export function figureOf(key: FigureKey): FigureTraits {
  return FIGURES[key];
}

export function figuresShown(
  { scenarios, task }: Pick<Analysis, 'scenarios' | 'task'>,
  table: FigureTraits['table'] | 'short',
): FigureKey[] {
  return FIGURE_KEYS.filter((key) => {
    const { short, isOptional, value, of, ...figure } = figureOf(key);
    if (of !== undefined && of !== (task === null ? 'load' : 'task')) return false;
    const isIn = table === 'short' ? short === true : figure.table === table;
    return isIn && (isOptional !== true || scenarios.some((scenario) => value(scenario) !== null));
  });
}

export function figureTitle(key: FigureKey, t: Translate): string {
  return t(`report:figures.${key}`);
}

export function figureText(key: FigureKey, scenario: ScenarioAnalysis, t: Translate): string {
  const { text, value, unit } = figureOf(key);
  if (text !== undefined) return text(scenario, t);
  const number = value(scenario);
  return number === null ? NO_VALUE : unit.text(number, t.language);
}
