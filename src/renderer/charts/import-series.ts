import type { ImportedRun } from '../../shared/model/imported.ts';
import type { Point, Series } from './series.ts';

/** How long a window without a successor may be late before the line is broken, in windows. */
const GAP = 1.5;

/** One line per imported run that tells of its seconds; a point in the middle of every interval. */
export function importSeries(runs: readonly ImportedRun[], nameOf: (index: number) => string): Series[] {
  return runs.flatMap(({ windows }, index) =>
    windows.length === 0
      ? []
      : [{ scenarioId: String(index), name: nameOf(index), points: windows.flatMap(pointsOf) }],
  );
}

function pointsOf(
  { startSeconds, durationSeconds, tps }: ImportedRun['windows'][number],
  index: number,
  windows: ImportedRun['windows'],
): Point[] {
  const point = { x: startSeconds + durationSeconds / 2, y: tps };
  const before = windows[index - 1];
  const gap =
    before !== undefined &&
    startSeconds - before.startSeconds > GAP * Math.max(before.durationSeconds, durationSeconds);
  return gap ? [{ x: point.x, y: null }, point] : [point];
}
