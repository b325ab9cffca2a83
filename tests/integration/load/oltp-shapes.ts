import type { OltpKind } from '../../../src/shared/kinds/mixes.ts';
import type { Counters } from './server-counters.ts';

/** A client's counts of one transaction, by result. */
export interface ClientCounts {
  reads: number;
  writes: number;
  other: number;
}

/** The server's counts of one transaction, by statement. */
export type ServerCounts = Pick<Counters, 'begin' | 'commit' | 'select' | 'update' | 'delete' | 'insert'>;

interface Shape {
  client: ClientCounts;
  server: ServerCounts;
}

function shape(
  bracketed: boolean,
  statements: Partial<Pick<Counters, 'select' | 'update' | 'delete' | 'insert'>>,
): Shape {
  const bracket = bracketed ? 1 : 0;
  const counted = { select: 0, update: 0, delete: 0, insert: 0, ...statements };
  return {
    client: {
      reads: counted.select,
      writes: counted.update + counted.delete + counted.insert,
      other: 2 * bracket,
    },
    server: { begin: bracket, commit: bracket, ...counted },
  };
}

/** Statements of one transaction of each workload; with `skipTransactions` none is enclosed by BEGIN and COMMIT. */
export function shapeOf(kind: OltpKind, skipTransactions = false): Shape {
  const bracketed = !skipTransactions;
  switch (kind) {
    case 'oltp_read_write':
      return shape(bracketed, { select: 14, update: 2, delete: 1, insert: 1 });
    case 'oltp_read_only':
      return shape(bracketed, { select: 14 });
    case 'oltp_write_only':
      return shape(bracketed, { update: 2, delete: 1, insert: 1 });
    case 'oltp_complex':
      return shape(bracketed, { select: 14, update: 3, delete: 1, insert: 1 });
    case 'oltp_point_select':
      return shape(false, { select: 1 });
    case 'oltp_update_index':
    case 'oltp_update_non_index':
      return shape(false, { update: 1 });
    case 'oltp_insert':
      return shape(false, { insert: 1 });
    case 'oltp_delete':
      return shape(false, { delete: 1 });
  }
}
