import type { SqlValue } from '../connection.ts';
import { idDraws } from './distribution.ts';
import { contentColumn, padColumn, tableName } from './rows.ts';
import type { Draws } from '../workload-engine.ts';
import type { StatementKind } from '../../../../shared/model/measurements.ts';
import type { OltpKind } from '../../../../shared/model/names.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';

/** The statements of sysbench 1.0's OLTP scripts (oltp_common.lua). */
const SHAPES = {
  pointSelect: (table: string) => `SELECT c FROM ${table} WHERE id=?`,
  simpleRange: (table: string) => `SELECT c FROM ${table} WHERE id BETWEEN ? AND ?`,
  sumRange: (table: string) => `SELECT SUM(k) FROM ${table} WHERE id BETWEEN ? AND ?`,
  orderRange: (table: string) => `SELECT c FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY c`,
  distinctRange: (table: string) => `SELECT DISTINCT c FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY c`,
  indexUpdate: (table: string) => `UPDATE ${table} SET k=k+1 WHERE id=?`,
  nonIndexUpdate: (table: string) => `UPDATE ${table} SET c=? WHERE id=?`,
  delete: (table: string) => `DELETE FROM ${table} WHERE id=?`,
  insert: (table: string) => `INSERT INTO ${table} (id, k, c, pad) VALUES (?, ?, ?, ?)`,
} as const;
export type Shape = keyof typeof SHAPES;

const KIND_OF: Readonly<Record<Shape, StatementKind>> = {
  pointSelect: 'point',
  simpleRange: 'range',
  sumRange: 'range',
  orderRange: 'range',
  distinctRange: 'range',
  indexUpdate: 'update',
  nonIndexUpdate: 'update',
  delete: 'delete',
  insert: 'insert',
};

const READS: readonly Shape[] = ['pointSelect', 'simpleRange', 'sumRange', 'orderRange', 'distinctRange'];
const WRITES: readonly Shape[] = ['indexUpdate', 'nonIndexUpdate', 'delete', 'insert'];

const SHAPES_OF: Readonly<Record<OltpKind, readonly Shape[]>> = {
  oltp_read_write: [...READS, ...WRITES],
  oltp_read_only: READS,
  oltp_write_only: WRITES,
  oltp_point_select: ['pointSelect'],
  oltp_update_index: ['indexUpdate'],
  oltp_update_non_index: ['nonIndexUpdate'],
  oltp_insert: ['insert'],
  oltp_delete: ['delete'],
  oltp_complex: [...READS, ...WRITES],
};

/** oltp_insert.lua always sends text, whatever `--db-ps-mode` says. */
function isPrepared(workload: OltpWorkload): boolean {
  return workload.preparedStatements && workload.kind !== 'oltp_insert';
}

/** All shapes by table; none if all is text. */
export function preparedStatements(workload: OltpWorkload): string[] {
  if (!isPrepared(workload)) return [];
  return tables(workload)
    .map((table) => SHAPES_OF[workload.kind].map((shape) => SHAPES[shape](table)))
    .flat();
}

/** Prepared statements are named by their index in the connection's set. */
export type Step = { kind: StatementKind } & (
  { text: string } | { prepared: number; parameters: SqlValue[] }
);

/** Tables count from 0. */
type StepMaker = (table: number, shape: Shape, parameters: SqlValue[]) => Step;

/** Text contains the values as literals. */
export function stepMaker(workload: OltpWorkload): StepMaker {
  const shapes = SHAPES_OF[workload.kind];
  if (isPrepared(workload)) {
    return (table, shape, parameters) => ({
      kind: KIND_OF[shape],
      prepared: table * shapes.length + shapes.indexOf(shape),
      parameters,
    });
  }
  const pieces = tables(workload).map(
    (table) => new Map(shapes.map((shape) => [shape, SHAPES[shape](table).split('?')])),
  );
  return (table, shape, parameters) => {
    const around = pieces[table]?.get(shape) ?? [];
    let text = around[0] ?? '';
    for (const [index, value] of parameters.entries()) text += literal(value) + (around[index + 1] ?? '');
    return { kind: KIND_OF[shape], text };
  };
}

function tables(workload: OltpWorkload): string[] {
  return Array.from({ length: workload.tables }, (_, index) => tableName(index + 1));
}

/** Numbers as they are; strings with quotes and backslashes doubled, safe under any `sql_mode`. */
export function literal(value: SqlValue): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll(/['\\]/g, '$&$&')}'`;
}

const POINT_SELECTS = 10;
const HIGHEST_INT = 2 ** 31 - 1;

// MySQL can't prepare BEGIN (error 1295); as text it works everywhere in one round trip.
const BEGIN: Step = { kind: 'begin', text: 'BEGIN' };
const COMMIT: Step = { kind: 'commit', text: 'COMMIT' };

const BRACKETED: ReadonlySet<OltpKind> = new Set<OltpKind>([
  'oltp_read_write',
  'oltp_read_only',
  'oltp_write_only',
  'oltp_complex',
]);

/** Whether BEGIN and COMMIT enclose the statements. */
export function isBracketed(workload: OltpWorkload): boolean {
  return BRACKETED.has(workload.kind) && !workload.skipTransactions;
}

interface Drawing {
  step: StepMaker;
  /** From 0, uniform. */
  table: () => number;
  /** By the workload's distribution. */
  id: () => number;
  c: () => string;
  pad: () => string;
  /** First and last id of a range; `more` rows beyond its size. */
  range: (more: number) => number[];
}

/** Statements on one randomly drawn table. */
type Group = (drawing: Drawing, steps: Step[]) => void;

const pointSelect: Group = ({ step, table, id }, steps) => {
  steps.push(step(table(), 'pointSelect', [id()]));
};
const pointSelects: Group = ({ step, table, id }, steps) => {
  const number = table();
  for (let i = 0; i < POINT_SELECTS; i++) steps.push(step(number, 'pointSelect', [id()]));
};
const rangeQuery =
  (shape: Shape, more = 0): Group =>
  ({ step, table, range }, steps) => {
    steps.push(step(table(), shape, range(more)));
  };
const indexUpdate: Group = ({ step, table, id }, steps) => {
  steps.push(step(table(), 'indexUpdate', [id()]));
};
const nonIndexUpdate: Group = ({ step, table, id, c }, steps) => {
  steps.push(step(table(), 'nonIndexUpdate', [c(), id()]));
};
const remove: Group = ({ step, table, id }, steps) => {
  steps.push(step(table(), 'delete', [id()]));
};
/** Id 0: the table's own counter. */
const insert: Group = ({ step, table, id, c, pad }, steps) => {
  steps.push(step(table(), 'insert', [0, id(), c(), pad()]));
};
/** All with one id, so the table keeps its rows; 0.4 reads the row once more first. */
const replaceRow =
  (touched: boolean): Group =>
  ({ step, table, id, c, pad }, steps) => {
    const number = table();
    const row = id();
    if (touched) steps.push(step(number, 'indexUpdate', [row]));
    steps.push(step(number, 'delete', [row]), step(number, 'insert', [row, id(), c(), pad()]));
  };

const READS_BEFORE_DISTINCT = [
  pointSelects,
  rangeQuery('simpleRange'),
  rangeQuery('sumRange'),
  rangeQuery('orderRange'),
];
const READ_GROUPS = [...READS_BEFORE_DISTINCT, rangeQuery('distinctRange')];
const WRITE_GROUPS = [indexUpdate, nonIndexUpdate, replaceRow(false)];

const GROUPS: Readonly<Record<OltpKind, readonly Group[]>> = {
  oltp_read_write: [...READ_GROUPS, ...WRITE_GROUPS],
  oltp_read_only: READ_GROUPS,
  oltp_write_only: WRITE_GROUPS,
  oltp_point_select: [pointSelect],
  oltp_update_index: [indexUpdate],
  oltp_update_non_index: [nonIndexUpdate],
  oltp_insert: [insert],
  oltp_delete: [remove],
  oltp_complex: [
    ...READS_BEFORE_DISTINCT,
    rangeQuery('distinctRange', 1),
    indexUpdate,
    nonIndexUpdate,
    replaceRow(true),
  ],
};

/**
 * The transactions of one connection in sysbench's order, with a table drawn per group. `oltp_complex` has 0.4's
 * order and ranges, which end with the table, but 1.0's tables and rows. Sources: sysbench 1.0.20 oltp_*.lua,
 * sysbench 0.4 sb_oltp.c.
 */
export function transactions(workload: OltpWorkload, { ids, content }: Draws): () => Step[] {
  const { kind, tableSize, rangeSize } = workload;
  const draw = idDraws[workload.distribution];
  const id = (): number => draw(tableSize, ids);
  const lastStart = kind === 'oltp_complex' ? Math.max(1, tableSize - rangeSize) : tableSize;
  const drawing: Drawing = {
    step: stepMaker(workload),
    table: () => Math.floor(ids() * workload.tables),
    id,
    c: () => contentColumn(content),
    pad: () => padColumn(content),
    range: (more) => {
      const first = Math.min(id(), lastStart);
      return [first, Math.min(first + rangeSize - 1 + more, HIGHEST_INT)];
    },
  };
  const groups = GROUPS[kind];
  const bracketed = isBracketed(workload);
  return () => {
    const steps: Step[] = bracketed ? [BEGIN] : [];
    for (const group of groups) group(drawing, steps);
    if (bracketed) steps.push(COMMIT);
    return steps;
  };
}
