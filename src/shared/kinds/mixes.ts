export type StatementGroup =
  | 'pointSelect'
  | 'pointSelects'
  | 'simpleRange'
  | 'sumRange'
  | 'orderRange'
  | 'distinctRange'
  | 'longDistinctRange'
  | 'indexUpdate'
  | 'nonIndexUpdate'
  | 'delete'
  | 'insert'
  /** A deleted row is inserted again, so the table keeps its rows. */
  | 'replaceRow'
  | 'updateAndReplaceRow';

interface Mix {
  groups: readonly StatementGroup[];
  isBracketed?: true;
  /** sysbench sends it as text, whatever `--db-ps-mode` says. */
  isNeverPrepared?: true;
  keepsRangesInside?: true;
  isNotInSysbench?: true;
}

const RANGES = ['pointSelects', 'simpleRange', 'sumRange', 'orderRange'] as const;
const READS = [...RANGES, 'distinctRange'] as const;
const WRITES = ['indexUpdate', 'nonIndexUpdate', 'replaceRow'] as const;

/** Names of sysbench's scripts; `oltp_complex` is `--test=oltp` of sysbench 0.4 (5 writes). */
export const MIXES = {
  oltp_read_write: { groups: [...READS, ...WRITES], isBracketed: true },
  oltp_read_only: { groups: READS, isBracketed: true },
  oltp_write_only: { groups: WRITES, isBracketed: true },
  oltp_point_select: { groups: ['pointSelect'] },
  oltp_update_index: { groups: ['indexUpdate'] },
  oltp_update_non_index: { groups: ['nonIndexUpdate'] },
  oltp_insert: { groups: ['insert'], isNeverPrepared: true },
  oltp_delete: { groups: ['delete'] },
  oltp_complex: {
    groups: [...RANGES, 'longDistinctRange', 'indexUpdate', 'nonIndexUpdate', 'updateAndReplaceRow'],
    isBracketed: true,
    keepsRangesInside: true,
    isNotInSysbench: true,
  },
} satisfies Record<string, Mix>;

export type OltpKind = keyof typeof MIXES;

export function mixOf(kind: OltpKind): Mix {
  return MIXES[kind];
}
