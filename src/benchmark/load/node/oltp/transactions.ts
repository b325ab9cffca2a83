import type { OltpKind } from '../../../../shared/model/names.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { Draws } from '../workload-engine.ts';
import { idDraws } from './distribution.ts';
import { contentColumn, padColumn } from './rows.ts';
import { stepMaker, type Shape, type Step, type StepMaker } from './statements.ts';

const POINT_SELECTS = 10;
const HIGHEST_INT = 2 ** 31 - 1;

// MySQL can't prepare BEGIN (error 1295); as text both work on every server, and both are one round trip anyway.
const BEGIN: Step = { kind: 'begin', text: 'BEGIN' };
const COMMIT: Step = { kind: 'commit', text: 'COMMIT' };

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
  range: (more: number) => number[];
}

/** Adds statements that go to one table, which is drawn for them. */
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
/** Id 0 is the next one of the table's own counter. */
const insert: Group = ({ step, table, id, c, pad }, steps) => {
  steps.push(step(table(), 'insert', [0, id(), c(), pad()]));
};
/** All with the same id, so that the table keeps its rows; 0.4 touches the row once more before it deletes it. */
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
const READS = [...READS_BEFORE_DISTINCT, rangeQuery('distinctRange')];
const WRITES = [indexUpdate, nonIndexUpdate, replaceRow(false)];

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
    ...READS_BEFORE_DISTINCT,
    rangeQuery('distinctRange', 1),
    indexUpdate,
    nonIndexUpdate,
    replaceRow(true),
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
    for (const group of groups) group(drawing, steps);
    if (bracketed) steps.push(COMMIT);
    return steps;
  };
}
