import type { StatementKind } from '../../../../shared/model/measurements.ts';
import type { OltpKind } from '../../../../shared/model/names.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { SqlValue } from '../connection.ts';
import { tableName } from './rows.ts';

/** Every statement that sysbench's OLTP scripts send to a table (source: sysbench 1.0 oltp_common.lua, described). */
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

/** oltp_insert.lua prepares nothing: it sends text whatever `--db-ps-mode` says. */
function isPrepared(workload: OltpWorkload): boolean {
  return workload.preparedStatements && workload.kind !== 'oltp_insert';
}

/** SQL of everything that a connection prepares: all shapes of table 1, then of table 2, …; none when all is text. */
export function preparedStatements(workload: OltpWorkload): string[] {
  if (!isPrepared(workload)) return [];
  return tables(workload)
    .map((table) => SHAPES_OF[workload.kind].map((shape) => SHAPES[shape](table)))
    .flat();
}

/** One statement of a transaction. Prepared ones name their place in the connection's set of prepared statements. */
export type Step = { kind: StatementKind } & (
  { text: string } | { prepared: number; parameters: SqlValue[] }
);

/** Makes the step that sends a shape to a table (from 0) with the values of its question marks. */
export type StepMaker = (table: number, shape: Shape, parameters: SqlValue[]) => Step;

/** Steps of a workload: prepared where it prepares, else text with its values as literals. */
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

/**
 * A value as SQL: numbers as they are; strings quoted, their quotes and backslashes doubled, so that under no
 * `sql_mode` a value can end its string.
 */
export function literal(value: SqlValue): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll(/['\\]/g, '$&$&')}'`;
}
