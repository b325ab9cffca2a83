import { keyWithout } from '../shared/model/factors.ts';
import type { ExcludedScenario, Scenario, ScenarioLabel } from '../shared/model/plan.ts';
import type { GroupRow, ScenarioGroup } from './scenario-groups.ts';

export type GridCell = { id: string } & (
  | { kind: 'runs'; scenario: Scenario }
  | { kind: 'excluded'; excluded: ExcludedScenario; rows: number; columns: number }
);

/** A spanning cell is only in its first row and column. */
export interface ScenarioGrid {
  columns: { id: string; label: ScenarioLabel; scenario: Scenario | undefined }[];
  rows: { id: string; label: ScenarioLabel; cells: GridCell[] }[];
  /** Scenarios outside the grid, such as a native server. */
  others: GroupRow[];
}

interface Placed {
  row: string;
  column: string;
  of: Scenario | ExcludedScenario;
  cell: GridCell;
  source: GroupRow;
}

/** Undefined if the group's scenarios don't fill a grid. */
export function scenarioGrid(group: ScenarioGroup): ScenarioGrid | undefined {
  const placed = group.rows.filter((row) => !row.runs || !row.scenario.isAaRepeat).map(place);
  const count = (key: 'row' | 'column', value: string): number =>
    placed.filter((one) => one[key] === value).length;
  const isAlone = ({ row, column }: Placed): boolean =>
    count('row', row) === 1 && count('column', column) === 1;
  const inGrid = placed.filter((one) => !isAlone(one));
  const rowIds = distinct(inGrid.map(({ row }) => row));
  const columnIds = distinct(inGrid.map(({ column }) => column));
  const isGrid =
    rowIds.length > 1 &&
    columnIds.length > 1 &&
    inGrid.length === rowIds.length * columnIds.length &&
    distinct(inGrid.map(({ row, column }) => `${row} ${column}`)).length === inGrid.length &&
    inGrid.every(({ of }) => of.label.ownName === null) &&
    distinct(inGrid.map(({ of }) => keyWithout(of, 'storage', 'path'))).length === 1;
  if (!isGrid) return undefined;

  const at = (row: string, column: string): Placed[] =>
    inGrid.filter((one) => one.row === row && one.column === column);
  const columns = columnIds.map((id) => rowIds.flatMap((row) => at(row, id)));
  const spanned = new Set<Placed>();
  for (const column of columns) span(column, 'rows', spanned);
  if (spanned.size === 0)
    for (const row of rowIds)
      span(
        columnIds.flatMap((id) => at(row, id)),
        'columns',
        spanned,
      );
  return {
    columns: columns.flatMap((cells, index) => {
      const label = cells[0]?.of.label;
      const scenario = cells.flatMap(({ cell }) => (cell.kind === 'excluded' ? [] : [cell.scenario]))[0];
      return label === undefined ? [] : [{ id: columnIds[index] ?? '', label, scenario }];
    }),
    rows: rowIds.flatMap((id) => {
      const cells = columnIds.flatMap((column) => at(id, column));
      const label = cells[0]?.of.label;
      const shown = cells.filter((one) => !spanned.has(one)).map(({ cell }) => cell);
      return label === undefined ? [] : [{ id, label, cells: shown }];
    }),
    others: placed.filter(isAlone).map(({ source }) => source),
  };
}

function place(source: GroupRow): Placed {
  const of = source.runs ? source.scenario : source.excluded;
  const cell: GridCell =
    'reason' in of
      ? { kind: 'excluded', id: of.id, excluded: of, rows: 1, columns: 1 }
      : { kind: 'runs', id: of.id, scenario: of };
  return { row: of.storageId, column: of.path, of, cell, source };
}

function span(cells: Placed[], direction: 'rows' | 'columns', spanned: Set<Placed>): void {
  const [first, ...others] = cells;
  const reasons = distinct(
    cells.map(({ cell }) => (cell.kind === 'excluded' ? JSON.stringify(cell.excluded.reason) : '')),
  );
  if (first?.cell.kind !== 'excluded' || reasons.length > 1) return;
  first.cell[direction] = cells.length;
  for (const one of others) spanned.add(one);
}

function distinct(values: string[]): string[] {
  return [...new Set(values)];
}
