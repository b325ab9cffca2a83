import type { SqlValue } from '../connection.ts';
import { idDraws } from './distribution.ts';
import { contentColumn, padColumn, tableName } from './rows.ts';
import type { Draws } from '../workload-kind.ts';
import type { StatementKind } from '../../../../shared/model/names.ts';
import { mixOf, type StatementGroup } from '../../../../shared/kinds/mixes.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';

/** Source: sysbench 1.0, oltp_common.lua. */
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
type Shape = keyof typeof SHAPES;

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

function shapesOf({ kind }: OltpWorkload): Shape[] {
  return [...new Set(mixOf(kind).groups.flatMap((group) => GROUPS[group].shapes))];
}

function isPrepared({ preparedStatements, kind }: OltpWorkload): boolean {
  return preparedStatements && !mixOf(kind).isNeverPrepared;
}

export function preparedStatements(workload: OltpWorkload): string[] {
  if (!isPrepared(workload)) return [];
  const shapes = shapesOf(workload);
  return tables(workload).flatMap((table) => shapes.map((shape) => SHAPES[shape](table)));
}

export type Step = { kind: StatementKind } & (
  { text: string } | { prepared: number; parameters: SqlValue[] }
);

type StepMaker = (table: number, shape: Shape, parameters: SqlValue[]) => Step;

function stepMaker(workload: OltpWorkload): StepMaker {
  const shapes = shapesOf(workload);
  if (isPrepared(workload)) {
    const numbers = Object.fromEntries(shapes.map((shape, index) => [shape, index]));
    return (table, shape, parameters) => ({
      kind: KIND_OF[shape],
      prepared: table * shapes.length + (numbers[shape] ?? 0),
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

/** Digits and hyphens need no escapes. */
function literal(value: SqlValue): string {
  return typeof value === 'number' ? String(value) : `'${value}'`;
}

const POINT_SELECTS = 10;
const HIGHEST_INT = 2 ** 31 - 1;

// MySQL can't prepare BEGIN (error 1295).
const BEGIN: Step = { kind: 'begin', text: 'BEGIN' };
const COMMIT: Step = { kind: 'commit', text: 'COMMIT' };

export function isBracketed(workload: OltpWorkload): boolean {
  return mixOf(workload.kind).isBracketed === true && !workload.skipTransactions;
}

interface Drawing {
  step: StepMaker;
  table: () => number;
  id: () => number;
  c: () => string;
  pad: () => string;
  /** First and last id; the range is `more` rows longer. */
  range: (more: number) => number[];
}

interface Group {
  shapes: readonly Shape[];
  add(drawing: Drawing, steps: Step[]): void;
}

const single = (shape: Shape, parameters: (drawing: Drawing) => SqlValue[]): Group => ({
  shapes: [shape],
  add: (drawing, steps) => {
    steps.push(drawing.step(drawing.table(), shape, parameters(drawing)));
  },
});
const rangeQuery = (shape: Shape, more = 0): Group => single(shape, ({ range }) => range(more));
/** sysbench 0.4 updates the row first (`touched`). */
const replaceRow = (touched: boolean): Group => ({
  shapes: [...(touched ? (['indexUpdate'] as const) : []), 'delete', 'insert'],
  add: ({ step, table, id, c, pad }, steps) => {
    const number = table();
    const row = id();
    if (touched) steps.push(step(number, 'indexUpdate', [row]));
    steps.push(step(number, 'delete', [row]), step(number, 'insert', [row, id(), c(), pad()]));
  },
});

const GROUPS: Readonly<Record<StatementGroup, Group>> = {
  pointSelect: single('pointSelect', ({ id }) => [id()]),
  pointSelects: {
    shapes: ['pointSelect'],
    add: ({ step, table, id }, steps) => {
      const number = table();
      for (let i = 0; i < POINT_SELECTS; i++) steps.push(step(number, 'pointSelect', [id()]));
    },
  },
  simpleRange: rangeQuery('simpleRange'),
  sumRange: rangeQuery('sumRange'),
  orderRange: rangeQuery('orderRange'),
  distinctRange: rangeQuery('distinctRange'),
  longDistinctRange: rangeQuery('distinctRange', 1),
  indexUpdate: single('indexUpdate', ({ id }) => [id()]),
  nonIndexUpdate: single('nonIndexUpdate', ({ id, c }) => [c(), id()]),
  delete: single('delete', ({ id }) => [id()]),
  // Id 0 means the table's next one.
  insert: single('insert', ({ id, c, pad }) => [0, id(), c(), pad()]),
  replaceRow: replaceRow(false),
  updateAndReplaceRow: replaceRow(true),
};

/**
 * `oltp_complex` has 0.4's order and ranges, but 1.0's tables and rows. Sources: sysbench 1.0.20 oltp_*.lua,
 * 0.4 sb_oltp.c.
 */
export function transactions(workload: OltpWorkload, { ids, content }: Draws): () => Step[] {
  const { kind, tableSize, rangeSize } = workload;
  const draw = idDraws[workload.distribution];
  const id = (): number => draw(tableSize, ids);
  const { groups, keepsRangesInside } = mixOf(kind);
  const lastStart = keepsRangesInside ? Math.max(1, tableSize - rangeSize) : tableSize;
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
  const bracketed = isBracketed(workload);
  return () => {
    const steps: Step[] = bracketed ? [BEGIN] : [];
    for (const group of groups) GROUPS[group].add(drawing, steps);
    if (bracketed) steps.push(COMMIT);
    return steps;
  };
}
