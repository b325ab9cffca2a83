import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { Random } from '../../../../shared/random.ts';
import type { Draws } from '../workload-engine.ts';

/** One statement of a transaction. Prepared ones name their place in the connection's set of prepared statements. */
export type Step = { text: string } | { prepared: number; parameters: (number | string)[] };

/** Statement shapes that are prepared once per table, in this order. */
const SHAPES = [
  (table: string) => `SELECT c FROM ${table} WHERE id=?`,
  (table: string) => `SELECT c FROM ${table} WHERE id BETWEEN ? AND ?`,
  (table: string) => `SELECT SUM(k) FROM ${table} WHERE id BETWEEN ? AND ?`,
  (table: string) => `SELECT c FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY c`,
  (table: string) => `SELECT DISTINCT c FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY c`,
  (table: string) => `UPDATE ${table} SET k=k+1 WHERE id=?`,
  (table: string) => `UPDATE ${table} SET c=? WHERE id=?`,
  (table: string) => `DELETE FROM ${table} WHERE id=?`,
  (table: string) => `INSERT INTO ${table} (id, k, c, pad) VALUES (?, ?, ?, ?)`,
] as const;
const READ_SHAPES = 5;
const POINT = 0;
const FIRST_RANGE = 1;
const INDEX_UPDATE = 5;
const NON_INDEX_UPDATE = 6;
const DELETE = 7;
const INSERT = 8;
const POINT_SELECTS = 10;
const HIGHEST_INT = 2 ** 31 - 1;

/** sysbench's table names: sbtest1, sbtest2, … */
export function tableName(number: number): string {
  return `sbtest${number}`;
}

/** How many shapes per table a workload prepares. */
function shapesPerTable(workload: OltpWorkload): number {
  return workload.kind === 'oltp_read_only' ? READ_SHAPES : SHAPES.length;
}

/** SQL of everything that a connection prepares: all shapes of table 1, then of table 2, … */
export function preparedStatements(workload: OltpWorkload): string[] {
  const shapes = SHAPES.slice(0, shapesPerTable(workload));
  return Array.from({ length: workload.tables }, (_, index) =>
    shapes.map((shape) => shape(tableName(index + 1))),
  ).flat();
}

/** `groups` groups of eleven random digits, joined by hyphens. */
function digitGroups(groups: number, random: Random): string {
  const parts: string[] = [];
  for (let i = 0; i < groups; i++) {
    parts.push(
      String(Math.floor(random() * 1e6)).padStart(6, '0') +
        String(Math.floor(random() * 1e5)).padStart(5, '0'),
    );
  }
  return parts.join('-');
}

/** Column c: ten groups, 119 characters. */
export function contentColumn(random: Random): string {
  return digitGroups(10, random);
}

/** Column pad: five groups, 59 characters. */
export function padColumn(random: Random): string {
  return digitGroups(5, random);
}

/** A row id or a value of k, uniform over the table. */
export function drawId(workload: OltpWorkload, random: Random): number {
  return 1 + Math.floor(random() * workload.tableSize);
}

/**
 * The statements of one transaction, in sysbench's order. A table is drawn for each group of statements; delete and
 * insert share one id, so that the table keeps its rows.
 * Source of shapes, order and counts: sysbench 1.0 oltp_common.lua, oltp_read_write.lua, oltp_read_only.lua (described).
 */
export function transaction(workload: OltpWorkload, { ids, content }: Draws): Step[] {
  const shapes = shapesPerTable(workload);
  const drawTable = (): number => Math.floor(ids() * workload.tables);
  const on = (table: number, shape: number, ...parameters: (number | string)[]): Step => ({
    prepared: table * shapes + shape,
    parameters,
  });
  // MySQL can't prepare BEGIN (error 1295); as text both work on every server, and both are one round trip anyway.
  const steps: Step[] = [{ text: 'BEGIN' }];
  const points = drawTable();
  for (let i = 0; i < POINT_SELECTS; i++) steps.push(on(points, POINT, drawId(workload, ids)));
  for (let shape = FIRST_RANGE; shape < READ_SHAPES; shape++) {
    const first = drawId(workload, ids);
    steps.push(on(drawTable(), shape, first, Math.min(first + workload.rangeSize - 1, HIGHEST_INT)));
  }
  if (workload.kind === 'oltp_read_write') {
    steps.push(on(drawTable(), INDEX_UPDATE, drawId(workload, ids)));
    steps.push(on(drawTable(), NON_INDEX_UPDATE, contentColumn(content), drawId(workload, ids)));
    const table = drawTable();
    const id = drawId(workload, ids);
    steps.push(on(table, DELETE, id));
    steps.push(on(table, INSERT, id, drawId(workload, ids), contentColumn(content), padColumn(content)));
  }
  steps.push({ text: 'COMMIT' });
  return steps;
}
