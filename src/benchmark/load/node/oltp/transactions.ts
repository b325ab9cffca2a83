import type { OltpKind } from '../../../../shared/model/names.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { Draws } from '../workload-engine.ts';
import { idDraws } from './distribution.ts';
import { contentColumn, padColumn } from './rows.ts';
import { stepMaker, type Step, type StepMaker } from './statements.ts';

const POINT_SELECTS = 10;
const HIGHEST_INT = 2 ** 31 - 1;

// MySQL can't prepare BEGIN (error 1295); as text both work on every server, and both are one round trip anyway.
const BEGIN: Step = { text: 'BEGIN' };
const COMMIT: Step = { text: 'COMMIT' };

const BRACKETED: ReadonlySet<OltpKind> = new Set<OltpKind>([
  'oltp_read_write',
  'oltp_read_only',
  'oltp_write_only',
  'oltp_complex',
]);

/** True when BEGIN and COMMIT enclose the statements; else each one is a transaction of its own. */
export function isBracketed(workload: OltpWorkload): boolean {
  return BRACKETED.has(workload.kind) && !workload.skipTransactions;
}

/** What the statements of one connection are drawn with. */
interface Drawing {
  step: StepMaker;
  /** A table, from 0, every one equally likely. */
  table: () => number;
  /** A row id or a value of k, by the workload's distribution. */
  id: () => number;
  c: () => string;
  pad: () => string;
  /** First and last id of a range query; `more` rows beyond the workload's range size. */
  range: (more: number) => [number, number];
}

/** Statements that go to one table, which is drawn for them. */
type Group = (drawing: Drawing) => Step[];

const pointSelect: Group = ({ step, table, id }) => [step(table(), 'pointSelect', id())];
const pointSelects: Group = ({ step, table, id }) => {
  const number = table();
  return Array.from({ length: POINT_SELECTS }, () => step(number, 'pointSelect', id()));
};
const simpleRange: Group = ({ step, table, range }) => [step(table(), 'simpleRange', ...range(0))];
const sumRange: Group = ({ step, table, range }) => [step(table(), 'sumRange', ...range(0))];
const orderRange: Group = ({ step, table, range }) => [step(table(), 'orderRange', ...range(0))];
const distinctRange: Group = ({ step, table, range }) => [step(table(), 'distinctRange', ...range(0))];
const longDistinctRange: Group = ({ step, table, range }) => [step(table(), 'distinctRange', ...range(1))];
const indexUpdate: Group = ({ step, table, id }) => [step(table(), 'indexUpdate', id())];
const nonIndexUpdate: Group = ({ step, table, id, c }) => [step(table(), 'nonIndexUpdate', c(), id())];
const remove: Group = ({ step, table, id }) => [step(table(), 'delete', id())];
/** Id 0 is the next one of the table's own counter. */
const insert: Group = ({ step, table, id, c, pad }) => [step(table(), 'insert', 0, id(), c(), pad())];
/** Both with the same id, so that the table keeps its rows. */
const deleteInsert: Group = ({ step, table, id, c, pad }) => {
  const number = table();
  const row = id();
  return [step(number, 'delete', row), step(number, 'insert', row, id(), c(), pad())];
};
/** 0.4 touches the row once more before it deletes it. */
const updateDeleteInsert: Group = ({ step, table, id, c, pad }) => {
  const number = table();
  const row = id();
  return [
    step(number, 'indexUpdate', row),
    step(number, 'delete', row),
    step(number, 'insert', row, id(), c(), pad()),
  ];
};

const READS = [pointSelects, simpleRange, sumRange, orderRange, distinctRange];
const WRITES = [indexUpdate, nonIndexUpdate, deleteInsert];

const GROUPS: Readonly<Record<OltpKind, readonly Group[]>> = {
  oltp_read_write: [...READS, ...WRITES],
  oltp_read_only: READS,
  oltp_write_only: WRITES,
  oltp_point_select: [pointSelect],
  oltp_update_index: [indexUpdate],
  oltp_update_non_index: [nonIndexUpdate],
  oltp_insert: [insert],
  oltp_delete: [remove],
  oltp_complex: [
    pointSelects,
    simpleRange,
    sumRange,
    orderRange,
    longDistinctRange,
    indexUpdate,
    nonIndexUpdate,
    updateDeleteInsert,
  ],
};

/**
 * The transactions of one connection, one a call: the statements in sysbench's order, a table drawn for each group of
 * them. `oltp_complex` has the order of 0.4 and its ranges, which never reach beyond the table; its tables and the
 * rows it writes are those of 1.0, where 0.4 fills every row with the same text.
 * Source of shapes, order and counts: sysbench 1.0.20 oltp_*.lua, sysbench 0.4 sb_oltp.c (described).
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
    for (const group of groups) steps.push(...group(drawing));
    if (bracketed) steps.push(COMMIT);
    return steps;
  };
}
