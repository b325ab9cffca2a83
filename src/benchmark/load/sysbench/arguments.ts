import { BenchmarkError } from '../../../shared/errors.ts';
import type { Window } from '../../../shared/model/measurements.ts';
import type { OltpWorkload } from '../../../shared/model/workload.ts';
import { IGNORED_ERRORS } from '../builtin/server-errors.ts';
import { sysbenchRefusal } from '../../../shared/preset/sysbench.ts';
import type { OpenSpec, LoadTarget, SliceTiming } from '../load-client.ts';

/** The warm-up must not cache the measured rows. */
const WARMUP_SEED = 0x5bd1e995;
/** sysbench then gives up, and the trial fails. */
const FORCED_SHUTDOWN_S = 30;
const HIGHEST_SEED = 2 ** 31 - 1;

export interface SysbenchRun {
  phase: Window['phase'];
  /** `--time` takes whole seconds. */
  seconds: number;
}

export function sysbenchRuns({ warmupMs, durationMs }: SliceTiming): SysbenchRun[] {
  const seconds = (ms: number): number => Math.ceil(ms / 1000);
  return [
    ...(warmupMs > 0 ? [{ phase: 'warmup' as const, seconds: seconds(warmupMs) }] : []),
    { phase: 'measure', seconds: seconds(durationMs) },
  ];
}

/** Throws LOAD_FAILED if sysbench can't run the workload. */
export function sysbenchWorkload({ workload }: Pick<OpenSpec, 'workload'>): OltpWorkload {
  const reason = sysbenchRefusal(workload);
  if (reason !== undefined || workload.kind === 'tpcc') {
    throw new BenchmarkError('LOAD_FAILED', { reason: reason ?? workload.kind });
  }
  return workload;
}

/** Source: `sysbench --help`, 1.0.20. Command lines are public, so the account is in a file. */
export function sysbenchArguments(
  spec: OpenSpec,
  { phase, seconds }: SysbenchRun,
  files: { script: string; config: string },
): string[] {
  const workload = sysbenchWorkload(spec);
  const seed = phase === 'warmup' ? spec.seed ^ WARMUP_SEED : spec.seed;
  const options = {
    'config-file': files.config,
    ...address(spec.target),
    'mysql-ssl': 'off',
    'mysql-ignore-errors': IGNORED_ERRORS.join(),
    threads: spec.connections,
    events: 0,
    time: seconds,
    'forced-shutdown': FORCED_SHUTDOWN_S,
    'report-interval': 1,
    // Without a percentile sysbench records no latencies.
    percentile: 95,
    'rand-seed': ((seed >>> 0) % HIGHEST_SEED) + 1,
    ...loadOptions(workload),
  };
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return [files.script, ...flags, 'run'];
}

/** Every option that affects the load is set. */
function loadOptions(workload: OltpWorkload): Record<string, string | number> {
  return {
    'db-ps-mode': workload.preparedStatements ? 'auto' : 'disable',
    'rand-type': workload.distribution,
    tables: workload.tables,
    'table-size': workload.tableSize,
    'range-size': workload.rangeSize,
    'skip-trx': workload.skipTransactions ? 'on' : 'off',
  };
}

function address({ host, port, socketPath }: LoadTarget): Record<string, string | number> {
  if (socketPath !== undefined) return { 'mysql-socket': socketPath };
  // The client library maps `localhost` to its default socket.
  return { 'mysql-host': host === 'localhost' ? '127.0.0.1' : host, 'mysql-port': port };
}

export function sysbenchConfig({ user, password, database }: LoadTarget): string {
  const options = { 'mysql-user': user, 'mysql-password': password, 'mysql-db': database };
  return Object.entries(options)
    .map(([name, value]) => `${name}=${quoted(name, value)}\n`)
    .join('');
}

/** In quotes, only that quote and line ends are special (1.0.20). */
function quoted(name: string, value: string): string {
  const quote = ['"', "'"].find((one) => !value.includes(one));
  if (quote === undefined || /[\n\r\0]/.test(value)) {
    throw new BenchmarkError('LOAD_FAILED', {
      reason: `sysbench can’t be given a ${name} with line ends or with both kinds of quotes`,
    });
  }
  return `${quote}${value}${quote}`;
}
