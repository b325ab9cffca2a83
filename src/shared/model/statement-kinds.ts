/** A time ends with the answer's last byte; `lock` is a locking read. */
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
