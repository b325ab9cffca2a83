import { BenchmarkError } from '../errors.ts';
import { msg } from '../message.ts';
import type { NfsSpec, StorageSpec } from '../model/storage-spec.ts';
import { optionProblem } from './mount-options.ts';
import { isTpcc, type OltpWorkload, type Workload } from '../model/workload.ts';

/**
 * Options of Docker's local volume driver, as given or from an NFS export. Source: Docker documentation, "docker
 * volume create", driver-specific options; nfs(5).
 */
export function driverOptions(storage: Pick<StorageSpec, 'options' | 'nfs'>): Record<string, string> {
  if (storage.nfs !== undefined) return nfsOptions(storage.nfs);
  const { type = '', device = '', o } = storage.options ?? {};
  return { type, device, ...(o === undefined ? {} : { o }) };
}

/** Throws PRESET_INVALID if the engine would mount something else than the options say. */
export function checkedDriverOptions(storage: Pick<StorageSpec, 'options' | 'nfs'>): Record<string, string> {
  const problem = optionProblem(storage);
  if (problem === undefined) return driverOptions(storage);
  throw new BenchmarkError(
    'PRESET_INVALID',
    { name: 'storages', count: '1' },
    {
      evidence: [msg('field.problem', { field: problem.field, problem: msg(problem.code, problem.params) })],
    },
  );
}

function nfsOptions({ address, path, version, soft, lock }: NfsSpec): Record<string, string> {
  return {
    type: version.startsWith('4') ? 'nfs4' : 'nfs',
    o: [
      // Keeps a stranger's address a single word, even when it is only shown.
      `addr=${address.replace(/[\s,]/g, '')}`,
      'rw',
      `nfsvers=${version}`,
      soft ? 'soft' : 'hard',
      ...(lock ? [] : ['nolock']),
    ].join(','),
    device: `:${path}`,
  };
}

/**
 * Undefined if sysbench 1.0.20 can run the workload. Sources: its scripts in /usr/share/sysbench, and `sysbench
 * --help`, which lists uniform, gaussian, special, and pareto.
 */
export function sysbenchLacks(workload: Workload): 'tpcc' | 'complex' | 'zipfian' | undefined {
  if (isTpcc(workload)) return 'tpcc';
  if (workload.kind === 'oltp_complex') return 'complex';
  return workload.distribution === 'zipfian' ? 'zipfian' : undefined;
}

/** Sets every option that affects the load, defaults included. */
export function sysbenchOptions(workload: OltpWorkload): Record<string, string | number> {
  return {
    'db-ps-mode': workload.preparedStatements ? 'auto' : 'disable',
    'rand-type': workload.distribution,
    tables: workload.tables,
    'table-size': workload.tableSize,
    'range-size': workload.rangeSize,
    'skip-trx': workload.skipTransactions ? 'on' : 'off',
  };
}

/** Counted and retried like in our own driver: deadlock, record changed, lock wait timeout. */
export const SYSBENCH_IGNORED_ERRORS = '1213,1020,1205';
