import type { ImportedRun } from '../../shared/model/imported.ts';
import type { Series } from './series.ts';

/** Windows of delay before the line breaks. */
const GAP = 1.5;

/** A line per imported run with seconds; points mid-interval. */
export function importSeries(runs: readonly ImportedRun[], nameOf: (index: number) => string): Series[] {
  return runs.flatMap(({ windows }, index) =>
    windows.length === 0
      ? []
      : [{ scenarioId: String(index), name: nameOf(index), lines: [lineOf(windows)] }],
  );
}

function lineOf(windows: ImportedRun['windows']): Series['lines'][number] {
  const points = windows.flatMap(({ startSeconds, durationSeconds, tps }, index) => {
    const x = startSeconds + durationSeconds / 2;
    const before = windows[index - 1];
    const gap =
      before !== undefined &&
      startSeconds - before.startSeconds > GAP * Math.max(before.durationSeconds, durationSeconds);
    // A gap mid-way keeps a range of its own.
    return gap
      ? [
          { x: (before.startSeconds + startSeconds) / 2, y: NaN },
          { x, y: tps },
        ]
      : [{ x, y: tps }];
  });
  return {
    length: points.length,
    x: Float32Array.from(points, ({ x }) => x),
    y: Float32Array.from(points, ({ y }) => y),
    shift: 0,
    isGrowing: false,
  };
}
