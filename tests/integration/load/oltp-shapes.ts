import type { OltpKind } from '../../../src/shared/kinds/mixes.ts';

const STATEMENTS: Record<OltpKind, { select?: number; update?: number; delete?: number; insert?: number }> = {
  oltp_read_write: { select: 14, update: 2, delete: 1, insert: 1 },
  oltp_read_only: { select: 14 },
  oltp_write_only: { update: 2, delete: 1, insert: 1 },
  oltp_complex: { select: 14, update: 3, delete: 1, insert: 1 },
  oltp_point_select: { select: 1 },
  oltp_update_index: { update: 1 },
  oltp_update_non_index: { update: 1 },
  oltp_insert: { insert: 1 },
  oltp_delete: { delete: 1 },
};
const BRACKETED: readonly OltpKind[] = [
  'oltp_read_write',
  'oltp_read_only',
  'oltp_write_only',
  'oltp_complex',
];

/** The counts of one transaction: a client's by result, the server's by statement. */
export function shapeOf(kind: OltpKind, skipTransactions = false) {
  const bracket = BRACKETED.includes(kind) && !skipTransactions ? 1 : 0;
  const counted = { select: 0, update: 0, delete: 0, insert: 0, ...STATEMENTS[kind] };
  const writes = counted.update + counted.delete + counted.insert;
  return {
    client: { reads: counted.select, writes, other: 2 * bracket },
    server: { begin: bracket, commit: bracket, ...counted },
  };
}
