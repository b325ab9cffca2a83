/** A statement's time runs from sending it to the last byte of its answer; `lock` is a locking read. */
export const STATEMENT_KINDS = [
  'point',
  'range',
  'lock',
  'update',
  'delete',
  'insert',
  'begin',
  'commit',
] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];
