import * as z from 'zod';
import { isInContainer, type Cell } from '../../shared/model/cells.ts';
import { PATH_KINDS } from '../../shared/model/names.ts';
import { presetScenarios, presetSchema } from '../../shared/model/preset.ts';
import { MOST_SCENARIOS } from '../../shared/model/preset-checks.ts';
import type { Edit } from './preset-text.ts';

export interface Cells {
  /** False if the preset has more than the table shows: then it is only editable as YAML. */
  isPlain: boolean;
  chosen: Cell[];
  baseline: Cell | undefined;
}

const plainCell = z.strictObject({ storage: z.string(), path: z.enum(PATH_KINDS) });
const plainSchema = z.object({
  grid: z.strictObject({ storages: z.array(z.string()), paths: z.array(z.enum(PATH_KINDS)) }).optional(),
  scenarios: z.array(plainCell).default([]),
  baseline: z.union([z.string(), z.array(z.string())]).optional(),
});

export const cellId = ({ storage, path }: Cell): string => `${storage}.${path}`;
export const sameCell = (a: Cell, b: Cell): boolean => a.storage === b.storage && a.path === b.path;

export function cellsOf(value: object): Cells {
  const plain = plainSchema.safeParse(value);
  if (!plain.success) return shownOnly(value);
  const { grid, scenarios, baseline } = plain.data;
  const storages = [...new Set(grid?.storages)];
  const paths = [...new Set(grid?.paths)];
  if (storages.length * paths.length + scenarios.length > MOST_SCENARIOS) return shownOnly(value);
  const all = [...storages.flatMap((storage) => paths.map((path) => ({ storage, path }))), ...scenarios];
  const chosen = all.filter((cell, index) => all.findIndex((other) => sameCell(cell, other)) === index);
  const wanted = [baseline ?? []].flat();
  return {
    isPlain: true,
    chosen,
    baseline: wanted.flatMap((id) => chosen.filter((cell) => cellId(cell) === id))[0],
  };
}

function shownOnly(value: object): Cells {
  const parsed = presetSchema.safeParse(value);
  if (!parsed.success) {
    const isEmpty = !('grid' in value) && !('scenarios' in value);
    return { isPlain: isEmpty, chosen: [], baseline: undefined };
  }
  const scenarios = presetScenarios(parsed.data);
  const all = scenarios.map(({ storageId, path }) => ({ storage: storageId, path }));
  const [first] = [parsed.data.baseline].flat();
  const base = scenarios.find(({ baseId }) => baseId === first);
  return {
    isPlain: false,
    chosen: all.filter((cell, index) => all.findIndex((other) => sameCell(cell, other)) === index),
    baseline: base === undefined ? undefined : { storage: base.storageId, path: base.path },
  };
}

/**
 * A grid if the cells are all of some storages with all of some paths, otherwise a list. `value`: the current
 * preset; a baseline that is gone is replaced by the first cell.
 */
export function cellEdits(value: unknown, cells: readonly Cell[], baseline: Cell | undefined): Edit[] {
  const parsed = plainSchema.safeParse(value);
  const before = parsed.success ? parsed.data : undefined;
  const inContainers = cells.filter(({ storage }) => isInContainer(storage));
  const storages = [...new Set(inContainers.map(({ storage }) => storage))];
  const paths = [...new Set(inContainers.map(({ path }) => path))];
  const isFull = inContainers.length > 0 && inContainers.length === storages.length * paths.length;
  const isGrid = isFull && (before?.grid !== undefined || (before?.scenarios.length ?? 0) === 0);
  const single = isGrid ? cells.filter((cell) => !inContainers.includes(cell)) : [...cells];
  const edits: Edit[] = [];
  const change = (path: string[], old: unknown, now: unknown): void => {
    if (JSON.stringify(old) !== JSON.stringify(now)) edits.push({ path, value: now });
  };
  if (isGrid) {
    change(['grid', 'storages'], before?.grid?.storages, storages);
    change(['grid', 'paths'], before?.grid?.paths, paths);
  } else if (before?.grid !== undefined) edits.push({ path: ['grid'], value: undefined });
  change(
    ['scenarios'],
    before?.scenarios.length === 0 ? undefined : before?.scenarios,
    single.length === 0 ? undefined : single,
  );
  return [...edits, ...baselineEdits(before?.baseline, cells, baseline)];
}

function baselineEdits(
  before: string | string[] | undefined,
  cells: readonly Cell[],
  wanted: Cell | undefined,
): Edit[] {
  const same = wanted === undefined ? undefined : cells.find((cell) => sameCell(cell, wanted));
  const baseline = same ?? cells.find(({ path }) => path === 'published-port') ?? cells[0];
  if (baseline === undefined) return [];
  const id = cellId(baseline);
  const ids = cells.map(cellId);
  // The first that can run is used: the chosen one leads, missing ones are dropped.
  const value = Array.isArray(before) ? [id, ...before.filter((one) => one !== id && ids.includes(one))] : id;
  const now = Array.isArray(value) && value.length === 1 ? id : value;
  return JSON.stringify(before) === JSON.stringify(now) ? [] : [{ path: ['baseline'], value: now }];
}
