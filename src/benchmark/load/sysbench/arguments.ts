import { msg, type Message } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Window } from '../../../shared/model/measurements.ts';
import type { OltpWorkload, Workload } from '../../../shared/model/workload.ts';
import {
  SYSBENCH_IGNORED_ERRORS,
  sysbenchLacks,
  sysbenchOptions,
} from '../../../shared/preset/sysbench-options.ts';
import type { LoadSpec, LoadTarget } from '../driver.ts';

/** Makes the warm-up draw other ids than the measurement, which would else meet exactly the rows just warmed up. */
const WARMUP_SEED = 0x5bd1e995;
/** So long a transaction may still run after the end; then sysbench gives up and the trial fails. */
const FORCED_SHUTDOWN_S = 30;
const HIGHEST_SEED = 2 ** 31 - 1;

/** A run of the sysbench program: one phase of a trial. */
export interface SysbenchRun {
  phase: Window['phase'];
  /** Whole seconds, which is all that `--time` takes. */
  seconds: number;
}

/** The runs of a trial. Times are rounded up to whole seconds; the totals say how long it really was. */
export function sysbenchRuns(spec: Pick<LoadSpec, 'warmupMs' | 'durationMs'>): SysbenchRun[] {
  const seconds = (ms: number): number => Math.ceil(ms / 1000);
  return [
    ...(spec.warmupMs > 0 ? [{ phase: 'warmup' as const, seconds: seconds(spec.warmupMs) }] : []),
    { phase: 'measure', seconds: seconds(spec.durationMs) },
  ];
}

/** A workload as sysbench takes it; throws LOAD_FAILED with the reason when it can't (see `sysbenchCan`). */
export function sysbenchWorkload({ workload }: Pick<LoadSpec, 'workload'>): OltpWorkload {
  const reason = sysbenchCan(workload);
  if (reason !== undefined || workload.kind === 'tpcc') {
    throw new BenchmarkError('LOAD_FAILED', { reason: reason ?? workload.kind });
  }
  return workload;
}

/**
 * sysbench's command line for one run (source: `sysbench --help` and `sysbench oltp_read_write help` of 1.0.20).
 * Whatever decides the load is explicit, also where it is sysbench's default. The account is not here but in the
 * configuration file: every user of a machine may read command lines.
 */
export function sysbenchArguments(
  spec: LoadSpec,
  { phase, seconds }: SysbenchRun,
  files: { script: string; config: string },
): string[] {
  const workload = sysbenchWorkload(spec);
  const seed = phase === 'warmup' ? spec.seed ^ WARMUP_SEED : spec.seed;
  const options = {
    'config-file': files.config,
    ...address(spec.target),
    'mysql-ssl': 'off',
    'mysql-ignore-errors': SYSBENCH_IGNORED_ERRORS,
    threads: spec.connections,
    events: 0,
    time: seconds,
    'forced-shutdown': FORCED_SHUTDOWN_S,
    'report-interval': 1,
    // Without a percentile it would keep no latencies at all.
    percentile: 95,
    // 0 would mean the time of day.
    'rand-seed': ((seed >>> 0) % HIGHEST_SEED) + 1,
    ...sysbenchOptions(workload),
  };
  const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return [files.script, ...given, 'run'];
}

function address({ host, port, socketPath }: LoadTarget): Record<string, string | number> {
  if (socketPath !== undefined) return { 'mysql-socket': socketPath };
  // The client library takes `localhost` for its default socket file, which is no server's here.
  return { 'mysql-host': host === 'localhost' ? '127.0.0.1' : host, 'mysql-port': port };
}

/** The configuration file with the account. Throws LOAD_FAILED for values that such a file can't hold. */
export function sysbenchConfig({ user, password, database }: LoadTarget): string {
  const options = { 'mysql-user': user, 'mysql-password': password, 'mysql-db': database };
  return Object.entries(options)
    .map(([name, value]) => `${name}=${quoted(name, value)}\n`)
    .join('');
}

/**
 * Tried with 1.0.20: between quotes, double or single, everything stands for itself but that quote and the end of the
 * line; without quotes a blank, a comma or a leading # ends the value.
 */
function quoted(name: string, value: string): string {
  const quote = ['"', "'"].find((one) => !value.includes(one));
  if (quote === undefined || /[\n\r\0]/.test(value)) {
    throw new BenchmarkError('LOAD_FAILED', {
      reason: `sysbench can’t be given a ${name} with line ends or with both kinds of quotes`,
    });
  }
  return `${quote}${value}${quote}`;
}

const REASONS = {
  tpcc: msg('support.sysbenchTpcc'),
  complex: msg('support.sysbenchComplex'),
  zipfian: msg('support.sysbenchZipfian'),
};

/** Why sysbench 1.0.20, which the client image has, can't run a workload; undefined when it can. */
export function sysbenchCan(workload: Workload): Message | undefined {
  const lacks = sysbenchLacks(workload);
  return lacks === undefined ? undefined : REASONS[lacks];
}
