import { BenchmarkError } from '../errors.ts';
import { msg } from '../message.ts';
import type { NfsSpec, StorageSpec } from '../model/storage-spec.ts';
import { optionProblem } from './mount-options.ts';
import { isTpcc, type OltpWorkload, type Workload } from '../model/workload.ts';

/**
 * Options of Docker's local driver for a storage: as given, or made of the words of an NFS export.
 * Source of the form: Docker documentation, "docker volume create", driver-specific options; nfs(5).
 */
export function driverOptions(storage: Pick<StorageSpec, 'options' | 'nfs'>): Record<string, string> {
  if (storage.nfs !== undefined) return nfsOptions(storage.nfs);
  const { type = '', device = '', o } = storage.options ?? {};
  return { type, device, ...(o === undefined ? {} : { o }) };
}

/** The same for an engine to carry out. Throws PRESET_INVALID where it would mount something else than it says. */
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
      // Of a result that anybody may have written: one word stays one word, even where it is only shown.
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
 * What keeps sysbench 1.0.20 from running a workload; undefined when it can (source: its own scripts in
 * /usr/share/sysbench, and `sysbench --help`, which lists uniform, gaussian, special and pareto only).
 */
export function sysbenchLacks(workload: Workload): 'tpcc' | 'complex' | 'zipfian' | undefined {
  if (isTpcc(workload)) return 'tpcc';
  if (workload.kind === 'oltp_complex') return 'complex';
  return workload.distribution === 'zipfian' ? 'zipfian' : undefined;
}

/** A workload in sysbench's words; whatever decides the load is explicit, also where it is sysbench's default. */
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

/** Errors that are counted and tried again, as our own driver does: deadlock, record changed, lock wait time-out. */
export const SYSBENCH_IGNORED_ERRORS = '1213,1020,1205';
